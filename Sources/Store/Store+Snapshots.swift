import Bytes
import JSON
import Journal

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

    /// Starts a snapshot when the log has grown long enough for one.
    func snapshotWhenDue() {
        guard snapshotUnderWay == nil, journal.statistics.bytesSinceSnapshot >= options.snapshotBytes,
            ContinuousClock.now >= nextSnapshotTry
        else { return }
        Task { try await snapshot() }
    }

    private func takeSnapshot() async throws -> SnapshotSummary {
        if isClosed { throw StoreError.closed }
        let version = current
        if let writer = journal.prepareSnapshot(at: version.at) {
            do {
                let finished = try await snapshots.write(version, with: writer)
                // Left to the next start, which removes what the manifest does not name.
                if isClosed { throw StoreError.closed }
                try journal.install(finished, now: options.now())
                snapshotProblem = nil
            } catch let error as SnapshotFailure {
                nextSnapshotTry = .now + Self.snapshotRetryDelay
                snapshotProblem = "\(error)"
                if case .fatal = error.kind { options.onFailure(.failed("\(error)")) }
                throw StoreError.snapshotNotTaken("\(error)")
            }
        }
        let statistics = journal.statistics
        return SnapshotSummary(sequence: statistics.snapshotSequence, bytes: statistics.snapshotBytes)
    }

    /// How long a snapshot that could not be written is left alone before the log's length asks again.
    private static let snapshotRetryDelay = Duration.seconds(60)
}

/// Writes snapshots on a thread of its own, so that neither commits nor answers wait for them.
actor SnapshotThread {
    private let thread = CommitThread(name: "snapshot")

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init() {
        thread.start {}
    }

    func write(_ version: Version, with writer: SnapshotWriter) throws(SnapshotFailure) -> FinishedSnapshot {
        try writer.write { lines throws(SnapshotFailure) in
            try version.community.forEachLine(withNumbers: true) { line throws(SnapshotFailure) in
                try lines.append(line)
            }
        }
    }

    nonisolated func stop() {
        thread.stop()
    }
}

/// What a store can say of itself.
public struct StoreStatistics: Sendable {
    /// The sizes and durations of its journal.
    public let journal: JournalStatistics
    /// Why the last snapshot could not be written; nil when it could.
    public let snapshotProblem: String?
}

extension Store {
    /// Sizes, durations and problems, as they are now.
    public var statistics: StoreStatistics {
        StoreStatistics(journal: journal.statistics, snapshotProblem: snapshotProblem)
    }
}
