import JSON
import SookeModel
import Store

/// How a store is doing, for `sooke status`.
struct StatusReport {
    private let identity: String
    private let version: Version
    private let statistics: StoreStatistics
    private let problem: String?

    init(_ store: Store) async {
        identity = store.identity
        statistics = await store.statistics
        version = store.current
        problem = store.problems.text
    }

    /// One JSON object.
    var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("version", BuildInfo.version)
        writer.member("store", identity)
        writer.member("sequence", version.sequence)
        writer.member("changed_at", version.sequence == 0 ? nil : version.at.rfc3339)
        writer.key("records")
        writer.beginObject()
        for kind in RecordKind.shared {
            writer.key(kind.collection)
            writer.int(version.community.count(of: kind))
        }
        writer.endObject()
        writer.member("log_bytes", statistics.journal.logBytes)
        writer.member("log_bytes_since_snapshot", statistics.journal.bytesSinceSnapshot)
        writer.member("segments", statistics.journal.segments)
        writer.member("snapshot_sequence", statistics.journal.snapshotSequence)
        writer.member("snapshot_bytes", statistics.journal.snapshotBytes)
        writer.member("last_sync_microseconds", Int(statistics.journal.lastSync / .microseconds(1)))
        writer.member("problem", problem)
        writer.endObject()
        return writer.bytes
    }
}
