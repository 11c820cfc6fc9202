import Bytes
import TestSupport
import Testing

@testable import Journal
@testable import Store

@Suite struct RecentCommitsTests {
    /// A commit of a store; those of another store have other chains.
    private static func commit(_ sequence: Int, bytes: Int, store: UInt64 = 1) -> RecentCommit {
        RecentCommit(
            position: position(sequence, store), time: CommitTime(at: Timestamp(seconds: sequence)), by: .local,
            changes: [],
            logBytes: bytes)
    }

    private static func position(_ sequence: Int, _ store: UInt64 = 1) -> CommitPosition {
        CommitPosition(sequence, CommitChain(UInt64(sequence) &* 31 &+ store))
    }

    /// Compared with a plain list of all commits.
    @Test(arguments: [0, 300, 2_000, 40_000, .max])
    func agreesWithAPlainList(limit: Int) {
        var random = SplitMix64(seed: UInt64(truncatingIfNeeded: limit))
        let first = Int.random(in: 0...50, using: &random)
        var (all, recent) = ([RecentCommit](), RecentCommits(after: Self.position(first), limit: limit))
        var held: (commits: RecentCommits, expected: [Int]?)?
        for sequence in first + 1...first + 400 {
            let commit = Self.commit(sequence, bytes: Int.random(in: 0...800, using: &random))
            recent.append(commit)
            all.append(commit)
            var (kept, bytes) = (0, 0)
            for commit in all.reversed() {
                bytes += RecentCommits.memory(of: commit)
                if bytes > limit { break }
                kept += 1
            }
            let asked = Int.random(in: 0...sequence + 3, using: &random)
            let isKnown = (sequence - kept...sequence).contains(asked)
            let expected = isKnown ? Array(asked + 1..<sequence + 1) : nil
            #expect(recent.after(Self.position(asked))?.map(\.position.sequence) == expected)
            #expect(recent.after(Self.position(asked, 2)) == nil)
            #expect(recent.after(Self.position(sequence))?.isEmpty == true)
            // A copy of the value does not change.
            if let held { #expect(held.commits.after(Self.position(first))?.map(\.position.sequence) == held.expected) }
            held = (recent, recent.after(Self.position(first))?.map(\.position.sequence))
        }
    }

    @Test func beginsAfterAPosition() {
        let recent = RecentCommits(after: Self.position(7))
        #expect(recent.after(Self.position(7))?.isEmpty == true)
        #expect(recent.after(Self.position(6)) == nil)
        #expect(recent.after(Self.position(8)) == nil)
    }
}
