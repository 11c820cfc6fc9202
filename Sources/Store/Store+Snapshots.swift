import Bytes
import Journal
import Platform
import Synchronization

package struct SnapshotSummary: Sendable {
    package let sequence: Int
    package let bytes: Int
}

extension Store {
    /// Writes a snapshot of the newest version, while transactions continue. A caller during a snapshot waits for that
    /// one; when the newest snapshot already is of that version, nothing is written.
    @discardableResult
    package func snapshot() async throws -> SnapshotSummary {
        if let currentSnapshot { return try await currentSnapshot.value }
        let task = Task { try await takeSnapshot() }
        currentSnapshot = task
        defer { currentSnapshot = nil }
        return try await task.value
    }

    /// Ensures that the last commits get into a snapshot: now, if the log has grown enough, else after the interval.
    func snapshotWhenDue() {
        startSnapshotAlarm(after: options.snapshotInterval)
        // After a failure the time of the next attempt is already set.
        guard currentSnapshot == nil, problems.snapshots == nil,
            journal.statistics.bytesSinceSnapshot >= min(options.snapshotBytes, journal.snapshotBytesAtMost)
        else { return }
        Task { try await snapshot() }
    }

    nonisolated func startSnapshotAlarm(after delay: Duration) {
        // The alarm must not keep a released store alive for an hour.
        snapshotAlarm.start(after: delay) { [weak self] in _ = try? await self?.snapshot() }
    }

    private func takeSnapshot() async throws -> SnapshotSummary {
        if isClosed { throw StoreError.closed }
        if let failure = journal.noSpaceFailure { throw StoreError.noRoomForSnapshot(failure.detail) }
        let version = current
        if let writer = journal.prepareSnapshot(at: version.time.at, wall: version.time.wall) {
            // The next commit schedules a snapshot again.
            snapshotAlarm.stop()
            do {
                let finished = try await snapshots.write(version, with: writer)
                // The next start removes files that the manifest does not list.
                if isClosed { throw StoreError.closed }
                try journal.install(finished, now: options.now())
                publishHistoryExtent()
                snapshotSucceeded(finished.sequence)
            } catch let error as JournalError {
                throw snapshotFailed(error)
            }
        }
        let statistics = journal.statistics
        return SnapshotSummary(sequence: statistics.snapshotSequence, bytes: statistics.snapshotBytes)
    }

    private func snapshotSucceeded(_ sequence: Int) {
        guard problems.snapshots != nil else { return }
        currentProblems.withLock { $0.snapshots = nil }
        options.onMessage("snapshots can be written again; the newest holds all changes up to \(sequence)")
    }

    /// Publishes why there is no snapshot, and schedules another attempt.
    private func snapshotFailed(_ failure: JournalError) -> StoreError {
        let error = StoreError(ofSnapshot: failure)
        if failure.isFatal { options.onFailure(failure.isDisplaced ? error : .failed(failure.detail)) }
        let earlier = problems.snapshots
        let trouble = StoreProblems.Trouble("\(error)", after: earlier, now: options.now())
        currentProblems.withLock { $0.snapshots = trouble }
        if earlier == nil { options.onMessage("\(error)") }
        if !isClosed {
            snapshotAlarm.stop()
            startSnapshotAlarm(after: Self.snapshotRetryDelay)
        }
        return error
    }

    static let snapshotRetryDelay = Duration.seconds(60)
}

/// Writes snapshots on a thread of its own, so that commits and responses do not wait for them. It pauses between
/// pieces, but not when the store is about to close.
actor SnapshotThread {
    private let thread = ThreadExecutor(name: "snapshot")
    private nonisolated let mustHurry = Atomic(false)

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init() {
        thread.start {}
    }

    func write(_ version: Version, with writer: SnapshotWriter) throws(JournalError) -> FinishedSnapshot {
        try writer.write { lines throws(JournalError) in
            var dutyCycle = DutyCycle()
            try version.town.forEachLine(whole: true) { line throws(JournalError) in
                let sharesDisk = !mustHurry.load(ordering: .relaxed)
                if try lines.append(line, syncsPieces: sharesDisk), sharesDisk { dutyCycle.pause() }
            }
        }
    }

    /// Ends the pauses and the syncs in between, because the store is about to close and a caller waits.
    nonisolated func hurry() {
        mustHurry.store(true, ordering: .relaxed)
    }

    nonisolated func stop() {
        thread.stop()
    }
}

package struct StoreStatistics: Sendable {
    package let journal: JournalStatistics
}

extension Store {
    package var statistics: StoreStatistics {
        StoreStatistics(journal: journal.statistics)
    }
}

/// Runs a function once after a delay, without a thread while it waits. Releasing it stops it.
final class Alarm: Sendable {
    private let sleep: @Sendable (Duration) async throws -> Void
    private let waiting = Mutex<Task<Void, Never>?>(nil)

    init(sleep: @escaping @Sendable (Duration) async throws -> Void) {
        self.sleep = sleep
    }

    deinit {
        stop()
    }

    func start(after delay: Duration, _ work: @escaping @Sendable () async -> Void) {
        waiting.withLock { waiting in
            guard waiting == nil else { return }
            // Detached, because the end of the wait must not need the thread of an actor that has stopped.
            waiting = Task.detached { [weak self, sleep] in
                try? await sleep(delay)
                if self?.hasExpired() == true { await work() }
            }
        }
    }

    func stop() {
        waiting.withLock { waiting in
            waiting?.cancel()
            waiting = nil
        }
    }

    private func hasExpired() -> Bool {
        waiting.withLock { waiting in
            guard !Task.isCancelled else { return false }
            waiting = nil
            return true
        }
    }
}
