import Bytes
import Journal
import SookeModel
import Synchronization

/// A published version of the town, which is on stable storage.
///
/// A reader of a version sees one consistent state, however many commits follow.
package final class Version: Sendable {
    package let town: Town
    package let position: CommitPosition
    package let time: CommitTime
    /// Increases with each commit that may change public data. It is local to this process: while it stays the same, so
    /// do responses to clients without an account.
    package let publicRevision: Int
    let recentCommits: RecentCommits
    /// Those of an earlier request; see `upcomingSeries(at:)`.
    let series = Mutex<UpcomingSeries?>(nil)
    private let counted = Mutex<[(category: Category, count: Int)]?>(nil)

    init(
        town: Town, position: CommitPosition, time: CommitTime, publicRevision: Int = 0,
        recentCommits: RecentCommits? = nil
    ) {
        (self.town, self.position, self.time) = (town, position, time)
        self.publicRevision = publicRevision
        self.recentCommits = recentCommits ?? RecentCommits(after: position)
    }

    /// The oldest first; nil when they are no longer in memory, or of another town: start from this version.
    package func commits(after position: CommitPosition, limit: Int = .max) -> [RecentCommit]? {
        recentCommits.after(position, limit: limit)
    }

    /// Nil unless the commits after it are in memory.
    package func position(at sequence: Int) -> CommitPosition? { recentCommits.position(at: sequence) }

    /// The newest change of an author of something shared, if it is one of the last commits of this process.
    package func newestCommit(by author: Author) -> RecentCommit? {
        for sequence in stride(from: position.sequence, to: max(0, position.sequence - 64), by: -1) {
            guard let commit = recentCommits[sequence] else { return nil }
            if commit.isShared(by: author) { return commit }
        }
        return nil
    }

    /// Whether no commit from a position to this version changed the role of a person, which businesses they own, or
    /// the slugs of those, nor ended a session or API token.
    package func hasSteadyRights(person: Int?, credential: Int?, after position: CommitPosition) -> Bool {
        let subjects = [person.map(RightsSubject.person), credential.map(RightsSubject.credential)]
        return !subjects.contains { $0.map { recentCommits.haveChanged($0, after: position) } ?? false }
    }

    /// Whether nothing but sessions changed from a position to this version: somebody logged in or out. False when that
    /// is not known.
    package func changedOnlySessions(since position: CommitPosition) -> Bool {
        guard let commits = commits(after: position) else { return false }
        return commits.allSatisfy { $0.changeSet?.items.allSatisfy(\.isOfSession) ?? false }
    }

    package var sequence: Int { position.sequence }

    /// See `Town.listedCategories`; counted once, since every list of businesses shows them.
    package var listedCategories: [(category: Category, count: Int)] {
        counted.withLock { known in
            let counts = known ?? town.listedCategories
            known = counts
            return counts
        }
    }
}

/// The version that the next transaction works on: the published one with the commits of the batch under way.
///
/// A transaction changes it in place. No other reference holds its maps then, so that only the first commit of a batch
/// that touches a chunk copies it. To roll back a transaction that fails after changes, the commits since an earlier
/// version are applied to that version again, which is rare.
struct WorkingVersion {
    private(set) var position: CommitPosition
    private(set) var time: CommitTime
    private var publicRevision: Int
    private var recentCommits: RecentCommits
    private var transaction: WriteTransaction
    /// The town at an earlier commit, and the changes since.
    private var base: Town
    private var sinceBase: [(change: RecordChange, at: Timestamp)] = []

    private static let redoLimit = 1000

    init(_ version: Version) {
        (position, time, publicRevision) = (version.position, version.time, version.publicRevision)
        recentCommits = version.recentCommits
        transaction = WriteTransaction(version.town)
        base = version.town
    }

    /// Runs a body at a time of the clock, and returns its changes, to be committed by an author. When it throws, its
    /// changes are rolled back.
    mutating func run<Result>(
        at now: Timestamp, by author: Author, act: CommitAct? = nil,
        _ body: (inout WriteTransaction) throws -> Result
    ) rethrows -> (result: Result, commit: Commit) {
        let sequences = transaction.town.sequences
        transaction.at = now
        do {
            let result = try body(&transaction)
            let (changes, highestIDs) = (transaction.takeChanges(), transaction.takeHighestIDs())
            if changes.isEmpty { transaction.town.sequences = sequences }
            let time = CommitTime(transaction.at, after: time)
            return (result, Commit(time: time, by: author, changes: changes, highestIDs: highestIDs, act: act))
        } catch {
            _ = transaction.takeHighestIDs()
            if transaction.changes.isEmpty { transaction.town.sequences = sequences } else { rollBack() }
            throw error
        }
    }

    mutating func append(_ commit: Commit, as position: CommitPosition, logBytes: Int) {
        let (changes, time) = (commit.changes, commit.time)
        (self.position, self.time) = (position, time)
        recentCommits.append(RecentCommit(position: position, commit, logBytes: logBytes))
        if changes.contains(where: \.isPublic) { publicRevision += 1 }
        // Applying the changes again would not record the highest IDs.
        if sinceBase.count + changes.count > Self.redoLimit || commit.highestIDs != IDSequences() {
            setBase()
        } else {
            sinceBase += changes.map { ($0, time.clock) }
        }
    }

    mutating func publish() -> Version {
        setBase()
        return Version(
            town: base, position: position, time: time, publicRevision: publicRevision,
            recentCommits: recentCommits)
    }

    var town: Town { transaction.town }

    mutating func changeIndexes(_ change: (inout Town) -> Void) { change(&transaction.town) }

    private mutating func setBase() {
        base = transaction.town
        sinceBase.removeAll(keepingCapacity: true)
    }

    /// Undoes what `run` has done and was not appended.
    mutating func rollBack() {
        transaction = WriteTransaction(base)
        for (change, at) in sinceBase {
            transaction.at = at
            transaction.apply(change.change)
        }
    }
}
