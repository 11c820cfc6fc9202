import Bytes
import Dispatcher
import HTTP
import Service
import SookeModel
import Store

/// What the log says of the changes of the town, a line each: objects as in the feed, or text.
///
/// ```
/// 2026-11-21T09:30:00Z  updated business zeds  phone null → "250-555-0199"  (by ada@town.example, 1201.77d2a9e40…)
/// {"position":"1201.77d2a9e40b6e7f10"}
/// ```
///
/// The position follows after each commit with changes, and after the newest one.
struct ChangeLines: Sendable {
    /// Shown without a position.
    static let usualCommits = 20

    private let topics: ChangeTopics
    private let isJSON: Bool
    private let viewer = Viewer(.owner, in: Town())
    private var reader = CommitLineReader()
    private var position: HistoryPosition?

    init(_ call: Call) throws(HTTPError) {
        topics = try ChangeTopics(try call.parameter("topics"))
        isJSON = try call.parameter("format") == "json"
    }

    /// As changes that create them.
    func writeAll(_ version: Version, _ output: BodyStream.Output) throws(BodyStream.Closed) {
        var whole = WholeVersion(version, for: viewer, topics)
        while let items = whole.next() {
            try output(items.flatMap { (isJSON ? $0.json : Array($0.event.words.utf8)) + [ASCII.lineFeed] })
        }
        try output(Self.line(of: version.position))
    }

    /// Those in the next piece of `CommitLines`; the town has the addresses of the authors.
    mutating func lines(of piece: [UInt8], in town: Town) throws -> [UInt8] {
        var lines: [UInt8] = []
        reader.append(piece)
        while let line = try reader.next() {
            switch line {
            case .start(_, let after): position = after
            case .commit(let commit):
                let changes = try ChangeSet(commit)
                let items = ChangeReader.changes(of: changes, for: viewer).of(topics).items
                for item in items {
                    lines += isJSON ? item.json : Array(try Self.words(of: item.event, in: changes, town).utf8)
                    lines.append(ASCII.lineFeed)
                }
                if !items.isEmpty { append(changes.position, to: &lines) }
            case .position(let reached, _):
                if reached != position { append(reached, to: &lines) }
            }
        }
        return lines
    }

    private mutating func append(_ reached: HistoryPosition, to lines: inout [UInt8]) {
        lines += Self.line(of: reached)
        position = reached
    }

    private static func line(of position: HistoryPosition) -> [UInt8] {
        Array("{\"position\":\"\(position)\"}\n".utf8)
    }

    /// With time, author and, of an update, the fields: all those of a new record, or of one that is gone, say little
    /// on a line.
    private static func words(
        of event: FeedEvent, in commit: ChangeSet, _ town: Town
    ) throws -> String {
        var text = "\(commit.at.rfc3339.prefix(19))Z  \(event.words)"
        if event.action == .updated, let before = event.before, let after = event.after {
            let fields = try History.Field.changed(from: before, to: after).map { field in
                let texts = [field.before, field.after].map { $0.map { String(decoding: $0, as: UTF8.self) } ?? "null" }
                if texts.contains(where: { $0.hasPrefix("[") }) { return field.name }
                return "\(field.name) \(texts[0].excerpt()) → \(texts[1].excerpt())"
            }
            if !fields.isEmpty { text += "  " + fields.joined(separator: ", ") }
        }
        let author =
            switch commit.by {
            case .local: "local"
            case .person(let id): town.people[id]?.email ?? "account \(id)"
            case .other(let name): name
            }
        return "\(text)  (by \(author), \(commit.position))"
    }
}

extension FeedEvent {
    /// `updated event type music (was jazz)`
    fileprivate var words: String {
        let slug = (after ?? before)?.ownSlug
        var words = ([action.rawValue, kind.label] + [slug?.text].compactMap(\.self)).joined(separator: " ")
        if action == .updated, let former = before?.ownSlug, former != slug { words += " (was \(former.text))" }
        return words
    }
}
