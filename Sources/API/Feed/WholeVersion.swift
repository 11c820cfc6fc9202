import Bytes
import Dispatcher
import HTTP
import Service
import SookeModel
import Store
import Synchronization

/// All records of a version, as the client may see them, in parts: none takes longer than a list page.
struct WholeVersion: Sendable {
    let position: HistoryPosition
    private let town: Town
    private let viewer: Viewer
    private let topics: ChangeTopics
    private var kinds: [RecordKind]
    private var lastID = 0

    /// All are counted, also those that the client does not see.
    static let partSize = 32
    /// A client that sees few records must not block the event loop.
    static let workLimit = 128

    init(_ version: Version, for viewer: Viewer, _ topics: ChangeTopics) {
        (town, self.viewer, self.topics) = (version.town, viewer, topics)
        position = version.position
        kinds = topics.possibleKinds
    }

    /// As changes that create them; nil at the end.
    mutating func next() -> ChangeReader.Changes? {
        guard let kind = kinds.first else { return nil }
        let records: [any StoredRecord]
        if topics.includeAll(of: kind) {
            records = town.records(of: kind, above: lastID, limit: Self.partSize)
        } else {
            // A few, found by their slugs.
            records = lastID == 0 ? topics.records(of: kind, in: town) : []
        }
        if let last = records.last { lastID = last.id } else { (kinds, lastID) = (Array(kinds.dropFirst()), 0) }
        let items = records.compactMap { record -> ChangeReader.Changes.Item? in
            FeedEvent(record, of: kind, for: viewer).flatMap { event in
                ChangeText.json(event).map { .init(event: event, json: $0) }
            }
        }
        return ChangeReader.Changes(position: position, items: items)
    }
}

/// A snapshot as the JSON response to a poll.
final class WholeVersionBody: BodySource {
    private struct State {
        var whole: WholeVersion
        var isBegun = false
        var isFirst = true
        var isEnded = false
    }

    private static let partSize = 32 * 1024
    private let state: Mutex<State>
    private let follower: Follower
    private let viewer: Viewer

    init(_ whole: WholeVersion, for viewer: Viewer, _ follower: Follower) {
        state = Mutex(State(whole: whole))
        (self.viewer, self.follower) = (viewer, follower)
    }

    func end() {}

    func next(_ wakeup: BodyWakeup) -> BodyPart {
        state.withLock { state in
            if state.isEnded { return .end }
            guard follower.hasRights(of: viewer, in: follower.service.store.current) else { return .failed }
            var text: [UInt8] = []
            if !state.isBegun { text.append("{\"reset\":true,\"changes\":[") }
            state.isBegun = true
            for _ in 0..<WholeVersion.workLimit / WholeVersion.partSize
            where text.count < Self.partSize && !state.isEnded {
                append(&text, &state)
            }
            if !text.isEmpty { return .bytes(text) }
            wakeup()
            return .pending
        }
    }

    /// Appends some records, or the end.
    private func append(_ text: inout [UInt8], _ state: inout State) {
        guard let changes = state.whole.next() else {
            text.append("],\"position\":\"")
            text.append(utf8: "\(follower.service.position(state.whole.position, for: viewer))")
            text.append("\",\"more\":false}")
            state.isEnded = true
            return
        }
        for item in changes.items {
            if !state.isFirst { text.append(",") }
            state.isFirst = false
            text += item.json
        }
    }
}
