import Bytes
import Journal

/// A version of the town that is on stable storage: what readers look at.
///
/// Whoever holds one sees one whole state, however many commits follow.
public final class Version: Sendable {
    /// The town.
    public let community: Community
    /// The place of the commit that made it in the history of the town.
    public let position: CommitPosition
    /// When that commit was made.
    public let at: Timestamp
    /// Increases with every commit that may change what everybody can read. It is local to this process: a response to
    /// somebody without an account stays the same while it does.
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

    /// The commits that led from a position to this version, the oldest first.
    ///
    /// - Returns: nil when they are not in memory any more, or the position is none of this town's history: whoever asks
    ///   has to start anew with this version.
    public func commits(after position: CommitPosition) -> [RecentCommit]? { recentCommits.after(position) }

    /// The sequence number of that commit; 0 before the first.
    public var sequence: Int { position.sequence }
}
