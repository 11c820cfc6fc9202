import Bytes
import Dispatcher
import Service
import SookeModel
import Store

/// The status of a store and its server, for `sooke status`.
struct StatusReport {
    /// That of a server, if it counts connections.
    private let process: ProcessFacts
    private let version: Version
    private let statistics: StoreStatistics
    private let service: TownService
    private let readOnly: ReadOnlyState?
    private let backup: LastBackup
    private let now: Timestamp
    private let findings: [HealthFinding]
    /// Since a backup; nil for no backup.
    private let hasOnlySessions: Bool?

    init(_ call: Call, _ process: ProcessFacts, since backup: HistoryPosition?) async {
        (self.process, service, now) = (process, call.service, call.now)
        hasOnlySessions = backup.map(call.version.changedOnlySessions(since:))
        statistics = await service.store.statistics
        (version, readOnly) = (service.store.current, service.store.readOnly)
        self.backup = service.lastBackup?() ?? LastBackup()
        findings = service.findings(
            in: version.town, build: call.dispatcher.build, isServed: process.connections != nil)
    }

    private var server: ProcessFacts? { process.connections == nil ? nil : process }

    static let body = Body<StatusReport>(
        "status",
        Member("version", "The version of the program") { $0.process.version },
        Member("store", "The identity of the town's data") { $0.service.store.identity },
        Member("started_at", "When the server was started") { $0.server?.startedAt },
        Member("uptime_seconds", "Time since its start") { $0.server?.uptimeSeconds },
        Member("connections", "The number of open connections") { $0.process.connections },
        Member("resident_bytes", "The memory that it uses") { $0.server?.residentBytes },
        Member("feed", feed, "The clients that follow the changes; null without a server") {
            $0.server == nil ? nil : $0.service.feed.statistics(at: $0.version.sequence)
        },
        Member("sequence", "The sequence number of the last commit") { $0.version.sequence },
        Member("position", "Its position, for since of /changes") { "\($0.version.position)" },
        Member("changed_at", "When that was") { $0.version.sequence == 0 ? nil : $0.version.time.clock },
        Member("read_only", "Whether the town is read-only") { $0.readOnly != nil },
        Member("read_only_since", "Since when; null when it is not") { $0.readOnly?.since },
        Member("read_only_reason", "Why; null for no reason") { $0.readOnly?.reason },
        Member("records", counts, "The number of records of each kind") { $0.version.town },
        Member("log_bytes", "How long the log is") { $0.statistics.journal.logBytes },
        Member("log_bytes_since_snapshot", "The part of it that is in no snapshot") {
            $0.statistics.journal.bytesSinceSnapshot
        },
        Member("segments", "The number of files of the log") { $0.statistics.journal.segments },
        Member("snapshot_sequence", "The sequence number of the newest snapshot") {
            $0.statistics.journal.snapshotSequence
        },
        Member("snapshot_bytes", "The size of that snapshot") { $0.statistics.journal.snapshotBytes },
        Member("snapshot_at", "When it was written") { $0.statistics.journal.snapshotAt },
        Member("snapshot_age_seconds", "Time since then") { report in
            report.statistics.journal.snapshotAt.map { report.now.seconds - $0.seconds }
        },
        Member("history_first_sequence", "The first commit that is stored") { $0.statistics.journal.history.first },
        Member(
            "history_since",
            "Any time after it can be restored; null when that is the beginning of the town"
        ) { $0.statistics.journal.history.since },
        Member(
            "history_begins_by",
            "Why it begins there: beginning, days (--keep-history), size (--keep-history-size) or copy"
        ) { $0.statistics.journal.history.reason.rawValue },
        Member("history_bytes", "How large the log before and the old snapshots are") {
            $0.statistics.journal.history.bytes
        },
        Member("history_bytes_limit", "How large they may be; null when nothing is dropped") {
            $0.statistics.journal.history.limitBytes
        },
        Member("calendar_log_bytes", "How much of the log the calendars of others took in 30 days, about") {
            $0.service.calendarLog(in: $0.version.town).bytes
        },
        Member("calendar_log_bytes_limit", "How much they may; null when nothing is dropped") {
            $0.service.calendarLog(in: $0.version.town).limit
        },
        Member("commits_since_snapshot", "The number of commits that are in no snapshot") {
            $0.statistics.journal.commitsSinceSnapshot
        },
        Member("last_sync_microseconds", "The time that the disk took for the last commit") {
            Int($0.statistics.journal.lastSync / .microseconds(1))
        },
        Member(
            "only_sessions_since",
            "Whether people have only logged in or out after the position since; null without one"
        ) { $0.hasOnlySessions },
        Member("mail", "What sends e-mail, in words; null without a server") {
            $0.server == nil ? nil : $0.service.mailStatus(in: $0.version.town).text
        },
        Member("backup_at", "When a backup was last made, or found to have the town as it is") { $0.backup.at },
        Member("backup_failed_at", "When one has failed since; null for no failure") { $0.backup.failure?.at },
        Member("backup_error", "Why") { $0.backup.failure?.reason },
        Member("zone_data", "The version of the time zone data, such as 2025b; unknown when they do not say") {
            $0.service.zones.version
        },
        Member("zone_data_warning", "Why they should be updated; null for no reason") { $0.service.zoneDataWarning },
        Member("unstored_times", "How many events have new instants that wait until the town can be written") {
            $0.service.store.problems.unstoredTimes
        },
        Member("format_backup", "The file with the town before a newer disk format was first written; null for none") {
            $0.service.store.formatBackup
        },
        Member("problem", "The problem; null without one") { report in
            report.service.store.problems.text ?? report.backup.failure.map { "the last backup failed: \($0.reason)" }
        },
        Member(
            "findings", .list(HealthFinding.body.schema.name),
            "Whether all is well, in words; as the page /admin has it"
        ) { report, writer in
            writer.beginArray()
            for finding in report.findings { HealthFinding.body.write(finding, to: &writer) }
            writer.endArray()
        })

    static let counts = Body<Town>(
        "counts",
        Town.sharedKinds.filter { !$0.hasOneRecord }.map { kind in
            Member(kind.collection, "Their number") { $0.count(of: kind) }
        })

    static let feed = Body<Feed.Statistics>(
        "feed",
        Member("subscribers", "How many clients follow now") { $0.followers },
        Member("lag_commits", "The commits that the slowest of them has not taken yet") { $0.lag },
        Member("displaced", "How many lost their place to another network") { $0.displaced },
        Member("resets", "How many were sent a snapshot") { $0.resets },
        Member("revocations", "How many streams ended with the client's rights") { $0.revocations },
        Member("slow", "How many streams ended because the client was too slow") { $0.slow })
}
