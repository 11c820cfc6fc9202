import Bytes
import Journal

/// A published version of the town, which is on stable storage.
///
/// A reader of a version sees one consistent state, however many commits follow.
public final class Version: Sendable {
    /// The town.
    public let community: Community
    /// The position of the commit that made it.
    public let position: CommitPosition
    /// The time of that commit.
    public let at: Timestamp
    /// Increases with each commit that may change public data. It is local to this process: while it stays the same, so
    /// do responses to clients without an account.
    public let publicRevision: Int
    let recentCommits: RecentCommits

    /// - Parameter recentCommits: the commits that led to the version; nil for none.
    init(
        community: Community, position: CommitPosition, at: Timestamp, publicRevision: Int = 0,
        recentCommits: RecentCommits? = nil
    ) {
        (self.community, self.position, self.at) = (community, position, at)
        self.publicRevision = publicRevision
        self.recentCommits = recentCommits ?? RecentCommits(after: position)
    }

    /// The commits from a position to this version, the oldest first.
    ///
    /// - Returns: nil when they are no longer in memory, or the position does not belong to this town: the reader must
    ///   start anew with this version.
    public func commits(after position: CommitPosition) -> [RecentCommit]? { recentCommits.after(position) }

    /// The sequence number of that commit; 0 before the first.
    public var sequence: Int { position.sequence }
}
