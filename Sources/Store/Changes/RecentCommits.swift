import BTree
import Bytes
import Journal

/// A commit that is still in memory: who changed what and when, with the records before and after.
public final class RecentCommit: Sendable {
    /// Its place in the history of the town.
    public let position: CommitPosition
    /// When it was made.
    public let at: Timestamp
    /// Who made it.
    public let by: Author
    /// What it changed, in order; a record may be changed several times.
    public let changes: [RecordChange]
    /// The length of its line in the log.
    let logBytes: Int

    init(position: CommitPosition, at: Timestamp, by: Author, changes: [RecordChange], logBytes: Int) {
        (self.position, self.at, self.by, self.changes) = (position, at, by, changes)
        self.logBytes = logBytes
    }
}

/// The newest commits, as many as a number of bytes allows: what a feed of changes reads.
///
/// It is a value and a part of each version: whoever holds a version has the commits that led to it without a lock. Two
/// versions share the commits that both have.
struct RecentCommits: Sendable {
    /// By sequence number.
    private var commits = BTree<Int, RecentCommit>()
    /// The position before the first of them.
    private var start: CommitPosition
    private var bytes = 0
    private let limit: Int

    /// So much memory is used by default.
    static let defaultLimit = 16 << 20

    /// No commits; the next one follows a position.
    init(after position: CommitPosition, limit: Int = defaultLimit) {
        start = position
        self.limit = limit
    }

    /// The commits after a position, the oldest first: nothing at the newest one.
    ///
    /// - Returns: nil when they are not in memory any more, or the position is not one of this town.
    func after(_ position: CommitPosition) -> [RecentCommit]? {
        guard position == start || commits[position.sequence]?.position == position else { return nil }
        return commits.elements(from: position.sequence + 1).values
    }

    /// Appends the next commit, and drops the oldest ones beyond the limit.
    mutating func append(_ commit: RecentCommit) {
        commits.updateValue(commit, forKey: commit.position.sequence)
        bytes += Self.memory(of: commit)
        while bytes > limit, let oldest = commits.first?.value {
            commits.removeValue(forKey: oldest.position.sequence)
            bytes -= Self.memory(of: oldest)
            start = oldest.position
        }
    }

    /// About how much memory a commit takes. The records before it are in no version any more; each is about as long as
    /// the one after it, which the line has.
    static func memory(of commit: RecentCommit) -> Int { 2 * commit.logBytes + 256 }
}
