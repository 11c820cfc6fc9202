import Bytes

/// A version of the town that is on stable storage: what readers look at.
///
/// Whoever holds one sees one whole state, however many commits follow.
public final class Version: Sendable {
    /// The town.
    public let community: Community
    /// The sequence number of the commit that made it; 0 before the first.
    public let sequence: Int
    /// When that commit was made.
    public let at: Timestamp

    init(community: Community, sequence: Int, at: Timestamp) {
        self.community = community
        self.sequence = sequence
        self.at = at
    }
}
