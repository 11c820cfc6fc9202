import Bytes

/// The list of the files of a store. A start reads it first; every step that adds or drops a file writes it last.
///
/// ```
/// {"format":"sooke-manifest/3",
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
    static let version = 3

    /// 32 hexadecimal digits, generated with the store.
    var store: String
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
        /// Of the last line.
        var checksum: UInt32
        var chain: CommitChain

        /// Of a file of this length, which was read up to a position.
        func isEnd(at position: SegmentReader.Position, length found: Int) -> Bool {
            length == found && last == position.last && checksum == position.checksum && position.chain == chain
        }

        /// For a file that ends elsewhere.
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
        /// In its last line.
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
}
