import Bytes
import Journal

/// Builds the newest version from the snapshot and the commits that the journal reads at start.
struct Replay: Replayer {
    private var lines = CommunityReader()
    private var community = Community()
    private var time = CommitTime(at: Timestamp(microseconds: 0))
    private let limits: RecentCommits.Limits
    /// The commits that were replayed; nil without one, or when they have no positions.
    private(set) var recentCommits: RecentCommits?

    init(recentCommits limits: RecentCommits.Limits) {
        self.limits = limits
    }

    /// The version at a position.
    func version(at position: CommitPosition, _ recentCommits: RecentCommits) -> Version {
        var community = community
        community.buildSearchIfSmall()
        return Version(community: community, position: position, time: time, recentCommits: recentCommits)
    }

    mutating func begin(_ origin: CheckedDocument.Origin?) {
        self = Replay(recentCommits: limits)
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
        var changes: [RecordChange] = []
        let before = time.at
        try Commit.read(commit.payload) { change, stated in
            // Earlier versions logged times from a clock that was set back.
            time = CommitTime(at: max(before, stated.at), wall: stated.wall)
            // Otherwise the times of records would depend on where replay starts.
            let applied = try community.apply(change, at: commit.hasBeforeImages ? time.clock : nil)
            if let target = applied.lostTarget { lost.append(target) }
            changes.append(applied)
        }
        for target in lost { try community.checkReferences(to: target) }
        remember(changes, of: commit)
    }

    private mutating func remember(_ changes: [RecordChange], of commit: LoggedCommit) {
        guard let position = commit.position, let previous = commit.previous else { return recentCommits = nil }
        var commits = recentCommits ?? RecentCommits(after: previous, limits: limits)
        recentCommits = nil  // avoids a copy of the tree
        commits.append(RecentCommit(position: position, changes: changes, logBytes: commit.payload.count))
        recentCommits = commits
    }
}
