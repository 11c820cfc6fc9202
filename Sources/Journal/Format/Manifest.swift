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

    /// The identity of the store: 32 hexadecimal digits, generated with the store.
    var store: String
    /// The log, oldest first, without a gap. All segments but the last are sealed.
    var segments: [Segment] = []
    /// The snapshots, oldest first.
    var snapshots: [Snapshot] = []
    /// The end of the last segment when the store was closed cleanly; nil while it is open, and after a crash.
    var closed: End?

    /// A file of the log.
    struct Segment: Equatable, Sendable {
        var first: Int
        /// Its end, and when it was reached; nil for the active segment.
        var seal: Seal?

        var name: String { FileName.segment(first) }
    }

    /// The end of a segment that no longer changes.
    struct Seal: Equatable, Sendable {
        var end: End
        var at: Timestamp
    }

    struct End: Equatable, Sendable {
        /// The sequence number of the last commit; one less than the first when it holds none.
        var last: Int
        /// The length in bytes.
        var length: Int
        /// The checksum of the last line.
        var checksum: UInt32
        /// The chain up to the last commit.
        var chain: CommitChain

        /// Whether a file of this length, which was read up to a position, ends here.
        func isEnd(at position: SegmentReader.Position, length found: Int) -> Bool {
            length == found && last == position.last && checksum == position.checksum && position.chain == chain
        }

        /// A description of a file that ends elsewhere.
        func difference(from position: SegmentReader.Position, length found: Int) -> String {
            let zeros = position.offset < found ? ", behind that with zeros up to byte \(found)" : ""
            return "the file ends at sequence \(position.last) and byte \(position.offset)\(zeros); "
                + "the manifest says sequence \(last) and byte \(length)"
        }

        /// Whether the lines up to a position are those that were written, except for the mark after the last commit.
        func isReached(by position: SegmentReader.Position) -> Bool {
            guard position.last == last else { return false }
            var mark: [UInt8] = []
            return position.checksum == checksum || mark.appendMark(synced: last, after: position.checksum) == checksum
        }
    }

    struct Snapshot: Equatable, Sendable {
        /// The sequence number of the last commit in it.
        var sequence: Int
        /// The length in bytes.
        var length: Int
        /// The checksum in its last line.
        var checksum: UInt32
        /// When that state was reached.
        var at: Timestamp
        /// The chain up to that state.
        var chain: CommitChain

        var name: String { FileName.snapshot(sequence) }
    }

    init(store: String) {
        self.store = store
    }

    /// The segments, each with its end if that is known: the last one has it when the store was closed.
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
