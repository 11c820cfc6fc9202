import Bytes

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

    /// Before the first commit.
    init(of store: String) {
        value = XXH64.digest(Array("\(store) 0 00000000".utf8).span)
    }

    func appending(_ payload: Span<UInt8>) -> CommitChain {
        CommitChain(XXH64.digest(payload, seed: value))
    }

    /// Sixteen hexadecimal digits.
    package var description: String { Hex.text(of: value) }

    package var bits: UInt64 { value }
}

extension TextCursor {
    mutating func chain() -> CommitChain? {
        guard let digits = hexDigits(16), let value = Hex.integer(digits, as: UInt64.self) else { return nil }
        return CommitChain(value)
    }

    /// After another member.
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
