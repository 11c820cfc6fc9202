import Service
import SookeModel
import Store

/// The members of responses about the server and about its history.
extension Schema {
    var serverFields: [FieldDescription] {
        switch self {
        case .status: Self.statusFields
        case .counts:
            Town.sharedKinds.filter { !$0.hasOneRecord }.map {
                FieldDescription($0.collection, .integer, use: .shown, "Their number")
            }
        case .feed: Self.feedFields
        case .feedChange: Self.feedChangeFields
        case .snapshot:
            [
                FieldDescription("sequence", .integer, use: .shown, "The sequence number of the last commit in it"),
                FieldDescription("bytes", .integer, use: .shown, "How long it is"),
            ]
        case .readOnly:
            [
                FieldDescription("read_only", .flag, required: true, "Whether the town makes no changes"),
                FieldDescription("since", .moment, use: .shown, "Since when; null when it makes changes"),
                FieldDescription(
                    "reason", .text, "Why, for people; null for none. Without it the reason before stays"),
                FieldDescription(
                    "position", .text, use: .shown,
                    "The position of the last commit. Every acknowledged change is in it, and it stays the same"),
            ]
        case .importProgress:
            [
                FieldDescription("phase", .text, use: .shown, "reading, checking or writing; null when no import runs"),
                FieldDescription("done", .integer, use: .shown, "How much of the phase is done"),
                FieldDescription("total", .integer, use: .shown, "How much there is to do, in bytes or records"),
            ]
        case .change: Self.changeFields
        case .author:
            [
                FieldDescription("id", .integer, use: .shown, "The ID of the user"),
                FieldDescription(
                    "display_name", .text, use: .shown, "Their display name; null when the account was deleted"),
                FieldDescription("email", .text, use: .shown, "Their address, for super admins; else null"),
            ]
        case .fieldChange:
            [
                FieldDescription("field", .text, use: .shown, "Which field, as the dataset calls it"),
                FieldDescription("before", .any, use: .shown, "The value before; null if there was none"),
                FieldDescription("after", .any, use: .shown, "What it is since"),
            ]
        case .audit: Self.auditFields
        case .clockFollowers: Self.clockFollowerFields
        default: []
        }
    }

    private static let clockFollowerFields = [
        FieldDescription(
            "businesses", .number, use: .shown, "How many businesses have hours on the clocks of the town"),
        FieldDescription("series", .number, use: .shown, "How many events in series are on the clocks of the town"),
        FieldDescription("events", .any, use: .shown, "Their names, at most 100"),
    ]

    private static let statusFields = [
        FieldDescription("version", .text, use: .shown, "The version of the program"),
        FieldDescription("store", .text, use: .shown, "The identity of the town's data"),
        FieldDescription("started_at", .moment, use: .shown, "When the server was started"),
        FieldDescription("uptime_seconds", .integer, use: .shown, "Time since its start"),
        FieldDescription("connections", .integer, use: .shown, "The number of open connections"),
        FieldDescription("resident_bytes", .integer, use: .shown, "The memory that it uses"),
        FieldDescription(
            "feed", .one(.feed), use: .shown, "The clients that follow the changes; null without a server"),
        FieldDescription("sequence", .integer, use: .shown, "The sequence number of the last commit"),
        FieldDescription("position", .text, use: .shown, "Its position, for since of /changes"),
        FieldDescription("changed_at", .moment, use: .shown, "When that was"),
        FieldDescription("read_only", .flag, use: .shown, "Whether the town is read-only"),
        FieldDescription("read_only_since", .moment, use: .shown, "Since when; null when it is not"),
        FieldDescription("read_only_reason", .text, use: .shown, "Why; null for no reason"),
        FieldDescription("records", .one(.counts), use: .shown, "The number of records of each kind"),
        FieldDescription("log_bytes", .integer, use: .shown, "How long the log is"),
        FieldDescription("log_bytes_since_snapshot", .integer, use: .shown, "The part of it that is in no snapshot"),
        FieldDescription("segments", .integer, use: .shown, "The number of files of the log"),
        FieldDescription(
            "snapshot_sequence", .integer, use: .shown, "The sequence number of the newest snapshot"),
        FieldDescription("snapshot_bytes", .integer, use: .shown, "The size of that snapshot"),
        FieldDescription("snapshot_at", .moment, use: .shown, "When it was written"),
        FieldDescription("snapshot_age_seconds", .integer, use: .shown, "Time since then"),
        FieldDescription(
            "history_first_sequence", .integer, use: .shown, "The first commit that is stored"),
        FieldDescription(
            "history_since", .moment, use: .shown,
            "Any moment after it can be restored; null when that is the beginning of the town"),
        FieldDescription(
            "history_begins_by", .text, use: .shown,
            "Why it begins there: beginning, days (--keep-history), size (--keep-history-size) or copy"),
        FieldDescription("history_bytes", .integer, use: .shown, "How large the log before and the old snapshots are"),
        FieldDescription(
            "history_bytes_limit", .integer, use: .shown, "How large they may be; null when nothing is dropped"),
        FieldDescription(
            "commits_since_snapshot", .integer, use: .shown, "The number of commits that are in no snapshot"),
        FieldDescription(
            "last_sync_microseconds", .integer, use: .shown, "The time that the disk took for the last commit"),
        FieldDescription(
            "only_sessions_since", .flag, use: .shown,
            "Whether people have only logged in or out after the position since; null without one"),
        FieldDescription(
            "backup_at", .moment, use: .shown, "When a backup was last made, or found to have the town as it is"),
        FieldDescription("backup_failed_at", .moment, use: .shown, "When one has failed since; null for no failure"),
        FieldDescription("backup_error", .text, use: .shown, "Why"),
        FieldDescription("problem", .text, use: .shown, "The problem; null without one"),
    ]

