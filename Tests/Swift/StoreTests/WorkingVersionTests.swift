import Bytes
import SookeModel
import Testing

@testable import Journal
@testable import Store

/// The version that transactions change in place.
@Suite struct WorkingVersionTests {
    private struct Refusal: Error {}

    private static func position(_ sequence: Int) -> CommitPosition { CommitPosition(sequence, CommitChain(0)) }

    /// A working version with some commits after the published one, each of which changed the pub.
    private static func version(commits: Int) throws -> WorkingVersion {
        var version = WorkingVersion(
            Version(
                town: try TransactionTown.transaction().town, position: Self.position(0),
                time: CommitTime(at: .zero)))
        for number in 1...max(commits, 1) where commits > 0 {
            let patch = try TransactionTown.patch(Business.self, #"{"phone":"\#(number)"}"#)
            let at = Timestamp(clampingSeconds: number)
            let commit = try version.run(at: at, by: .local) { transaction in try transaction.update(1, patch) }.commit
            version.append(commit, as: position(number), logBytes: 100)
        }
        return version
    }

    @Test func commitsArePublishedTogether() throws {
        var version = try Self.version(commits: 3)
        let published = version.publish()
        #expect(published.sequence == 3)
        #expect(published.town.businesses[1]?.value.phone == "3")
        let commits = try #require(published.commits(after: Self.position(1)))
        #expect(commits.map(\.position.sequence) == [2, 3])
        let records = commits.compactMap(\.changes).joined().flatMap { [$0.before, $0.after] }
        #expect(records.map { ($0?.value as? Business)?.phone } == ["1", "2", "2", "3"])
    }

    @Test(arguments: [0, 5, 1001])
    func aRefusalAfterChangesTakesBackThoseAlone(commits: Int) throws {
        var (version, untouched) = (try Self.version(commits: commits), try Self.version(commits: commits))
        let patch = try TransactionTown.patch(
            Business.self, #"{"name":"Late","address":"3 C","latitude":1,"longitude":1}"#)
        for _ in 0..<2 {
            #expect(throws: Refusal.self) {
                try version.run(at: .zero, by: .local) { transaction in
                    try transaction.create(patch)
                    try transaction.deleteBusiness(1)
                    throw Refusal()
                }
            }
        }
        #expect(lines(of: version.publish().town) == lines(of: untouched.publish().town))
    }

    @Test func anErrorBeforeAnyChangeRestoresSequences() throws {
        var version = try Self.version(commits: 1)
        #expect(throws: Refusal.self) {
            try version.run(at: .zero, by: .local) { transaction in
                _ = transaction.nextID(.business)
                throw Refusal()
            }
        }
        #expect(version.run(at: .zero, by: .local) { $0.nextID(.business) }.result == 3)
        #expect(version.run(at: .zero, by: .local) { $0.nextID(.business) }.result == 3)
    }

    /// IDs that were given where records are from are not given here; nothing of them is left of a transaction that fails.
    @Test func highestIDsOfElsewhereAreInTheLog() throws {
        var version = try Self.version(commits: 1)
        let business = IDSequences.Sequence(.business)
        #expect(throws: Refusal.self) {
            try version.run(at: .zero, by: .local) { transaction in
                transaction.record(highest: 70, in: business)
                throw Refusal()
            }
        }
        #expect(version.run(at: .zero, by: .local) { $0.nextID(.business) }.result == 3)
        let patch = try TransactionTown.patch(Business.self, #"{"phone":"2"}"#)
        let commit = try version.run(at: .zero, by: .local) { transaction in
            for id in [70, 60, 0, -1, .max] { transaction.record(highest: id, in: business) }
            try transaction.update(1, patch)
        }.commit
        let read = try Commit.read(commit.payload[...]) { (_: Change, _) in }.highestIDs
        #expect(read == commit.highestIDs && read[business] == 70 && read[.menu] == 0)
        version.append(commit, as: Self.position(2), logBytes: 100)
        #expect(throws: Refusal.self) {
            try version.run(at: .zero, by: .local) { transaction in
                try transaction.deleteBusiness(1)
                throw Refusal()
            }
        }
        #expect(version.run(at: .zero, by: .local) { $0.nextID(.business) }.result == 71)
    }

    /// The log has each change of a business that is changed twice.
    @Test func theLogHasEachChangeOfATransaction() throws {
        var version = try Self.version(commits: 1)
        let commit = try version.run(at: .zero, by: .local) { transaction in
            for phone in ["2", "3"] {
                _ = try transaction.update(1, TransactionTown.patch(Business.self, #"{"phone":"\#(phone)"}"#))
            }
            try transaction.deleteBusiness(2)
            _ = try transaction.create(TransactionTown.patch(Person.self, #"{"email":"cleo@sooke.example"}"#))
        }.commit
        #expect(commit.changes.count == 4)
        var read: [Change] = []
        let again = try Commit.read(commit.payload[...]) { change, _ in read.append(change) }
        #expect(read == commit.changes.map(\.change) && again.highestIDs == IDSequences())
    }
}

extension Timestamp {
    fileprivate static let zero = Timestamp.epoch
}
