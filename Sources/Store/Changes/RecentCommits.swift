import BTree
import Bytes
import Journal

/// A recent commit in memory: its author and time, and the records before and after it.
public final class RecentCommit: Sendable {
    /// Its position in the history of the town.
    public let position: CommitPosition
    /// Its time.
    public let at: Timestamp
    /// Its author.
    public let by: Author
    /// Its changes in order; a record may occur several times.
    public let changes: [RecordChange]
    /// The length of its line in the log, in bytes.
    let logBytes: Int

    init(position: CommitPosition, at: Timestamp, by: Author, changes: [RecordChange], logBytes: Int) {
        (self.position, self.at, self.by, self.changes) = (position, at, by, changes)
        self.logBytes = logBytes
    }
}

/// The newest commits, bounded by their memory, for a feed of changes.
///
/// It is a value and a part of each version, so that a reader of a version gets the commits that led to it without a
/// lock. Versions share the commits that they have in common.
struct RecentCommits: Sendable {
    /// By sequence number.
    private var commits = BTree<Int, RecentCommit>()
    /// The position before the oldest commit.
    private var start: CommitPosition
    private var bytes = 0
    private let limit: Int

    /// The default memory limit, in bytes.
    static let defaultLimit = 16 << 20

    /// No commits; the next one follows a position.
    init(after position: CommitPosition, limit: Int = defaultLimit) {
        start = position
        self.limit = limit
    }

    /// The commits after a position, the oldest first; empty for the newest position.
    ///
    /// - Returns: nil when the commits are no longer in memory, or the position does not belong to this town.
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

    /// About how much memory a commit takes. No version has its before-images any more; each is about as long as the
    /// after-image in the line.
    static func memory(of commit: RecentCommit) -> Int { 2 * commit.logBytes + 256 }
}
