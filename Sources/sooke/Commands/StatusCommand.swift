import Bytes
import SookeModel
import Store

extension Command {
    private static let format = Options.format()

    static let status = Command(
        name: "status",
        summary: "Show the status of the town in a data folder",
        discussion: [
            """
            It shows what the town has, whether a server runs on the folder, when the town last changed, and the sizes \
            of the log and the snapshots. Then it says of each thing that must be right whether it is, and what to do \
            where it is not, as the page /admin does.
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
    }
}

struct StatusPage {
    private let folder: String
    private let members: ResponseMembers

    init(_ report: [UInt8], folder: String) throws(CommandError) {
        self.folder = folder
        members = try ResponseMembers(report)
    }

    var text: String {
        var parts = [("records", service), ("last change", lastChange), ("server", server)]
        if let followers = members.number("feed.subscribers") {
            let lag = members.number("feed.lag_commits") ?? 0
            let behind = lag == 0 ? "" : ", the slowest \(Count(lag, "commit")) behind"
            parts.append(("live feed", "\(Count(followers, "client"))\(behind)"))
        }
        parts += [("log", log), ("snapshot", snapshot)] + members.items.flatMap(rows)
        let lines = parts.map { name, text in
            "  \(name)\(String(repeating: " ", count: max(1, 13 - name.utf8.count)))\(text.withoutControls)\n"
        }
        return "\(folder): a town of sooke \(members["version"] ?? "")".withoutControls + "\n" + lines.joined()
    }

    private func rows(of finding: ResponseMembers) -> [(String, String)] {
        let name = (finding["name"] ?? "").split(separator: "_").joined(separator: " ")
        let state = finding["state"].map { $0 == "fine" ? "" : "\($0): " } ?? ""
        let next = [finding["advice"], finding["command"].map { "  \($0)" }].compactMap(\.self).map { ("", $0) }
        return [(name, state + (finding["text"] ?? ""))] + next
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
        guard let time = members.time("changed_at") else { return "none yet" }
        return "\(time), commit \(members["sequence"] ?? ""), position \(members["position"] ?? "")"
    }

    private var server: String {
        guard let start = members.time("started_at") else { return "none runs on this folder" }
        let uptime = FormattedNumber.duration(.seconds(members.number("uptime_seconds") ?? 0))
        let connections = Count(members.number("connections") ?? 0, "connection")
        return "runs since \(start) (\(uptime)), \(connections), \(bytes("resident_bytes")) of memory"
    }

    private var log: String {
        let all = "\(bytes("log_bytes")) in \(Count(members.number("segments") ?? 0, "segment"))"
        let calendars = members.number("calendar_log_bytes") ?? 0
        if calendars == 0 { return all }
        let most = members.number("calendar_log_bytes_limit").map { " of at most \(FormattedNumber.bytes($0))" } ?? ""
        return "\(all); calendars took \(bytes("calendar_log_bytes"))\(most) in 30 days"
    }

    private var snapshot: String {
        guard let time = members.time("snapshot_at") else { return "none yet" }
        let later = Count(members.number("commits_since_snapshot") ?? 0, "commit")
        return "\(time), \(bytes("snapshot_bytes")); \(later) since"
    }

    private func bytes(_ name: String) -> String { FormattedNumber.bytes(members.number(name) ?? 0) }
}
