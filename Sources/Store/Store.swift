import Bytes
import Journal
import Platform
import SookeModel
import Synchronization

/// The town's only writer, and the place where its newest version is published.
///
/// Reads take `current` and run to their end on it: no lock held, no waiting. Writes are transactions:
///
/// ```swift
/// let written = try await store.write(by: .local) { transaction in
///     try transaction.upsert(patch)
/// }
/// ```
///
/// The actor runs on the commit thread. The steps of a write are:
///
/// 1. The body runs on a transaction of the working version. When it throws, nothing has happened.
/// 2. Its changes become the next line of the journal's batch, and the transaction becomes the working version.
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
    private let thread: ThreadExecutor
    /// Whether the log has been finished: nothing may be added to it.
    var isClosed = false
    /// The version with all changes, those of the batch under way included.
    private var working: WorkingVersion
    /// Who waits for the batch under way: what to call with the error, or nil once it is on stable storage.
    private var waiting: [((any Error)?) -> Void] = []
    private nonisolated let published: Mutex<Version>
    nonisolated let currentProblems = Mutex(StoreProblems())

    /// Runs the actor on the commit thread.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    private init(
        _ journal: sending Journal, _ version: Version, in folder: String, options: StoreOptions, thread: ThreadExecutor
    ) {
        identity = journal.identity
        (self.folder, fileSystem) = (folder, journal.files)
        self.journal = journal
        self.options = options
        self.thread = thread
        snapshotAlarm = Alarm(sleep: options.sleep)
        working = WorkingVersion(version)
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
        return (start(journal, report, replay, in: directory, options), report)
    }

    /// Opens the store in a folder that this process has made and goes on holding.
    ///
    /// - Throws: a `JournalError` that says why the folder is of no use.
    public static func open(_ copy: HeldFolder, options: StoreOptions) throws(JournalError) -> Store {
        var replay = Replay()
        let (journal, report) = try Journal.open(
            copy, options: options.journal, now: options.now(), replaying: &replay)
        return start(journal, report, replay, in: copy.path, options)
    }

    private static func start(
        _ journal: sending Journal, _ report: RecoveryReport, _ replay: Replay, in folder: String,
        _ options: StoreOptions
    ) -> Store {
        let version = replay.version(
            at: journal.durablePosition, recentCommitBytes: options.recentCommitBytes)
        let thread = ThreadExecutor(name: "commit")
        let missingRoom = journal.missingRoom
        let store = Store(journal, version, in: folder, options: options, thread: thread)
        thread.start { [weak store] in store?.assumeIsolated { $0.flush() } }
        if report.replayedCommits > 0 { store.startSnapshotAlarm(after: options.snapshotInterval) }
        if let failure = missingRoom {
            store.currentProblems.withLock { $0.writes = StoreError(failure) }
            Task { await store.waitForRoom() }
        }
        return store
    }

    /// The newest version that is on stable storage.
    public nonisolated var current: Version { published.withLock { $0 } }

    /// What is wrong at the moment.
    public nonisolated var problems: StoreProblems { currentProblems.withLock { $0 } }

    /// Takes note of what a check of the files has found, for `problems`; nil when all was sound.
    public nonisolated func recordDamage(_ damage: String?) {
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
        by author: Author, _ body: @Sendable (inout WriteTransaction) throws -> Result
    ) async throws -> (result: Result, version: Version) {
        let result = try run(body, by: author)
        if isBatchUnderWay {
            try await withCheckedThrowingContinuation { (waiter: CheckedContinuation<Void, any Error>) in
                waiting.append { error in
                    if let error { waiter.resume(throwing: error) } else { waiter.resume() }
                }
            }
        }
        return (result, current)
    }

    /// Runs a transaction, and calls back on the commit thread when what it changed is on stable storage, or with what
    /// the other `write` throws. That spares a task and two changes of threads, which cost more than the transaction.
    ///
    /// What comes after `close` is never called back.
    public nonisolated func write<Result: Sendable>(
        by author: Author, _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result,
        then done: @escaping @Sendable (Swift.Result<Result, any Error>) -> Void
    ) {
        thread.enqueue {
            self.assumeIsolated { $0.begin(by: author, body, then: done) }
        }
    }

    private func begin<Result>(
        by author: Author, _ body: (inout WriteTransaction) throws -> Result,
        then done: @escaping (Swift.Result<Result, any Error>) -> Void
    ) {
        do {
            let result = try run(body, by: author)
            if isBatchUnderWay {
                waiting.append { error in done(error.map(Swift.Result.failure) ?? .success(result)) }
            } else {
                done(.success(result))
            }
        } catch {
            done(.failure(error))
        }
    }

    /// Runs the body of a transaction and puts what it changed into the batch.
    private func run<Result>(_ body: (inout WriteTransaction) throws -> Result, by author: Author) throws -> Result {
        guard !isClosed else { throw StoreError.closed }
        // The clock may have been set back; the times of the commits never go back.
        let at = max(options.now(), working.at)
        let (result, changes) = try working.run(at: at, body)
        if !changes.isEmpty {
            let commit = Commit(at: at, by: author, changes: changes)
            var length = 0
            let position = journal.append { line in
                let start = line.count
                commit.appendPayload(to: &line)
                length = line.count - start
            }
            working.commit(
                RecentCommit(position: position, at: at, by: author, changes: changes, logBytes: length))
        }
        return result
    }

    /// Whether there are commits that are not on stable storage: who has seen them must wait, too.
    private var isBatchUnderWay: Bool { working.position.sequence > current.sequence }

    /// Writes and syncs the batch, publishes, and answers all who waited for it.
    private func flush() {
        guard !isClosed, isBatchUnderWay else { return }
        do {
            try journal.flush(now: options.now())
            let newest = working.publish()
            published.withLock { $0 = newest }
            currentProblems.withLock { $0.writes = nil }
            answer(nil)
            snapshotWhenDue()
        } catch {
            let problem = StoreError(error)
            currentProblems.withLock { $0.writes = problem }
            if problem.isFinal { options.onFailure(problem) }
            working = WorkingVersion(current)
            answer(problem)
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
            guard !isClosed else { return }
            // What was put into the batch meanwhile is refused first: it has numbers that a folder made ready gives
            // anew.
            flush()
            let hasRoom = journal.findRoom(now: options.now()) { options.onMessage("\($0)") }
            if hasRoom { currentProblems.withLock { $0.writes = nil } }
        }
    }

    /// Makes sure from time to time that the data folder is where it was, also while nobody writes, until the store is
    /// closed or its last reference goes. A folder that was moved, deleted or replaced is a failure, see
    /// `StoreOptions`.
    public nonisolated func watchFolder() {
        // It must not need the thread of a store that has been closed.
        Task.detached { [weak self, sleep = options.sleep] in
            while await self?.isInPlace() == true { try await sleep(Self.folderCheckInterval) }
        }
    }

    private static let folderCheckInterval = Duration.seconds(1)

    /// Whether the folder is where it was, or the store closed and the question idle: then it is asked no more.
    private func isInPlace() -> Bool {
        guard !isClosed else { return false }
        do {
            try journal.requireInPlace()
            return true
        } catch {
            options.onFailure(StoreError(error))
            return false
        }
    }

    private func answer(_ error: (any Error)?) {
        let batch = waiting
        waiting = []
        for waiter in batch { waiter(error) }
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
