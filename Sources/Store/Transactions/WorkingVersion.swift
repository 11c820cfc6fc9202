import Bytes
import Journal

/// The version that the next transaction works on: the published one with the commits of the batch under way.
///
/// A transaction changes it in place. Nothing else holds its trees then, so that of all the commits of a batch only
/// the first that touches a node copies it. To take back a transaction that was refused after it had changed
/// something, the commits since an earlier version are applied to that again: few refusals come so late.
struct WorkingVersion {
    /// The place of the last commit in it.
    private(set) var position: CommitPosition
    /// When that was made.
    private(set) var at: Timestamp
    private var publicRevision: Int
    private var recentCommits: RecentCommits
    private var transaction: WriteTransaction
    /// The town as it was at some commit before, and what was changed since.
    private var base: Community
    private var sinceBase: [(change: RecordChange, at: Timestamp)] = []

    /// So many changes are applied again at most.
    private static let redoLimit = 1000

    /// The one after a published version.
    init(_ version: Version) {
        (position, at, publicRevision) = (version.position, version.at, version.publicRevision)
        recentCommits = version.recentCommits
        transaction = WriteTransaction(version.community)
        base = version.community
    }

    /// Runs the body of a transaction at a time; gives the changes, to be committed. When it throws, nothing has
    /// happened.
    mutating func run<Result>(
        at: Timestamp, _ body: (inout WriteTransaction) throws -> Result
    ) rethrows -> (result: Result, changes: [RecordChange]) {
        let sequences = transaction.community.sequences
        transaction.at = at
        do {
            let result = try body(&transaction)
            let changes = transaction.takeChanges()
            if changes.isEmpty { transaction.community.sequences = sequences }
            return (result, changes)
        } catch {
            if transaction.changes.isEmpty { transaction.community.sequences = sequences } else { takeBack() }
            throw error
        }
    }

    /// Appends a commit of the changes that `run` gave.
    mutating func commit(_ commit: RecentCommit) {
        let changes = commit.changes
        (position, at) = (commit.position, commit.at)
        recentCommits.append(commit)
        if changes.contains(where: \.isPublic) { publicRevision += 1 }
        if sinceBase.count + changes.count > Self.redoLimit {
            setBase()
        } else {
            sinceBase += changes.map { ($0, at) }
        }
    }

    /// What is published once the batch is on stable storage.
    mutating func publish() -> Version {
        setBase()
        return Version(
            community: base, position: position, at: at, publicRevision: publicRevision, recentCommits: recentCommits)
    }

    private mutating func setBase() {
        base = transaction.community
        sinceBase.removeAll(keepingCapacity: true)
    }

    private mutating func takeBack() {
        transaction = WriteTransaction(base)
        for (change, at) in sinceBase {
            transaction.at = at
            transaction.apply(change.change)
        }
    }
}
