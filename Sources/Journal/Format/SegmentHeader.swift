import Bytes

/// The first line of a segment: its store and its place in the log.
///
/// `5d0f3c21 {"format":"sooke-log/4","store":"8c…","first":1201,"previous":"9a3e01c7","chain":"8f3c5a7790d1e2b4"}`
struct SegmentHeader: Equatable {
    let store: String
    let first: Int
    /// The checksum of the last line of the segment before it, 0 when there is none.
    let previous: UInt32
    let chain: CommitChain
    /// Of the program that wrote the commits.
    var version = CheckedDocument.version

    /// Without its line feed; also returns its checksum.
    static func read(_ line: ArraySlice<UInt8>) throws(LogDamage.Reason) -> (header: SegmentHeader, checksum: UInt32) {
        let opened: (checksum: UInt32, json: ArraySlice<UInt8>)
        do {
            opened = try LogLine.open(line, continuing: 0)
        } catch {
            throw .line(error)
        }
        var cursor = TextCursor(opened.json)
        guard cursor.take("{\"format\":\"sooke-log/"), let version = cursor.decimal() else { throw .line(.malformed) }
        // Other versions have the same frame in the first line, so that they can be distinguished from damage.
        guard CheckedDocument.versions ~= version else { throw .version(version) }
        guard cursor.take("\",\"store\":\""), let store = cursor.identity(),
            cursor.take("\",\"first\":"), let first = cursor.decimal(), first > 0,
            cursor.take(",\"previous\":\""), let previous = cursor.checksum(), cursor.take("\""),
            let chain = cursor.chainMember(), cursor.take("}"), cursor.rest.droppingTrailingSpaces().isEmpty
        else { throw .line(.malformed) }
        let header = SegmentHeader(store: store, first: first, previous: previous, chain: chain, version: version)
        return (header, opened.checksum)
    }

    /// Padded to whole sectors; with its checksum.
    func line(sectorBytes: Int) -> (bytes: [UInt8], checksum: UInt32) {
        var bytes: [UInt8] = []
        let checksum = bytes.appendLogLine(continuing: 0) { text in
            text.append(utf8: "{\"format\":\"sooke-log/\(version)\",\"store\":\"\(store)\",\"first\":\(first),")
            text.append(utf8: "\"previous\":\"\(Hex.text(of: previous))\",\"chain\":\"\(chain)\"}")
        }
        let padded = bytes.padLastLine(
            from: 0, checksum: checksum, with: bytes.count.distance(toMultipleOf: sectorBytes))
        return (bytes, padded)
    }
}

/// What a segment repeats from the log before it.
struct LogLink: Equatable {
    let checksum: UInt32
    /// nil when a commit before it cannot be read.
    let chain: CommitChain?

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

/// A digest of all commits of a store up to one of them, in order: two stores with the same chain at the same sequence
/// number have the same history.
///
/// `chain = XXH64(seed: previous chain, payload of the commit)`. It is independent of padding, batches and the
/// boundaries of segments. It does not protect against forgery.
package struct CommitChain: Sendable, Hashable, CustomStringConvertible {
    private let value: UInt64

    init(_ value: UInt64) {
        self.value = value
    }

    init(of store: String) {
        value = XXH64.digest(Array("\(store) 0 00000000".utf8).span)
    }

    func appending(_ payload: Span<UInt8>) -> CommitChain {
        CommitChain(XXH64.digest(payload, seed: value))
    }

    package var description: String { Hex.text(of: value) }

    package var bits: UInt64 { value }
}

extension TextCursor {
    mutating func chain() -> CommitChain? {
        guard let digits = hexDigits(16), let value = Hex.integer(digits, as: UInt64.self) else { return nil }
        return CommitChain(value)
    }

    mutating func chainMember() -> CommitChain? {
        guard take(",\"chain\":\""), let chain = chain(), take("\"") else { return nil }
        return chain
    }
}

/// After a commit, in the history of a store.
package struct CommitPosition: Sendable, Hashable, CustomStringConvertible {
    /// 0 before the first commit.
    package let sequence: Int
    package let chain: CommitChain

    public init(_ sequence: Int, _ chain: CommitChain) {
        (self.sequence, self.chain) = (sequence, chain)
    }

    /// After the next commit, whose payload is that of its line in the log.
    package func advanced(by payload: Span<UInt8>) -> CommitPosition {
        CommitPosition(sequence + 1, chain.appending(payload))
    }

    /// Parses `1200.8f3c5a7790d1e2b4`.
    package init?(_ text: String) {
        var cursor = TextCursor(Array(text.utf8)[...])
        guard let sequence = cursor.decimal(), cursor.take("."), let chain = cursor.chain(), cursor.rest.isEmpty else {
            return nil
        }
        self.init(sequence, chain)
    }

    package var description: String { "\(sequence).\(chain)" }
}
