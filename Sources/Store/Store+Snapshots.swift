import Bytes
import JSON
import Journal
import Platform
import Synchronization

/// What a snapshot came to.
public struct SnapshotSummary: Sendable {
    /// The sequence number of the last commit in it.
    public let sequence: Int
    /// How long its file is.
    public let bytes: Int

    /// `{"sequence":1200,"bytes":70311}`.
    public var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("sequence", sequence)
        writer.member("bytes", bytes)
        writer.endObject()
        return writer.bytes
    }
}

extension Store {
    /// Writes the newest version out as a snapshot, while writes go on.
    ///
    /// Whoever asks while one is under way waits for that one. When the newest snapshot is that version already,
    /// nothing is written.
    /// - Throws: `StoreError`; the log and all earlier snapshots are then as good as before.
    @discardableResult
    public func snapshot() async throws -> SnapshotSummary {
        if let snapshotUnderWay { return try await snapshotUnderWay.value }
        let task = Task { try await takeSnapshot() }
        snapshotUnderWay = task
        defer { snapshotUnderWay = nil }
        return try await task.value
    }

    /// Sees to it that what was just committed comes into a snapshot: now, when the log has grown long enough for one,
    /// else when its time comes.
    func snapshotWhenDue() {
        startSnapshotAlarm(after: options.snapshotInterval)
        // After a failure the time of the next try is set already.
        guard snapshotUnderWay == nil, problems.snapshots == nil,
            journal.statistics.bytesSinceSnapshot >= options.snapshotBytes
        else { return }
        Task { try await snapshot() }
    }

    /// Has a snapshot taken after a time, or earlier when the alarm is set already.
    nonisolated func startSnapshotAlarm(after delay: Duration) {
        // Who lets go of a store is not held to it for an hour.
        snapshotAlarm.start(after: delay) { [weak self] in _ = try? await self?.snapshot() }
    }

    private func takeSnapshot() async throws -> SnapshotSummary {
        if isClosed { throw StoreError.closed }
        if let failure = journal.missingRoom { throw StoreError.noRoomForSnapshot("\(failure)") }
        let version = current
        if let writer = journal.prepareSnapshot(at: version.at) {
            // The first commit that is not in it sets the alarm anew.
            snapshotAlarm.stop()
            do {
                let finished = try await snapshots.write(version, with: writer)
                // Left to the next start, which removes what the manifest does not name.
                if isClosed { throw StoreError.closed }
                try journal.install(finished, now: options.now())
                snapshotSucceeded(finished.sequence)
            } catch let error as SnapshotFailure {
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

    /// Publishes why there is no snapshot, and sees to it that there is another try.
    private func snapshotFailed(_ failure: SnapshotFailure) -> StoreError {
        let error = StoreError(failure)
        if case .fatal = failure.kind { options.onFailure(failure.isDisplaced ? error : .failed("\(failure)")) }
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

    /// How long a snapshot that could not be written is left alone before it is tried again.
    static let snapshotRetryDelay = Duration.seconds(60)
}

/// Writes snapshots on a thread of its own, so that neither commits nor answers wait for them. It takes its time, and
/// hurries when the store is about to close.
actor SnapshotThread {
    private let thread = ThreadExecutor(name: "snapshot")
    private nonisolated let mustHurry = Atomic(false)

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init() {
        thread.start {}
    }

    func write(_ version: Version, with writer: SnapshotWriter) throws(SnapshotFailure) -> FinishedSnapshot {
        try writer.write { lines throws(SnapshotFailure) in
            var dutyCycle = DutyCycle()
            try version.community.forEachLine(whole: true) { line throws(SnapshotFailure) in
                let isWritten = try lines.append(line)
                if isWritten, !mustHurry.load(ordering: .relaxed) { dutyCycle.pause() }
            }
        }
    }

    /// Takes no more pauses: somebody waits.
    nonisolated func hurry() {
        mustHurry.store(true, ordering: .relaxed)
    }

    nonisolated func stop() {
        thread.stop()
    }
}

/// What a store can say of itself.
public struct StoreStatistics: Sendable {
    /// The sizes and durations of its journal.
    public let journal: JournalStatistics
}

extension Store {
    /// Sizes and durations, as they are now.
    public var statistics: StoreStatistics {
        StoreStatistics(journal: journal.statistics)
    }
}
