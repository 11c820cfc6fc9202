import Bytes
import Journal

/// Builds the newest version from what the journal reads back at start.
struct Replay: Replayer {
    private var lines = CommunityReader()
    private var community = Community()
    private var at = Timestamp(microseconds: 0)

    /// What has been read, which is the state at a position; no commit is recent yet.
    func version(
        at position: CommitPosition, recentCommitBytes: Int = RecentCommits.defaultLimit
    ) -> Version {
        let recentCommits = RecentCommits(after: position, limit: recentCommitBytes)
        return Version(community: community, position: position, at: at, recentCommits: recentCommits)
    }

    mutating func begin(_ origin: CheckedDocument.Origin?) {
        self = Replay()
        if let origin { at = origin.at }
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
        let before = at
        try Commit.read(commit.payload) { change, stated in
            // Earlier versions wrote down what a clock said that was set back.
            at = max(before, stated)
            // Else the times would depend on how far back the log is read that is replayed.
            let applied = try community.apply(change, at: commit.hasBeforeImages ? at : nil)
            if let target = applied.lostTarget { lost.append(target) }
        }
        for target in lost { try community.checkReferences(to: target) }
    }
}
