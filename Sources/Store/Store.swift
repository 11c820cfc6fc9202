import Bytes
import Journal
import SookeModel
import Synchronization

/// The town's only writer, and the place where its newest version is published.
///
/// Reads take `current` and run to their end on it: no lock held, no waiting. Writes are transactions:
///
/// ```swift
/// let written = try await store.write(by: .local) { edit in
///     try edit.upsert(patch)
/// }
/// ```
///
/// The actor runs on the commit thread. The steps of a write are:
///
/// 1. The body runs on an edit of the working version. When it throws, nothing has happened.
/// 2. Its changes become the next line of the journal's batch, and the edit becomes the working version.
/// 3. When no further command waits, the thread writes the batch and syncs it once.
/// 4. The working version is published, and all who waited for the batch are answered.
///
/// Commands that arrive during step 3 make up the next batch. Nobody sees a change that is not on stable storage.
public actor Store {
    /// The identity of the town: 32 hexadecimal digits, drawn when it was made.
    public nonisolated let identity: String
    /// The path of its data folder.
    public nonisolated let folder: String

    nonisolated let fileSystem: any FileSystem
    nonisolated let histories = HistoryThread()
    let journal: Journal
    let options: StoreOptions
    let snapshots = SnapshotThread()
    /// The snapshot that is being written.
    var snapshotUnderWay: Task<SnapshotSummary, any Error>?
    /// Runs while there are commits that are in no snapshot, and to the next try after one that failed.
    nonisolated let snapshotAlarm: Alarm

    private var isWaitingForRoom = false
    private let thread: CommitThread
    /// Whether the log has been finished: nothing may be added to it.
    var isClosed = false
    /// The version with all changes, those of the batch under way included.
    private var working: Version
    /// Who waits for the batch under way.
    private var waiting: [CheckedContinuation<Void, any Error>] = []
    private nonisolated let published: Mutex<Version>
    nonisolated let currentProblems = Mutex(StoreProblems())

    /// Runs the actor on the commit thread.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    private init(
        _ journal: sending Journal, _ version: Version, in folder: String, fileSystem: any FileSystem,
        options: StoreOptions, thread: CommitThread
    ) {
        identity = journal.identity
        (self.folder, self.fileSystem) = (folder, fileSystem)
        self.journal = journal
        self.options = options
        self.thread = thread
        snapshotAlarm = Alarm(sleep: options.sleep)
        working = version
        published = Mutex(version)
    }

    /// Opens the store in a folder, which is made when it is not there, and brings back all that was committed.
    ///
    /// - Returns: the store, and what recovery found and did.
    /// - Throws: a `JournalError` that says what is wrong with the folder and what to do next.
    public static func open(
        _ directory: String, fileSystem: some FileSystem = POSIXFileSystem(), options: StoreOptions
    ) throws(JournalError) -> (store: Store, report: RecoveryReport) {
        var replay = Replay()
        let (journal, report) = try Journal.open(
            directory, fileSystem: fileSystem, options: options.journal, now: options.now(), replaying: &replay)
        let thread = CommitThread(name: "commit")
        let store = Store(
            journal, replay.version, in: directory, fileSystem: fileSystem, options: options, thread: thread)
        thread.start { [weak store] in store?.assumeIsolated { $0.flush() } }
        if report.replayedCommits > 0 { store.startSnapshotAlarm(after: options.snapshotInterval) }
        return (store, report)
    }

    /// The newest version that is on stable storage.
    public nonisolated var current: Version { published.withLock { $0 } }

    /// What is wrong at the moment.
    public nonisolated var problems: StoreProblems { currentProblems.withLock { $0 } }

    /// Takes note of what a check of the files has found, for `problems`; nil when all was sound.
    public nonisolated func note(damage: String?) {
        let now = options.now()
        currentProblems.withLock { problems in
            problems.files = damage.map { StoreProblems.Trouble($0, after: problems.files, now: now) }
        }
    }

    /// Runs a transaction and waits until what it changed is on stable storage.
    ///
    /// A transaction that changes nothing writes nothing.
    /// - Throws: what the body throws; `StoreError` when the log cannot take the change, of which then nothing remains.
    public func write<Result: Sendable>(
        by author: Author, _ body: @Sendable (inout Edit) throws -> Result
    ) async throws -> (result: Result, version: Version) {
        guard !isClosed else { throw StoreError.closed }
        var edit = Edit(working.community)
        let result = try body(&edit)
        if !edit.changes.isEmpty { append(edit, by: author) }
        let version = working
        if version.sequence > current.sequence {
            try await withCheckedThrowingContinuation { waiting.append($0) }
        }
        return (result, version)
    }

    private func append(_ edit: Edit, by author: Author) {
        let commit = Commit(at: options.now(), by: author, changes: edit.changes)
        let sequence = journal.append(commit.payload)
        working = Version(community: edit.community, sequence: sequence, at: commit.at)
    }

    /// Writes and syncs the batch, publishes, and answers all who waited for it.
    private func flush() {
        guard !isClosed, working.sequence > current.sequence else { return }
        do {
            try journal.flush(now: options.now())
            let newest = working
            published.withLock { $0 = newest }
            currentProblems.withLock { $0.writes = nil }
            answer(.success(()))
            snapshotWhenDue()
        } catch {
            let problem = StoreError(error)
            currentProblems.withLock { $0.writes = problem }
            if case .failed = problem { options.onFailure(problem) }
            working = current
            answer(.failure(problem))
            Task { await waitForRoom() }
        }
    }

    /// Finds out when there is room again, so that health does not depend on somebody trying to write.
    private func waitForRoom() async {
        guard !isWaitingForRoom else { return }
        isWaitingForRoom = true
        defer { isWaitingForRoom = false }
        while !isClosed, case .diskFull? = problems.writes {
            try? await Task.sleep(for: .seconds(1))
            if !isClosed, journal.hasRoom() { currentProblems.withLock { $0.writes = nil } }
        }
    }

    private func answer(_ result: Result<Void, any Error>) {
        let batch = waiting
        waiting.removeAll(keepingCapacity: true)
        for waiter in batch { waiter.resume(with: result) }
    }

    /// Stops: writes what was asked for, takes a snapshot, and says on disk that the store was closed.
    ///
    /// Nothing may be written afterwards.
    /// - Throws: `StoreError` when the log cannot be finished. A snapshot that cannot be written is no such case.
    public nonisolated func close() async throws {
        defer {
            snapshots.stop()
            histories.stop()
            thread.stop()
        }
        snapshots.hurry()
        try await finish()
    }

    func finish() async throws {
        _ = try? await snapshot()
        flush()
        isClosed = true
        snapshotAlarm.stop()
        do {
            try journal.close(now: options.now())
        } catch {
            throw StoreError(error)
        }
    }
}
