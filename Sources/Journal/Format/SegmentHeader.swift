import Bytes

/// The first line of a segment: its store and its place in the log.
///
/// `5d0f3c21 {"format":"sooke-log/3","store":"8c…","first":1201,"previous":"9a3e01c7","chain":"8f3c5a7790d1e2b4"}`
struct SegmentHeader: Equatable {
    /// The first version that is read.
    static let version = 3

    let store: String
    let first: Int
    /// The checksum of the last line of the segment before it, 0 when there is none.
    let previous: UInt32
    /// Of all commits before the segment.
    let chain: CommitChain

    enum Fault: Error, Equatable {
        case line(LogLine.Fault)
        case version(Int)
    }

    /// Without its line feed; also returns its checksum.
    static func read(_ line: ArraySlice<UInt8>) throws(Fault) -> (header: SegmentHeader, checksum: UInt32) {
        let opened: (checksum: UInt32, json: ArraySlice<UInt8>)
        do {
            opened = try LogLine.open(line, continuing: 0)
        } catch {
            throw .line(error)
        }
        var cursor = TextCursor(opened.json)
        guard cursor.take("{\"format\":\"sooke-log/"), let version = cursor.decimal() else { throw .line(.malformed) }
        // Later versions have the same frame in the first line, so that they can be distinguished from damage.
        guard version <= Self.version else { throw .version(version) }
        guard version == Self.version, cursor.take("\",\"store\":\""), let store = cursor.identity(),
            cursor.take("\",\"first\":"), let first = cursor.decimal(), first > 0,
            cursor.take(",\"previous\":\""), let previous = cursor.checksum(), cursor.take("\""),
            let chain = cursor.chainMember(), cursor.take("}"), cursor.rest.droppingTrailingSpaces().isEmpty
        else { throw .line(.malformed) }
        return (SegmentHeader(store: store, first: first, previous: previous, chain: chain), opened.checksum)
    }

    /// Padded to whole sectors; with its checksum.
    func line(sectorBytes: Int) -> (bytes: [UInt8], checksum: UInt32) {
        var bytes: [UInt8] = []
        let checksum = bytes.appendLogLine(continuing: 0) { text in
            text.append(utf8: "{\"format\":\"sooke-log/\(Self.version)\",\"store\":\"\(store)\",\"first\":\(first),")
            text.append(utf8: "\"previous\":\"\(Hex.text(of: previous))\",\"chain\":\"\(chain)\"}")
        }
        let padded = bytes.padLastLine(
            from: 0, checksum: checksum, with: bytes.count.distance(toMultipleOf: sectorBytes))
        return (bytes, padded)
    }
}

/// What a segment repeats from the log before it.
struct LogLink: Equatable {
    /// Of the last line.
    let checksum: UInt32
    /// nil when a commit before it cannot be read.
    let chain: CommitChain?

    init(_ end: Manifest.End) {
        self.init(checksum: end.checksum, chain: end.chain)
    }

    init(checksum: UInt32, chain: CommitChain?) {
        (self.checksum, self.chain) = (checksum, chain)
    }

    func isContinued(by header: SegmentHeader) -> Bool {
        header.previous == checksum && (chain == nil || header.chain == chain)
    }
}

extension Int {
    func distance(toMultipleOf unit: Int) -> Int {
        let rest = self % unit
        return rest == 0 ? 0 : unit - rest
    }
}
