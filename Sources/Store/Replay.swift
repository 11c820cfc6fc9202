import Bytes
import Journal

/// Builds the newest version from the snapshot and the commits that the journal reads at start.
struct Replay: Replayer {
    private var lines = CommunityReader()
    private var community = Community()
    private var time = CommitTime(at: Timestamp(microseconds: 0))

    /// The version at a position, without recent commits.
    func version(
        at position: CommitPosition, recentCommitBytes: Int = RecentCommits.defaultLimit
    ) -> Version {
        let recentCommits = RecentCommits(after: position, limit: recentCommitBytes)
        var community = community
        community.buildSearchIfSmall()
        return Version(community: community, position: position, time: time, recentCommits: recentCommits)
    }

    mutating func begin(_ origin: CheckedDocument.Origin?) {
        self = Replay()
        if let origin { time = CommitTime(at: origin.at, wall: origin.wall) }
    }

    mutating func snapshotLine(_ line: ArraySlice<UInt8>) throws {
        try lines.read(line)
    }

    mutating func endSnapshot() throws {
        community = try lines.finish()
        lines = CommunityReader()
    }

    mutating func commit(_ commit: LoggedCommit) throws {
        var lost: [ReferenceTarget] = []
        let before = time.at
        try Commit.read(commit.payload) { change, stated in
            // Earlier versions logged times from a clock that was set back.
            time = CommitTime(at: max(before, stated.at), wall: stated.wall)
            // Otherwise the times of records would depend on where replay starts.
            let applied = try community.apply(change, at: commit.hasBeforeImages ? time.clock : nil)
            if let target = applied.lostTarget { lost.append(target) }
        }
        for target in lost { try community.checkReferences(to: target) }
    }
}
