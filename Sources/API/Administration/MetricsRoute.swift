import Bytes
import Dispatcher
import HTTP
import Service
import SookeModel
import Store

/// `/metrics`: metrics for Prometheus, for super admins and for the owner of the server.
enum MetricsRoute {
    static func add(to routes: inout RouteList, facts: @escaping @Sendable () -> ProcessFacts) {
        // Not on an event loop, because the statistics of the log come from the commit thread.
        routes.add(
            .get, "/metrics", "Shows metrics in the text format of Prometheus", .metricsReader, gives: .file,
            .async { call in
                var text = Exposition()
                text.append(call.dispatcher.metrics)
                if let audit = call.service.audit { text.append(audit) }
                text.append(call.version.town)
                text.append(await call.service.store.statistics, call.version, call.service.store.problems)
                if let backup = call.service.lastBackup?() { text.append(backup) }
                text.append(call.service.feed.statistics(at: call.version.sequence))
                text.append(call.service, call.version.town)
                text.append(facts())
                text.begin("sooke_zone_data_info", .gauge, "The version of the time zone data; always 1.")
                text.sample(1, [("version", call.service.zones.version)])
                text.add(
                    "sooke_zone_data_outdated", .gauge,
                    "Whether they are more than a year old, or older than those before the start.",
                    call.service.zoneDataWarning == nil ? 0 : 1)
                return Response(
                    headers: ["Content-Type": Exposition.contentType, "Cache-Control": "no-store"], body: text.bytes)
            })
    }
}

extension Exposition {
    fileprivate mutating func append(_ requests: RequestMetrics) {
        begin("sooke_http_requests_total", .counter, "Answered requests; those that no route answered have no route.")
        for series in requests.series {
            for (status, count) in series.counts.responses {
                sample(count, [("method", series.method), ("route", series.pattern), ("status", status)])
            }
        }
        begin(
            "sooke_http_request_duration_seconds", .histogram,
            "From the whole request to its answer, without sending it.")
        for series in requests.series {
            let durations = series.counts.durations
            guard durations.counts.contains(where: { $0 > 0 }) else { continue }
            sample(durations, [("method", series.method), ("route", series.pattern)])
        }
    }

    fileprivate mutating func append(_ audit: Audit) {
        let counts = audit.counts
        add(
            "sooke_strangers_refused_total", .counter,
            "Requests for what only some may do that came without a valid token.", counts.strangersRefused)
        add("sooke_logins_failed_total", .counter, "Logins that failed or had to wait.", counts.loginsFailed)
    }

    fileprivate mutating func append(_ town: Town) {
        begin("sooke_records", .gauge, "Records in the newest version, by kind.")
        for kind in Town.kinds { sample(town.count(of: kind), [("kind", kind.name)]) }
    }

    fileprivate mutating func append(_ statistics: StoreStatistics, _ version: Version, _ problems: StoreProblems) {
        let journal = statistics.journal
        add("sooke_sequence", .gauge, "Sequence number of the newest commit on stable storage.", version.sequence)
        add("sooke_commits_total", .counter, "Commits written since the start.", journal.commits)
        add("sooke_batches_total", .counter, "Batches of commits written since the start.", journal.batches)
        begin("sooke_fsync_duration_seconds", .histogram, "Syncs of batches since the start.")
        sample(journal.syncs)
        add("sooke_log_bytes", .gauge, "Bytes of all segments of the log that are kept.", journal.logBytes)
        add("sooke_log_segments", .gauge, "Segments of the log that are kept.", journal.segments)
        add(
            "sooke_log_bytes_since_snapshot", .gauge, "Bytes of log that a start would read.",
            journal.bytesSinceSnapshot)
        add(
            "sooke_log_commits_since_snapshot", .gauge, "Commits that are in no snapshot.",
            journal.commitsSinceSnapshot)
        add("sooke_snapshot_bytes", .gauge, "Bytes of the newest snapshot; 0 for none.", journal.snapshotBytes)
        add(
            "sooke_snapshot_sequence", .gauge, "Sequence number of the newest snapshot; 0 for none.",
            journal.snapshotSequence)
        add(
            "sooke_snapshot_timestamp_seconds", .gauge,
            "When the state was reached that the newest snapshot holds; 0 for none.", journal.snapshotAt?.seconds ?? 0)
        begin("sooke_problem", .gauge, "Whether something is wrong: writes, snapshots or the files in storage.")
        sample(problems.writes == nil ? 0 : 1, [("of", "writes")])
        sample(problems.snapshots == nil ? 0 : 1, [("of", "snapshots")])
        sample(problems.files == nil ? 0 : 1, [("of", "storage")])
    }

