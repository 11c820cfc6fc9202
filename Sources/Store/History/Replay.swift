import Bytes
import Journal
import SookeModel

/// Builds the newest version from the snapshot and the commits that the journal reads at start.
struct Replay: Replayer {
    private var lines = TownReader()
    private(set) var town = Town()
    private var time = CommitTime(at: Timestamp.epoch)
    private let limits: RecentCommits.Limits
    private let log: RecentCommits.Log?
    private var recentCommits: RecentCommits?

    /// - Parameter log: where commits before the replayed ones are; nil reads none of them.
    init(recentCommits limits: RecentCommits.Limits, from log: RecentCommits.Log? = nil) {
        (self.limits, self.log) = (limits, log)
    }

    func version(at position: CommitPosition, _ zones: TownZones = .none) -> Version {
        let recentCommits = recentCommits ?? RecentCommits(after: position, limits: limits)
        var town = town
        town.zones = zones
        return Version(town: town, position: position, time: time, recentCommits: recentCommits)
    }

    mutating func begin(_ origin: CheckedDocument.Origin?) {
        self = Replay(recentCommits: limits, from: log)
        if let origin { time = CommitTime(at: origin.at, wall: origin.wall) }
    }

    mutating func snapshotLine(_ line: ArraySlice<UInt8>) throws {
        try lines.read(line)
    }

    mutating func endSnapshot() throws {
        town = try lines.finish()
        lines = TownReader()
    }

    mutating func commit(_ commit: LoggedCommit) throws {
        var lost: [(kind: RecordKind, slug: Slug)] = []
        var changes: [RecordChange] = []
        let before = time.at
        let read = try Commit.read(commit.payload) { change, stated in
            // Earlier versions logged times from a clock that was set back.
            time = CommitTime(at: max(before, stated.at), wall: stated.wall)
            let applied = try town.apply(change, at: time.clock)
            if let slug = applied.lostSlug { lost.append((applied.kind, slug)) }
            changes.append(applied)
        }
        town.sequences.formMaximum(read.highestIDs)
        for (kind, slug) in lost { try town.checkReferences(to: kind, slug) }
        var commits = recentCommits ?? RecentCommits(after: commit.previous, limits: limits)
        recentCommits = nil  // avoids a copy of its maps
        let replayed = Commit(time: time, by: read.by, changes: changes, highestIDs: read.highestIDs, act: read.act)
        commits.append(RecentCommit(position: commit.position, replayed, logBytes: commit.payload.count))
        recentCommits = commits
    }

    mutating func end(at position: CommitPosition) throws(JournalError) {
        guard let log else { return }
        var commits = recentCommits ?? RecentCommits(after: position, limits: limits)
        try commits.fill(from: log)
        recentCommits = commits
    }

    var clock: (at: Timestamp, wall: Timestamp?) { (time.at, time.wall) }

    func appendLines(to snapshot: inout SnapshotLines, version: Int) throws(JournalError) {
        try town.forEachLine(whole: true, format: version) { line throws(JournalError) in
            try snapshot.append(line, syncsPieces: false)
        }
    }
}

extension Town {
    /// Reads a backup as a start reads it after a restore. Nothing is written. `name` is its name in errors.
    package static func inBackup(
        _ file: String, named name: String? = nil
    ) throws(JournalError) -> (town: Town, origin: CheckedDocument.Origin) {
        var replay = Replay(recentCommits: RecentCommits.Limits())
        let origin = try FolderCopy.replay(backup: file, named: name, into: &replay)
        return (replay.town, origin)
    }

    /// Reads a data folder as a start reads it. Nothing is written, and a server may run.
    package static func inFolder(_ folder: String) throws(JournalError) -> Town {
        var replay = Replay(recentCommits: RecentCommits.Limits())
        try Journal.read(folder, into: &replay)
        return replay.town
    }
}
