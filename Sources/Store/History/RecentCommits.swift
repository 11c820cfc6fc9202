import Journal

/// The newest commits, bounded by their memory, for a feed of changes.
///
/// It is a value and a part of each version, so that a reader of a version gets the commits that led to it without a
/// lock. Versions share the commits that they have in common.
///
/// A start fills it from the end of the log, so that it contains what it contained before.
struct RecentCommits: Sendable {
    struct Limits: Sendable {
        var bytes = 16 << 20
        /// So many commits may take up to `mostBytes`.
        var commits = 1_000
        var mostBytes = 64 << 20

        func allow(_ count: Int, _ memory: Int) -> Bool {
            memory <= bytes || count <= commits && memory <= mostBytes
        }
    }

    private var commits = SortedMap<Int, RecentCommit>()
    private(set) var start: CommitPosition
    private var memory = 0
    private let limits: Limits
    private var isFull = false

    init(after position: CommitPosition, limits: Limits = Limits()) {
        start = position
        self.limits = limits
    }

    /// The oldest first; nil when they are no longer in memory, or the position does not belong to this town.
    func after(_ position: CommitPosition, limit: Int = .max) -> [RecentCommit]? {
        guard self.position(at: position.sequence) == position else { return nil }
        return commits.elements(from: position.sequence + 1).prefix(limit).map(\.value)
    }

    /// Nil when it is no longer, or not yet, in memory.
    func position(at sequence: Int) -> CommitPosition? {
        start.sequence == sequence ? start : commits[sequence]?.position
    }

    subscript(sequence: Int) -> RecentCommit? { commits[sequence] }

    func haveChanged(_ subject: RightsSubject, after position: CommitPosition) -> Bool {
        commits.elements(from: position.sequence + 1).contains { $0.value.subjects.contains(subject) }
    }

    mutating func append(_ commit: RecentCommit) {
        commits.updateValue(commit, forKey: commit.position.sequence)
        memory += commit.memory
        while !limits.allow(commits.count, memory), let oldest = commits.first?.value { drop(oldest) }
    }

    private mutating func drop(_ oldest: RecentCommit) {
        commits.removeValue(forKey: oldest.position.sequence)
        memory -= oldest.memory
        (start, isFull) = (oldest.position, true)
    }

    /// False when there is no room for the commit.
    private mutating func prepend(_ commit: RecentCommit, after previous: CommitPosition) -> Bool {
        isFull = !limits.allow(commits.count + 1, memory + commit.memory)
        if isFull { return false }
        commits.updateValue(commit, forKey: commit.position.sequence)
        memory += commit.memory
        start = previous
        return true
    }

    struct Log: Sendable {
        let directory: String
        let fileSystem: any FileSystem
        let segmentBytes: Int
    }

    /// Adds older commits from the log, as far as there is room. What is damaged or absent is left out: clients are
    /// then sent a snapshot.
    mutating func fill(from log: Log) throws(JournalError) {
        let longest = log.segmentBytes + limits.bytes + RecentCommit.longestLine
        guard !isFull, start.sequence > 0 else { return }
        do {
            var tail = try LogTail(
                log.directory, fileSystem: log.fileSystem, through: start.sequence, longestSegment: longest)
            while let commits = try tail.next(), try fill(from: commits) {}
        } catch let error as JournalError {
            if !error.isMissing, error.cause != nil { throw error }
        } catch {}
    }

    private mutating func fill(from segment: CommitReader) throws -> Bool {
        var reader = segment
        var older: [LoggedCommit] = []
        var (bytes, first) = (0, 0)
        while let commit = try reader.next() {
            guard commit.payload.count <= RecentCommit.longestLine else {
                (older, bytes, first) = ([], 0, 0)
                continue
            }
            older.append(commit.copied)
            bytes += commit.payload.count
            while bytes > limits.mostBytes {
                bytes -= older[first].payload.count
                first += 1
            }
        }
        for logged in older[first...].reversed() {
            guard logged.position == start, let commit = try RecentCommit(logged),
                prepend(commit, after: logged.previous)
            else { return false }
        }
        return !older.isEmpty
    }
}