    fileprivate mutating func append(_ backup: LastBackup) {
        add(
            "sooke_backup_timestamp_seconds", .gauge,
            "When a backup was last made, or found to have the town as it is; 0 for never.", backup.at?.seconds ?? 0)
        add("sooke_backup_failed", .gauge, "Whether a backup has failed since then.", backup.failure == nil ? 0 : 1)
    }

    fileprivate mutating func append(_ feed: Feed.Statistics) {
        add("sooke_feed_subscribers", .gauge, "Clients that follow the changes.", feed.followers)
        add("sooke_feed_lag_commits", .gauge, "Commits that the slowest of them has not taken yet.", feed.lag)
        add("sooke_feed_displaced_total", .counter, "Clients that lost their place to another network.", feed.displaced)
        add("sooke_feed_resets_total", .counter, "Clients that were sent a snapshot.", feed.resets)
        add("sooke_feed_revocations_total", .counter, "Streams that ended with the client's rights.", feed.revocations)
        add("sooke_feed_slow_total", .counter, "Streams that ended because the client was too slow.", feed.slow)
    }

    /// Of the calendars of others.
    fileprivate mutating func append(_ service: TownService, _ town: Town) {
        let calendars = town.calendars.inOrderOfID
        begin("sooke_calendars", .gauge, "Calendars that are fetched, by whether the last answer was one.")
        let paused = calendars.count { $0.isPaused }
        let failing = calendars.count { !$0.isPaused && $0.failingSince != nil }
        sample(town.calendars.count - failing - paused, [("state", "good")])
        sample(failing, [("state", "failing")])
        sample(paused, [("state", "paused")])
        begin("sooke_calendar_fetches_total", .counter, "Fetches of calendars since the start, by their end.")
        let counts = service.fetches.counts
        for outcome in FetchedAnswer.Outcome.allCases {
            sample(counts[outcome] ?? 0, [("outcome", outcome.rawValue)])
        }
        add(
            "sooke_calendar_events", .gauge, "Events that follow a calendar.",
            town.events.inOrderOfID.count { $0.value.source != nil })
        let log = service.calendarLog(in: town)
        add("sooke_calendar_log_bytes", .gauge, "Bytes of log that the calendars took in 30 days, about.", log.bytes)
    }

    fileprivate mutating func append(_ facts: ProcessFacts) {
        if let connections = facts.connections {
            add("sooke_http_connections", .gauge, "Open connections.", connections)
        }
        if let bytes = facts.residentBytes {
            add("process_resident_memory_bytes", .gauge, "Memory of the process in the machine's, in bytes.", bytes)
        }
        if let bytes = facts.freeBytes {
            add("sooke_disk_free_bytes", .gauge, "Bytes that are free on the disk of the data folder.", bytes)
        }
        begin("sooke_build_info", .gauge, "The version of the server, and the commit that it was built from; always 1.")
        sample(1, [("version", facts.version), ("commit", facts.commit ?? "")])
        begin("process_start_time_seconds", .gauge, "When the process was started, in seconds since 1970.")
        // A clock may be years ahead.
        sample(nanoseconds: min(facts.startedAt.microseconds, .max / 1_000) * 1_000)
    }
}

