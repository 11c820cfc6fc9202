import Bytes
import SookeModel
import Store

extension Command {
    private static let format = Parameter.option(
        "format", "FORMAT", ValueSyntax<OutputFormat>.choice(), default: "text",
        help: "text for a terminal; json gives one object.")

    static let status = Command(
        name: "status",
        summary: "Show the status of the town in a data folder",
        discussion: [
            """
            It shows what the town has, whether a server runs on the folder, when the town last changed, and the sizes \
            of the log, the snapshots and the history.
            """,
            """
            Any time after history_since can be restored. history_begins_by says why not an earlier one: "beginning" \
            (of the town), "days" (--keep-history), "size" (--keep-history-size) or "copy" (the folder was made \
            without it, by a restore or a repair). These are members of the object that --format json prints.
            """,
        ],
        parameters: [Options.data, format],
        examples: [
            Example("sooke status --data /var/lib/sooke", "Asks the running server, or reads the folder."),
            Example("sooke status --format json", "Prints all figures for a program."),
        ],
        exitCodes: AdminCall.exitCodesOfReading
    ) { invocation in
        let (folder, console) = (try invocation[Options.data], invocation.console)
        let format = try invocation[format]
        let report = try AdminCall(.get, "/api/v1/admin/status").send(folder, console)
        switch format {
        case .json: try console.print(report + [ASCII.lineFeed])
        case .text: try console.print(try StatusPage(report, folder: folder).text)
        }
        return .success
    }

    static let snapshot = Command(
        name: "snapshot",
        summary: "Write a snapshot now",
        discussion: [
            """
            After a snapshot the next start reads less of the log. A server writes one itself when the log has grown \
            by 64 MiB, after an hour with changes, and when it stops; `sooke serve` has options for the first two.
            """
        ],
        parameters: [Options.data],
        examples: [Example("sooke snapshot --data /var/lib/sooke", "Writes one, beside a running server or without.")]
    ) { invocation in
        try AdminCall(.post, "/api/v1/admin/snapshot").printResponse(try invocation[Options.data], invocation.console)
        return .success
    }
}

/// The status of a town as text, made of the JSON of the API.
struct StatusPage {
    private let folder: String
    private let members: ResponseMembers

    init(_ report: [UInt8], folder: String) throws(CommandError) {
        self.folder = folder
        members = try ResponseMembers(report)
    }

    private var unstored: String {
        let count = members.number("unstored_times") ?? 0
        return count == 0 ? "" : "; new times of \(Count(count, "event")) wait until the town can be written"
    }

    var text: String {
        var parts = [("records", service), ("last change", lastChange)]
        if let readOnly { parts.append(("read-only", readOnly)) }
        parts.append(("server", server))
        if let followers = members.number("feed.subscribers") {
            let lag = members.number("feed.lag_commits") ?? 0
            let behind = lag == 0 ? "" : ", the slowest \(Count(lag, "commit")) behind"
            parts.append(("live feed", "\(Count(followers, "client"))\(behind)"))
        }
        if let mail = members["mail"] { parts.append(("mail", mail)) }
        parts += [
            ("log", log), ("snapshot", snapshot), ("history", history), ("backup", backup),
            ("zone data", (members["zone_data_warning"] ?? members["zone_data"] ?? "unknown") + unstored),
        ]
        if let file = members["format_backup"] { parts.append(("way back", "\(file), for the sooke before")) }
        parts.append(("problem", members["problem"] ?? "none"))
        let lines = parts.map { name, text in
            "  \(name)\(String(repeating: " ", count: 13 - name.utf8.count))\(text.withoutControls)\n"
        }
        return "\(folder): a town of sooke \(members["version"] ?? "")".withoutControls + "\n" + lines.joined()
    }

    private var service: String {
        let order = ["businesses", "events"]
        let records = members.all(in: "records")
        if records.isEmpty { return "none" }
        let first = order.compactMap { name in records.first { $0.name == name } }
        return (first + records.filter { !order.contains($0.name) }).map { collection, text in
            let count = Int(text) ?? 0
            let kind = Town.kinds.first { $0.collection == collection }
            let name = count == 1 ? kind?.label : nil
            return "\(Count.grouped(count)) \(name ?? collection.split(separator: "_").joined(separator: " "))"
        }.joined(separator: ", ")
    }

    private var lastChange: String {
        guard let time = time("changed_at") else { return "none yet" }
        return "\(time), commit \(members["sequence"] ?? ""), position \(members["position"] ?? "")"
    }

    private var readOnly: String? {
        guard members["read_only"] == "true" else { return nil }
        return
            "since "
            + "\(time("read_only_since") ?? "an unknown time")\(members["read_only_reason"].map { ": \($0)" } ?? "")"
    }

    private var server: String {
        guard let start = time("started_at") else { return "none runs on this folder" }
        let uptime = FormattedNumber.duration(.seconds(members.number("uptime_seconds") ?? 0))
        let connections = Count(members.number("connections") ?? 0, "connection")
        return "runs since \(start) (\(uptime)), \(connections), \(bytes("resident_bytes")) of memory"
    }

    private var log: String {
        "\(bytes("log_bytes")) in \(Count(members.number("segments") ?? 0, "segment"))"
    }

    private var snapshot: String {
        guard let time = time("snapshot_at") else { return "none yet" }
        let later = Count(members.number("commits_since_snapshot") ?? 0, "commit")
        return "\(time), \(bytes("snapshot_bytes")); \(later) since"
    }

    private var history: String {
        let size =
            bytes("history_bytes")
            + (members.number("history_bytes_limit") == nil ? "" : " of at most \(bytes("history_bytes_limit"))")
        let start = time("history_since") ?? "the beginning"
        let reason =
            switch members["history_begins_by"] {
            case "days": " (by --keep-history)"
            case "size": " (by --keep-history-size)"
            case "copy": ", when the folder was restored or repaired"
            default: ""
            }
        return "since \(start)\(reason); \(size)"
    }

    private var backup: String {
        let last = time("backup_at").map { "up to date at \($0)" } ?? "none yet"
        return time("backup_failed_at").map { "failed at \($0); \(last)" } ?? last
    }

    private func bytes(_ name: String) -> String { FormattedNumber.bytes(members.number(name) ?? 0) }

    /// A time as `2026-11-25 11:40:55 UTC`, in whole seconds.
    private func time(_ name: String) -> String? {
        guard let text = members[name] else { return nil }
        guard let time = Timestamp(rfc3339: text) else { return text }
        let words = time.rfc3339.prefix(19).split(separator: "T")
        return "\(words.joined(separator: " ")) UTC"
    }
}
