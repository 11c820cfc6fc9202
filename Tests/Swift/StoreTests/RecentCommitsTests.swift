import Bytes
import SookeModel
import TestSupport
import Testing

@testable import Journal
@testable import Store

@Suite struct RecentCommitsTests {
    /// A commit of a store; those of another store have other chains.
    private static func commit(_ sequence: Int, bytes: Int, store: UInt64 = 1) -> RecentCommit {
        RecentCommit(
            position: position(sequence, store), Commit(time: CommitTime(at: .epoch), by: .local, changes: []),
            logBytes: bytes)
    }

    private static func position(_ sequence: Int, _ store: UInt64 = 1) -> CommitPosition {
        CommitPosition(sequence, CommitChain(UInt64(sequence) &* 31 &+ store))
    }

    /// Compared with a plain list of all commits.
    @Test(arguments: [(0, 0), (300, 7), (2_000, 0), (2_000, 1_000), (40_000, 7), (.max, 0)])
    func agreesWithAPlainList(limit: Int, count: Int) {
        var random = SplitMix64(seed: UInt64(truncatingIfNeeded: limit &+ count))
        let first = Int.random(in: 0...50, using: &random)
        let limits = RecentCommits.Limits(bytes: limit, commits: count, mostBytes: max(limit, 60_000))
        var (all, recent) = ([RecentCommit](), RecentCommits(after: Self.position(first), limits: limits))
        var held: (commits: RecentCommits, expected: [Int]?)?
        for sequence in first + 1...first + 400 {
            let commit = Self.commit(sequence, bytes: Int.random(in: 0...800, using: &random))
            recent.append(commit)
            all.append(commit)
            var (kept, bytes) = (0, 0)
            for commit in all.reversed() {
                bytes += commit.memory
                if bytes > limit, kept >= count || bytes > limits.mostBytes { break }
                kept += 1
            }
            let asked = Int.random(in: 0...sequence + 3, using: &random)
            let isKnown = (sequence - kept...sequence).contains(asked)
            let expected = isKnown ? Array(asked + 1..<sequence + 1) : nil
            #expect(recent.after(Self.position(asked))?.map(\.position.sequence) == expected)
            #expect(recent.after(Self.position(asked), limit: 3)?.count == expected.map { min($0.count, 3) })
            #expect(recent.position(at: asked) == (isKnown ? Self.position(asked) : nil))
            #expect(recent.after(Self.position(asked, 2)) == nil)
            #expect(recent.after(Self.position(sequence))?.isEmpty == true)
            // A copy of the value does not change.
            if let held { #expect(held.commits.after(Self.position(first))?.map(\.position.sequence) == held.expected) }
            held = (recent, recent.after(Self.position(first))?.map(\.position.sequence))
        }
    }

    /// A small change of a long text holds the text before it, and a new record nothing beside the town.
    @Test func countsWhatItHolds() throws {
        var transaction = try TransactionTown.transaction()
        _ = transaction.takeChanges()
        let long = String(repeating: "x", count: 9_000)
        try transaction.update(1, TransactionTown.patch(Business.self, #"{"description":"\#(long)"}"#))
        let first = transaction.takeChanges()
        try transaction.update(1, TransactionTown.patch(Business.self, #"{"phone":"1"}"#))
        let second = transaction.takeChanges()
        func memory(_ changes: [RecordChange]) -> Int {
            let commit = Commit(time: CommitTime(at: .epoch), by: .local, changes: changes)
            return RecentCommit(position: Self.position(1), commit, logBytes: 100).memory
        }
        #expect(memory(first) < 3_000)
        // The text is in the value, and in the members of lists.
        #expect((18_000...22_000).contains(memory(second)))
    }
}