package struct ProcessFacts: Sendable {
    package let startedAt: Timestamp
    /// By the monotonic clock.
    package let uptimeSeconds: Int
    package let residentBytes: Int?
    /// Nil if it serves none.
    package let connections: Int?
    package let version: String
    package let commit: String?
    /// On the disk of the data folder; nil if the system does not say.
    package let freeBytes: Int?

    package init(
        startedAt: Timestamp, uptimeSeconds: Int, residentBytes: Int?, connections: Int?, version: String,
        commit: String?, freeBytes: Int?
    ) {
        (self.startedAt, self.uptimeSeconds) = (startedAt, uptimeSeconds)
        (self.residentBytes, self.connections) = (residentBytes, connections)
        (self.version, self.commit, self.freeBytes) = (version, commit, freeBytes)
    }
}

/// Writes metrics in the text format of Prometheus, version 0.0.4
/// (prometheus.io/docs/instrumenting/exposition_formats).
struct Exposition {
    enum Kind: String { case counter, gauge, histogram }

    typealias Labels = [(name: StaticString, value: String)]

    private(set) var bytes: [UInt8] = []
    private var name: StaticString = ""

    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    mutating func begin(_ name: StaticString, _ kind: Kind, _ help: StaticString) {
        self.name = name
        bytes.append(utf8: "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n")
    }

    mutating func sample(_ value: Int, _ labels: Labels = []) {
        appendName("", labels)
        bytes.append(decimal: value)
        bytes.append("\n")
    }

    mutating func sample(nanoseconds value: Int, _ labels: Labels = []) {
        appendName("", labels)
        append(seconds: value)
        bytes.append("\n")
    }

    /// The count of a bucket includes those of the buckets below it.
    mutating func sample(_ histogram: DurationHistogram, _ labels: Labels = []) {
        var total = 0
        for (index, count) in histogram.counts.enumerated() {
            total += count
            var end: [UInt8] = []
            if index < DurationHistogram.bounds.count {
                var text = Exposition()
                text.append(seconds: DurationHistogram.bounds[index])
                end = text.bytes
            } else {
                end.append("+Inf")
            }
            appendName("_bucket", labels + [("le", String(decoding: end, as: UTF8.self))])
            bytes.append(decimal: total)
            bytes.append("\n")
        }
        appendName("_sum", labels)
        append(seconds: histogram.sum)
        bytes.append("\n")
        appendName("_count", labels)
        bytes.append(decimal: total)
        bytes.append("\n")
    }

    mutating func add(_ name: StaticString, _ kind: Kind, _ help: StaticString, _ value: Int) {
        begin(name, kind, help)
        sample(value)
    }

    private mutating func appendName(_ suffix: StaticString, _ labels: Labels) {
        bytes.append(name)
        bytes.append(suffix)
        for (index, label) in labels.enumerated() {
            bytes.append(index == 0 ? "{" : ",")
            bytes.append(label.name)
            bytes.append("=\"")
            append(escaping: label.value)
            bytes.append("\"")
        }
        bytes.append(labels.isEmpty ? " " : "} ")
    }

    private mutating func append(escaping text: String) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\\"): bytes.append("\\\\")
            case UInt8(ascii: "\""): bytes.append("\\\"")
            case ASCII.lineFeed: bytes.append("\\n")
            default: bytes.append(byte)
            }
        }
    }

    /// `0.00005`, without trailing zeros.
    private mutating func append(seconds nanoseconds: Int) {
        let (seconds, rest) = max(0, nanoseconds).quotientAndRemainder(dividingBy: 1_000_000_000)
        bytes.append(decimal: seconds)
        guard rest > 0 else { return }
        bytes.append(".")
        bytes.append(decimal: rest, width: 9)
        while bytes.last == UInt8(ascii: "0") { bytes.removeLast() }
    }
}
