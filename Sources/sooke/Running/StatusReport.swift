import API
import Bytes
import JSON
import Service
import SookeModel
import Store

/// The status of a store, for `sooke status`.
struct StatusReport {
    private let identity: String
    private let version: Version
    private let statistics: StoreStatistics
    private let problem: String?
    private let readOnly: ReadOnlyState?
    private let process: ProcessFacts
    private let feed: Feed.Statistics
    private let backup: LastBackup
    private let now: Timestamp

    /// - Parameters:
    ///   - process: the serving process; none, when it counts no connections.
    ///   - feed: the clients that follow its changes.
    ///   - now: the town's time.
    init(_ store: Store, _ process: ProcessFacts, _ feed: Feed.Statistics, at now: Timestamp) async {
        (self.process, self.feed, self.now) = (process, feed, now)
        identity = store.identity
        statistics = await store.statistics
        version = store.current
        problem = store.problems.text
        readOnly = store.readOnly
        backup = LastBackup(of: store.folder)
    }

    /// - Parameter onlySessions: whether nothing but sessions changed since a backup; nil for no backup.
    func json(onlySessions: Bool?) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("version", BuildInfo.version)
        writer.member("store", identity)
        let serves = process.connections != nil
        writer.member("started_at", serves ? process.startedAt.rfc3339 : nil)
        writer.member("uptime_seconds", serves ? process.uptimeSeconds : nil)
        writer.member("connections", process.connections)
        writer.member("resident_bytes", serves ? process.residentBytes : nil)
        writer.key("feed")
        if serves { write(feed, to: &writer) } else { writer.null() }
        writer.member("sequence", version.sequence)
        writer.member("position", "\(version.position)")
        writer.member("changed_at", version.sequence == 0 ? nil : version.time.clock.rfc3339)
        writer.member("read_only", readOnly != nil)
        writer.member("read_only_since", readOnly?.since?.rfc3339)
        writer.member("read_only_reason", readOnly?.reason)
        writer.key("records")
        writer.beginObject()
        for kind in Town.sharedKinds where !kind.hasOneRecord {
            writer.key(kind.collection)
            writer.int(version.town.count(of: kind))
        }
        writer.endObject()
        writer.member("log_bytes", statistics.journal.logBytes)
        writer.member("log_bytes_since_snapshot", statistics.journal.bytesSinceSnapshot)
        writer.member("segments", statistics.journal.segments)
        writer.member("snapshot_sequence", statistics.journal.snapshotSequence)
        writer.member("snapshot_bytes", statistics.journal.snapshotBytes)
        let snapshotAt = statistics.journal.snapshotAt
        writer.member("snapshot_at", snapshotAt?.rfc3339)
        writer.member("snapshot_age_seconds", snapshotAt.map { now.seconds - $0.seconds })
        let history = statistics.journal.history
        writer.member("history_first_sequence", history.first)
        writer.member("history_since", history.since?.rfc3339)
        writer.member("history_begins_by", history.reason.rawValue)
        writer.member("history_bytes", history.bytes)
        writer.member("history_bytes_limit", history.limitBytes)
        writer.member("commits_since_snapshot", statistics.journal.commitsSinceSnapshot)
        writer.member("last_sync_microseconds", Int(statistics.journal.lastSync / .microseconds(1)))
        writer.key("only_sessions_since")
        onlySessions.map { writer.bool($0) } ?? writer.null()
        writer.member("backup_at", backup.at?.rfc3339)
        writer.member("backup_failed_at", backup.failure?.at.rfc3339)
        writer.member("backup_error", backup.failure?.reason)
        writer.member("problem", problem ?? backup.failure.map { "the last backup failed: \($0.reason)" })
        writer.endObject()
        return writer.bytes
    }

    private func write(_ feed: Feed.Statistics, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("subscribers", feed.followers)
        writer.member("lag_commits", feed.lag)
        writer.member("displaced", feed.displaced)
        writer.member("resets", feed.resets)
        writer.member("revocations", feed.revocations)
        writer.member("slow", feed.slow)
        writer.endObject()
    }
}
