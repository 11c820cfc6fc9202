import Bytes

/// The list of the files of a store. A start reads it first; every step that adds or drops a file writes it last.
///
/// ```
/// {"format":"sooke-manifest/4",
/// "store":"8c…",
/// "segments":[
/// {"file":"wal-…0001.log","first":1,"last":1200,"length":90112,"checksum":"9a…","chain":"8f…","sealed":"…"},
/// {"file":"wal-00000000000000001201.log","first":1201}
/// ],
/// "snapshots":[
/// {"file":"snapshot-00000000000000001200.json","sequence":1200,"length":70311,"checksum":"1f…","chain":"8f…","at":"…"}
/// ],
/// "closed":null,
/// "end":{"lines":9,"checksum":"0b6e7f10"}}
/// ```
struct Manifest: Equatable, Sendable {
    static let kind: StaticString = "sooke-manifest"

    var store: String
    /// That of the newest program that has started on the folder.
    var version = CheckedDocument.version
    /// Oldest first, without a gap. All segments but the last are sealed.
    var segments: [Segment] = []
    /// Oldest first.
    var snapshots: [Snapshot] = []
    /// The end of the last segment when the store was closed cleanly; nil while it is open, and after a crash.
    var closed: End?

    struct Segment: Equatable, Sendable {
        var first: Int
        /// nil for the active segment.
        var seal: Seal?

        var name: String { FileName.segment(first) }
    }

    /// The segment no longer changes.
    struct Seal: Equatable, Sendable {
        var end: End
        var at: Timestamp
    }

    struct End: Equatable, Sendable {
        /// One less than the first when the segment holds none.
        var last: Int
        var length: Int
        var checksum: UInt32
        var chain: CommitChain

        func isEnd(at position: SegmentReader.Position, length found: Int) -> Bool {
            length == found && last == position.last && checksum == position.checksum && position.chain == chain
        }

        func difference(from position: SegmentReader.Position, length found: Int) -> String {
            let zeros = position.offset < found ? ", behind that with zeros up to byte \(found)" : ""
            return "the file ends at sequence \(position.last) and byte \(position.offset)\(zeros); "
                + "the manifest says sequence \(last) and byte \(length)"
        }

        /// The lines up to a position are those that were written, except for the mark after the last commit.
        func isReached(by position: SegmentReader.Position) -> Bool {
            guard position.last == last else { return false }
            var mark: [UInt8] = []
            return position.checksum == checksum || mark.appendMark(synced: last, after: position.checksum) == checksum
        }
    }

    struct Snapshot: Equatable, Sendable {
        var sequence: Int
        var length: Int
        var checksum: UInt32
        /// When the state was reached.
        var at: Timestamp
        var chain: CommitChain

        var name: String { FileName.snapshot(sequence) }
    }

    init(store: String) {
        self.store = store
    }

    /// The last segment too has its end when the store was closed.
    var log: [Segment] {
        guard let closed, var last = segments.last else { return segments }
        last.seal = Seal(end: closed, at: Timestamp.epoch)
        return segments.dropLast() + [last]
    }

    static func makeIdentity() -> String {
        var text: [UInt8] = []
        text.append(hex: UInt64.random(in: .min ... .max))
        text.append(hex: UInt64.random(in: .min ... .max))
        return String(decoding: text, as: UTF8.self)
    }

    var bytes: [UInt8] {
        var writer = CheckedDocumentWriter(kind: Self.kind, version: version)
        writer.append(text: "\"store\":\"\(store)\",")
        writer.append(list: "segments", segments.map(\.text))
        writer.append(list: "snapshots", snapshots.map(\.text))
        writer.append(text: "\"closed\":\(closed.map { "{\($0.text)}" } ?? "null"),")
        writer.finish()
        return writer.takeBytes()
    }

    /// The file names in it are informative: they follow from the sequence numbers. A text with a valid checksum but
    /// another layout is refused as foreign, at its line.
    init(_ bytes: [UInt8]) throws(CheckedDocumentError) {
        let lines = try DocumentLines(bytes, kind: Self.kind, versions: CheckedDocument.versions)
        self.init(store: lines.member("store") { $0.identity() } ?? "")
        version = lines.version
        segments = lines.list("segments").compactMap { Segment($0) }
        snapshots = lines.list("snapshots").compactMap { Snapshot($0) }
        closed = lines.member("closed") { End($0) }
        try lines.require(isConsistent ? self.bytes : [])
    }

    private var isConsistent: Bool {
        let follows = zip(segments, segments.dropFirst()).allSatisfy { segment, next in
            segment.seal.map { $0.end.last + 1 == next.first && segment.first < next.first } ?? false
        }
        let rises = zip(snapshots, snapshots.dropFirst()).allSatisfy { $0.sequence < $1.sequence }
        let isOpen = segments.last.map { $0.seal == nil } ?? (closed == nil && snapshots.isEmpty)
        return follows && rises && isOpen
    }
}

extension Manifest.End {
    fileprivate var text: String {
        "\"last\":\(last),\"length\":\(length),\"checksum\":\"\(Hex.text(of: checksum))\",\"chain\":\"\(chain)\""
    }

    fileprivate init?(_ line: TextCursor) {
        guard let last = line.member("last", { $0.decimal() }), let length = line.member("length", { $0.decimal() }),
            let checksum = line.member("checksum", { $0.checksum() }), let chain = line.member("chain", { $0.chain() })
        else { return nil }
        self.init(last: last, length: length, checksum: checksum, chain: chain)
    }
}

extension Manifest.Segment {
    fileprivate var text: String {
        let seal = seal.map { ",\($0.end.text),\"sealed\":\"\($0.at.rfc3339)\"" } ?? ""
        return "{\"file\":\"\(name)\",\"first\":\(first)\(seal)}"
    }

    fileprivate init?(_ line: TextCursor) {
        guard let first = line.member("first", { $0.decimal() }) else { return nil }
        self.init(first: first)
        guard let end = Manifest.End(line), let at = line.member("sealed", { $0.momentAndQuote() }) else { return }
        seal = Manifest.Seal(end: end, at: at)
    }
}

extension Manifest.Snapshot {
    fileprivate var text: String {
        "{\"file\":\"\(name)\",\"sequence\":\(sequence),\"length\":\(length),\"checksum\":\""
            + "\(Hex.text(of: checksum))\",\"chain\":\"\(chain)\",\"at\":\"\(at.rfc3339)\"}"
    }

    fileprivate init?(_ line: TextCursor) {
        guard let sequence = line.member("sequence", { $0.decimal() }),
            let length = line.member("length", { $0.decimal() }),
            let checksum = line.member("checksum", { $0.checksum() }),
            let at = line.member("at", { $0.momentAndQuote() }), let chain = line.member("chain", { $0.chain() })
        else { return nil }
        self.init(sequence: sequence, length: length, checksum: checksum, at: at, chain: chain)
    }
}
