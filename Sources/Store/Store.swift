import Bytes
import Journal
import Platform
import SookeModel
import Synchronization

/// The single writer of the town, which publishes its newest version.
///
/// Reads use `current` to their end, without locks or waiting. Writes are transactions:
///
/// ```swift
/// let written = try await store.write(by: .local) { transaction in
///     try transaction.upsert(patch)
/// }
/// ```
///
/// The actor runs on the commit thread. The steps of a write are:
///
/// 1. The body runs on the working version. When it throws, its changes are rolled back.
/// 2. Its changes are appended as a line to the journal's batch.
/// 3. When no further command waits, the thread writes the batch and syncs it once.
/// 4. The working version is published, and all writes of the batch are acknowledged.
///
/// Commands that arrive during step 3 form the next batch. No reader sees a change that is not on stable storage.
package actor Store {
    /// The identity of the town: 32 random hexadecimal digits.
    package nonisolated let identity: String
    package nonisolated let folder: String

    nonisolated let fileSystem: any FileSystem
    package nonisolated let zones: TownZones
    nonisolated let histories = HistoryThread()
    let journal: Journal
    let options: StoreOptions
    let snapshots = SnapshotThread()
    var currentSnapshot: Task<SnapshotSummary, any Error>?
    /// Runs while there are commits that are in no snapshot, and until the next attempt after a failure.
    nonisolated let snapshotAlarm: Alarm

    private var isWaitingForRoom = false
    private let thread: ThreadExecutor
    /// Nothing may be appended to the log then.
    var isClosed = false
    /// The version with all changes, including those of the batch under way.
    var working: WorkingVersion
    /// As they are stored, the events whose instants only memory has.
    var unstoredTimes: [Event] = []
    /// The callbacks of the batch under way: each gets the error, or nil once the batch is on stable storage.
    private var waiting: [((any Error)?) -> Void] = []
    private nonisolated let published: Mutex<Version>
    nonisolated let currentProblems = Mutex(StoreProblems())
    nonisolated let currentReadOnly: Mutex<ReadOnlyState?>
    private nonisolated let currentExtent: Mutex<HistoryExtent>
    nonisolated let observer = Mutex<(@Sendable () -> Void)?>(nil)

    package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    private init(
        _ journal: sending Journal, _ version: Version, in folder: String, options: StoreOptions, thread: ThreadExecutor
    ) {
        identity = journal.identity
        zones = version.town.zones
        (self.folder, fileSystem) = (folder, journal.files)
        self.journal = journal
        currentReadOnly = Mutex(journal.readOnlyState.map(ReadOnlyState.init(json:)))
        currentExtent = Mutex(journal.statistics.history)
        self.options = options
        self.thread = thread
        snapshotAlarm = Alarm(sleep: options.sleep)
        working = WorkingVersion(version)
        published = Mutex(version)
    }

    /// Opens the store in a folder, which is created if it does not exist, and recovers all commits.
    package static func open(
        _ directory: String, fileSystem: some FileSystem = POSIXFileSystem(), options: StoreOptions
    ) throws(JournalError) -> (store: Store, report: RecoveryReport) {
        let log = RecentCommits.Log(
            directory: directory, fileSystem: fileSystem, segmentBytes: options.journal.segmentBytes)
        var replay = Replay(recentCommits: options.recentCommits, from: log)
        let (journal, report) = try Journal.open(
            directory, fileSystem: fileSystem, options: options.journal, now: options.now(), replaying: &replay)
        return (start(journal, report, replay, in: directory, options), report)
    }

    /// Opens the store in a folder that this process has created and locked.
    package static func open(_ copy: StoreFolder, options: StoreOptions) throws(JournalError) -> Store {
        let log = RecentCommits.Log(
            directory: copy.path, fileSystem: copy.files, segmentBytes: options.journal.segmentBytes)
        var replay = Replay(recentCommits: options.recentCommits, from: log)
        let (journal, report) = try Journal.open(
            copy, options: options.journal, now: options.now(), replaying: &replay)
        return start(journal, report, replay, in: copy.path, options)
    }

    private static func start(
        _ journal: sending Journal, _ report: RecoveryReport, _ replay: Replay, in folder: String,
        _ options: StoreOptions
    ) -> Store {
        let version = replay.version(at: journal.durablePosition, TownZones())
        journal.neededAfter = version.recentCommits.start.sequence
        let thread = ThreadExecutor(name: "commit")
        let noSpaceFailure = journal.noSpaceFailure
        let store = Store(journal, version, in: folder, options: options, thread: thread)
        thread.start { [weak store] in store?.assumeIsolated { $0.flush() } }
        if report.replayedCommits > 0 { store.startSnapshotAlarm(after: options.snapshotInterval) }
        if let failure = noSpaceFailure, !options.journal.readsOnly {
            store.currentProblems.withLock { $0.writes = StoreError(failure) }
            Task { await store.waitForRoom() }
        }
        return store
    }

    /// The file with the town before the disk format of this version was first written; nil when there is none.
    package nonisolated var formatBackup: String? {
        let status = try? fileSystem.openDirectory(folder).status(of: FileName.formatBackup)
        return status.map { _ in "\(folder)/\(FileName.formatBackup)" }
    }

    /// The newest version that is on stable storage.
    package nonisolated var current: Version { published.withLock { $0 } }

    /// The function is called on the commit thread and must return at once.
    package nonisolated func observe(_ observer: @escaping @Sendable () -> Void) {
        self.observer.withLock { $0 = observer }
    }

    /// How far the history reached after the last snapshot, which drops its oldest part.
    package nonisolated var historyExtent: HistoryExtent { currentExtent.withLock(\.self) }

    func publishHistoryExtent() {
        let extent = journal.statistics.history
        currentExtent.withLock { $0 = extent }
    }

    package nonisolated var problems: StoreProblems { currentProblems.withLock { $0 } }

    package nonisolated func recordDamage(_ damage: String?) {
        let now = options.now()
        currentProblems.withLock { problems in
            problems.files = damage.map { StoreProblems.Trouble($0, after: problems.files, now: now) }
        }
    }

    /// Runs a transaction and waits until its changes are on stable storage. One without changes writes nothing.
    ///
    /// - Throws: what the body throws; `StoreError` when the log cannot be written. The changes are then rolled back.
    ///   While the store is read-only, `readOnly` before the body runs.
    package func write<Result: Sendable>(
        by author: Author, act: CommitAct? = nil, _ body: @Sendable (inout WriteTransaction) throws -> Result
    ) async throws -> (result: Result, version: Version) {
        let result = try run(body, by: author, act)
        if isBatchUnderWay {
            try await withCheckedThrowingContinuation { (waiter: CheckedContinuation<Void, any Error>) in
                waiting.append { error in
                    if let error { waiter.resume(throwing: error) } else { waiter.resume() }
                }
            }
        }
        return (result, current)
    }

    /// Calls back on the commit thread when the changes are on stable storage, or with the error that the other `write`
    /// throws. It saves a task and two thread switches, which cost more than the transaction. Not called after `close`.
    ///
    /// - Parameter appended: receives the length of its line in the log, before that is on stable storage.
    package nonisolated func write<Result: Sendable>(
        by author: Author, act: CommitAct? = nil,
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result,
        appended: @escaping @Sendable (_ bytes: Int) -> Void = { _ in },
        then done: @escaping @Sendable (Swift.Result<Result, any Error>) -> Void
    ) {
        thread.enqueue {
            self.assumeIsolated { $0.begin(by: author, act, body, appended, then: done) }
        }
    }

    private func begin<Result>(
        by author: Author, _ act: CommitAct?, _ body: (inout WriteTransaction) throws -> Result,
        _ appended: (Int) -> Void,
        then done: @escaping (Swift.Result<Result, any Error>) -> Void
    ) {
        do {
            let result = try run(body, by: author, act, appended)
            if isBatchUnderWay {
                waiting.append { error in done(error.map(Swift.Result.failure) ?? .success(result)) }
            } else {
                done(.success(result))
            }
        } catch {
            done(.failure(error))
        }
    }

    /// Runs in its turn among the transactions. It changes nothing, so it also runs while the store is read-only.
    package func check(_ body: @Sendable (Town) throws -> Void) throws {
        guard !isClosed else { throw StoreError.closed }
        try body(working.town)
    }

    private func run<Result>(
        _ body: (inout WriteTransaction) throws -> Result, by author: Author, _ act: CommitAct?,
        _ appended: (Int) -> Void = { _ in }
    ) throws -> Result {
        guard !isClosed else { throw StoreError.closed }
        if let readOnly { throw StoreError.readOnly(readOnly) }
        let (result, commit) = try working.run(at: options.now(), by: author, act: act, body)
        if !commit.changes.isEmpty {
            var length = 0
            let position: CommitPosition
            do throws(StoredRecordError) {
                position = try journal.append { line throws(StoredRecordError) in
                    let start = line.count
                    commit.appendPayload(to: &line)
                    try commit.requireReadable(line[start...])
                    length = line.count - start
                }
            } catch {
                working.rollBack()
                let problem = StoreError.unreadable("\(error)")
                options.onMessage("\(problem)")
                throw problem
            }
            working.append(commit, as: position, logBytes: length)
            appended(length)
        }
        return result
    }

    /// Whether there are commits that are not on stable storage. A caller that has read them must wait for them.
    var isBatchUnderWay: Bool { working.position.sequence > current.sequence }

    func flush() {
        guard !isClosed, isBatchUnderWay else { return }
        do {
            try journal.flush(now: options.now())
            let newest = working.publish()
            published.withLock { $0 = newest }
            journal.neededAfter = newest.recentCommits.start.sequence
            currentProblems.withLock { $0.writes = nil }
            callBack(nil)
            observer.withLock(\.self)?()
            snapshotWhenDue()
        } catch {
            let problem = StoreError(error)
            currentProblems.withLock { $0.writes = problem }
            if problem.isFinal { options.onFailure(problem) }
            working = WorkingVersion(current)
            callBack(problem)
            Task { await waitForRoom() }
        }
    }

    /// Publishes the newest version with other indexes, while no commit is under way.
    func publish(_ change: (inout Town) -> Void) {
        working.changeIndexes(change)
        let newest = working.publish()
        published.withLock { $0 = newest }
    }

    /// Checks until there is room again, so that health does not depend on the next write.
    private func waitForRoom() async {
        guard !isWaitingForRoom else { return }
        isWaitingForRoom = true
        defer { isWaitingForRoom = false }
        while !isClosed, case .diskFull? = problems.writes {
            try? await Task.sleep(for: .seconds(1))
            guard !isClosed else { return }
            // First the batch under way fails: a prepared log would assign its sequence numbers again.
            flush()
            let hasRoom = journal.findRoom(now: options.now()) { options.onMessage("\($0)") }
            if hasRoom {
                currentProblems.withLock { $0.writes = nil }
                try? await settleTimes()
            }
        }
    }

    /// Runs until the store is closed or released. A moved, deleted or replaced folder is a failure (`StoreOptions`).
    package nonisolated func watchFolder() {
        // It must not need the thread of a closed store.
        Task.detached { [weak self, sleep = options.sleep] in
            while await self?.isInPlace() == true { try await sleep(Self.folderCheckInterval) }
        }
    }

    /// Reads the hours of all businesses on a thread of its own: the first question for what is open would wait.
    package nonisolated func readHours() {
        // In the order of lists, so that a scan of a list finds them close to each other in memory.
        try? Thread.start(name: "hours") { [town = current.town] in
            for business in town.listedBusinesses { _ = business.hours }
        }
    }

    private static let folderCheckInterval = Duration.seconds(1)

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

    private func callBack(_ error: (any Error)?) {
        let batch = waiting
        waiting = []
        for waiter in batch { waiter(error) }
    }

    /// Finishes pending writes, takes a snapshot, and marks the log as closed. Nothing may be written afterwards.
    ///
    /// - Throws: `StoreError` when the log cannot be finished. A failed snapshot does not count.
    package nonisolated func close() async throws {
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

package struct StoreOptions: Sendable {
    package var journal = JournalOptions()
    /// The growth of the log since the last snapshot after which the next one is taken.
    package var snapshotBytes = 64 << 20
    /// The longest time from the first commit that is in no snapshot to the next one.
    package var snapshotInterval = Duration.seconds(3600)
    var recentCommits = RecentCommits.Limits()
    package var now: @Sendable () -> Timestamp
    /// Waits before a snapshot; throws when the task is cancelled. The monotonic clock by default.
    package var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    /// Called when the disk has failed, or the folder is not in its place: the process must end without a response.
    package var onFailure: @Sendable (StoreError) -> Void
    /// For the owner of the server, each message in one line without a full stop.
    package var onMessage: @Sendable (String) -> Void = { _ in }

    package init(now: @escaping @Sendable () -> Timestamp, onFailure: @escaping @Sendable (StoreError) -> Void) {
        self.now = now
        self.onFailure = onFailure
    }
}