    private static let feedFields = [
        FieldDescription("subscribers", .integer, use: .shown, "How many clients follow now"),
        FieldDescription(
            "lag_commits", .integer, use: .shown, "The commits that the slowest of them has not taken yet"),
        FieldDescription("displaced", .integer, use: .shown, "How many lost their place to another network"),
        FieldDescription("resets", .integer, use: .shown, "How many began anew with a whole version"),
        FieldDescription("revocations", .integer, use: .shown, "How many streams ended with the client's rights"),
        FieldDescription("slow", .integer, use: .shown, "How many streams ended because the client was too slow"),
    ]

    private static let feedChangeFields = [
        FieldDescription("kind", .choice(ChangeTopics.kinds.map(\.name)), use: .shown, "The kind of the record"),
        FieldDescription(
            "action", .choice(FeedEvent.Action.allCases.map(\.rawValue)), use: .shown,
            "What happened to it for this client, who may see it for the first or the last time"),
        FieldDescription("id", .integer, use: .shown, "The ID of the record"),
        FieldDescription("slug", .text, use: .shown, "Its slug; of a deleted one, the last"),
        FieldDescription("former_slug", .text, use: .shown, "Only when the slug has changed: the one before"),
        FieldDescription(
            "record", .any, use: .shown,
            "Its detail, without what depends on the clock or on other records; absent when it was deleted"),
    ]

    private static let changeFields = [
        FieldDescription("sequence", .integer, use: .shown, "The sequence number of the commit"),
        FieldDescription("at", .moment, use: .shown, "When it was made"),
        FieldDescription("by", .oneOrText(.author), use: .shown, "Who made it; local for the owner of the server"),
        FieldDescription("action", .choice(["created", "updated", "deleted"]), use: .shown, "What it did"),
        FieldDescription(
            "is_before_known", .flag, use: .shown, "Only false: the state before is no longer in any file"),
        FieldDescription("changes", .list(.fieldChange), use: .shown, "The fields that changed"),
    ]

    private static let auditFields = [
        FieldDescription("at", .moment, use: .shown, "The time of the request"),
        FieldDescription(
            "action", .choice(AuditEntry.Action.allCases.map(\.rawValue)), use: .shown, "The action"),
        FieldDescription(
            "result", .choice(AuditEntry.Result.allCases.map(\.rawValue)), use: .shown, "What came of it"),
        FieldDescription("status", .integer, use: .shown, "The status of the response"),
        FieldDescription("code", .text, use: .shown, "The code of the error, if there was one"),
        FieldDescription(
            "count", .integer, use: .shown, "The number of similar ones that followed; absent for a single one"),
        FieldDescription(
            "by", .any, use: .shown, "The ID of the caller; local, or null for a client without an account"),
        FieldDescription("user", .integer, use: .shown, "The ID of the account that was concerned"),
        FieldDescription("email", .text, use: .shown, "The address of that account, or of the invited person"),
        FieldDescription("grant", .integer, use: .shown, "The ID of the token, session or link"),
        FieldDescription("from", .text, use: .shown, "The address of the client, or its user on this machine"),
        FieldDescription("method", .text, use: .shown, "The method of the request"),
        FieldDescription("path", .text, use: .shown, "Its path, cut after 200 bytes"),
    ]
}
