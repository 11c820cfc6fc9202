import Service
import SookeModel

/// The members of responses about the server and about its history.
extension Schema {
    var serverFields: [FieldDescription] {
        switch self {
        case .status: Self.statusFields
        case .counts:
            RecordKind.shared.map { FieldDescription($0.collection, .integer, use: .shown, "How many there are") }
        case .snapshot:
            [
                FieldDescription("sequence", .integer, use: .shown, "The last change that is in it"),
                FieldDescription("bytes", .integer, use: .shown, "How long it is"),
            ]
        case .change: Self.changeFields
        case .author:
            [
                FieldDescription("id", .integer, use: .shown, "The ID of the user"),
                FieldDescription("display_name", .text, use: .shown, "What others call them; null when they are gone"),
                FieldDescription("email", .text, use: .shown, "Their address, for super admins; else null"),
            ]
        case .fieldChange:
            [
                FieldDescription("field", .text, use: .shown, "Which field, as the dataset calls it"),
                FieldDescription("before", .any, use: .shown, "What it was; null when it was not there"),
                FieldDescription("after", .any, use: .shown, "What it is since"),
            ]
        case .audit: Self.auditFields
        default: []
        }
    }

    private static let statusFields = [
        FieldDescription("version", .text, use: .shown, "The version of the program"),
        FieldDescription("store", .text, use: .shown, "The identity of the town's data"),
        FieldDescription("started_at", .moment, use: .shown, "When the server was started"),
        FieldDescription("uptime_seconds", .integer, use: .shown, "How long it has served"),
        FieldDescription("connections", .integer, use: .shown, "How many clients are connected"),
        FieldDescription("resident_bytes", .integer, use: .shown, "How much memory it takes"),
        FieldDescription("sequence", .integer, use: .shown, "The sequence number of the last commit"),
        FieldDescription("changed_at", .moment, use: .shown, "When that was"),
        FieldDescription("records", .one(.counts), use: .shown, "How many records there are of each kind"),
        FieldDescription("log_bytes", .integer, use: .shown, "How long the log is"),
        FieldDescription("log_bytes_since_snapshot", .integer, use: .shown, "How much of it is in no snapshot"),
        FieldDescription("segments", .integer, use: .shown, "How many files the log is in"),
        FieldDescription("snapshot_sequence", .integer, use: .shown, "The last change in the newest snapshot"),
        FieldDescription("snapshot_bytes", .integer, use: .shown, "How long that snapshot is"),
        FieldDescription("snapshot_at", .moment, use: .shown, "When it was written"),
        FieldDescription("snapshot_age_seconds", .integer, use: .shown, "How long ago that was"),
        FieldDescription("commits_since_snapshot", .integer, use: .shown, "How many changes are in no snapshot"),
        FieldDescription("last_sync_microseconds", .integer, use: .shown, "How long the disk took for the last change"),
        FieldDescription("problem", .text, use: .shown, "What is wrong; null when nothing is"),
    ]

    private static let changeFields = [
        FieldDescription("sequence", .integer, use: .shown, "The sequence number of the commit"),
        FieldDescription("at", .moment, use: .shown, "When it was made"),
        FieldDescription("by", .oneOrText(.author), use: .shown, "Who made it; local for the owner of the server"),
        FieldDescription("action", .choice(["created", "updated", "deleted"]), use: .shown, "What it did"),
        FieldDescription("is_before_known", .flag, use: .shown, "Only false: what was before is in no file any more"),
        FieldDescription("changes", .list(.fieldChange), use: .shown, "The fields that are another since"),
    ]

    private static let auditFields = [
        FieldDescription("at", .moment, use: .shown, "When it was asked"),
        FieldDescription(
            "action", .choice(AuditEntry.Action.allCases.map(\.rawValue)), use: .shown, "What was asked for"),
        FieldDescription(
            "result", .choice(AuditEntry.Result.allCases.map(\.rawValue)), use: .shown, "What came of it"),
        FieldDescription("status", .integer, use: .shown, "The status of the answer"),
        FieldDescription("code", .text, use: .shown, "The code of the error, if it was one"),
        FieldDescription(
            "count", .integer, use: .shown, "How many further ones like it there were; absent for a line of one"),
        FieldDescription(
            "by", .any, use: .shown, "The ID of the caller; local, or null for a client without an account"),
        FieldDescription("user", .integer, use: .shown, "The ID of the account that was concerned"),
        FieldDescription("email", .text, use: .shown, "The address of that account, or of who was invited"),
        FieldDescription("grant", .integer, use: .shown, "The ID of the token, session or link"),
        FieldDescription("from", .text, use: .shown, "The address of the client, or its user on this machine"),
        FieldDescription("method", .text, use: .shown, "The method of the request"),
        FieldDescription("path", .text, use: .shown, "Its path, cut after 200 bytes"),
    ]
}
