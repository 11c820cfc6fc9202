import Bytes
import Service

extension Command {
    private static let limit = Parameter.option(
        "limit", "COUNT", ValueSyntax.count(of: "entries", in: 1...1_000), default: "20", help: "How many entries.")
    private static let onlyPeople = Parameter.flag(
        "people", help: "Leaves out what clients without an account have tried.")
    private static let format = Options.format()

    static let audit = Command(
        name: "audit",
        summary: "Show who logged in, was refused or changed accounts",
        discussion: [
            """
            It shows the newest entries of the audit, the newest first: logins and logouts, refusals, and what was \
            done with accounts, tokens, links and the whole town. `sooke changes` shows what changed in the town. It \
            works with or without a running server.
            """
        ],
        parameters: [Options.data, limit, onlyPeople, format],
        examples: [
            Example("sooke audit --data /var/lib/sooke --people", "Shows what people with an account did last."),
            Example("sooke audit --limit 1000 --format json", "Prints all that is known of them for a program."),
        ],
        exitCodes: AdminCall.exitCodesOfReading
    ) { invocation in
        let (folder, console) = (try invocation[Options.data], invocation.console)
        let target = "\(AuditEntry.path)?limit=\(try invocation[limit])&strangers=\(try !invocation[onlyPeople])"
        let entries = try AdminCall(.get, target).send(folder, console)
        if try invocation[format] == .json {
            try console.print(entries + [ASCII.lineFeed])
            return
        }
        let people = try accounts(in: folder, console).map { (id: $0["id"] ?? "", email: $0["email"] ?? "") }
        for entry in try ResponseMembers(entries).items {
            let author = people.first { $0.id == entry["by"] }?.email
            try console.print(line(of: entry, by: author).withoutControls + "\n")
        }
    }

    /// `2026-11-25 11:40:55 UTC  login ok  by ada@town.example, from 192.0.2.1`
    private static func line(of entry: ResponseMembers, by email: String?) -> String {
        let id = entry["by"].map { $0 == "local" ? "the owner of the server" : "account \($0), removed since" }
        let facts = [("email", "account"), ("from", "from"), ("path", "at"), ("count", "times")].map { name, noun in
            entry[name].map { ", \(noun) \($0)" } ?? ""
        }
        let action = (entry["action"] ?? "").split(separator: "_").joined(separator: " ")
        return "\(entry.time("at") ?? "")  \(action) \(entry["result"] ?? "")  by "
            + (email ?? id ?? "nobody with an account") + facts.joined()
    }
}
