import Bytes
import Exchange
import HTTP
import JSON
import Platform
import SookeModel

extension Command {
    private enum Action: String, CaseIterable {
        case add, list, pause, resume, accept, fetch, gone, keep, remove, check
    }

    private enum ListFormat: String, CaseIterable {
        case text, json, csv, opml
    }

    private static let path = "/api/v1/calendars"

    private static let action = Parameter.required(
        "ACTION", ValueSyntax<Action>.choice(),
        help: "add, list, pause, resume, accept, fetch, gone, keep, remove or check.")
    private static let subject = Parameter<String?>.operand(
        "ADDRESS|ID", ValueSyntax.text("an address or an ID"),
        help: "Where a calendar is, for add and check; else the ID that list shows.")
    private static let name = Parameter<String?>.optional(
        "name", "NAME", ValueSyntax.text("a name"), help: "What its events are said to come from.")
    private static let host = Parameter<String?>.optional(
        "host", "SLUG", ValueSyntax.text("a slug"), help: "The business that organizes its events.")
    private static let organizer = Parameter<String?>.optional(
        "organizer", "TEXT", ValueSyntax.text("a text"), help: "Who organizes its events, in words.")
    private static let eventType = Parameter<String?>.optional(
        "event-type", "SLUG", ValueSyntax.text("a slug"), help: "The type of events that name none.")
    private static let place = Parameter<String?>.optional(
        "place", "SLUG", ValueSyntax.text("a slug"), help: "The business where all of them happen.")
    private static let trust = Parameter<PulledCalendar.Trust?>.optional(
        "trust", "TRUST", ValueSyntax<PulledCalendar.Trust>.choice(),
        help: "Whether new events are published at once, after the first ones are accepted, or wait for an editor.")
    private static let list = Parameter<String?>.optional(
        "file", "LIST", ValueSyntax.file, help: "For add: a list of calendars, as CSV or OPML; - is standard input.")
    private static let format = Parameter.option(
        "format", "FORMAT", ValueSyntax<ListFormat>.choice(), default: "text",
        help: "For list: text for a terminal, json, or csv and opml, which add --file reads.")

    static let calendar = Command(
        name: "calendar",
        summary: "Add, list or check calendars whose events are fetched",
        discussion: [
            """
            `sooke outside` fetches them. The events of a new calendar wait until accept publishes them all; from \
            then on its new events are published at once, unless its trust is queue. fetch has one calendar, or all, \
            fetched now. Where a calendar lacks more than half of its coming events at once, nothing is withdrawn \
            until gone says that they are, or keep that they stay. remove leaves its events. check says what a \
            calendar would bring, and stores nothing.
            """,
            "The command works with or without a running server, but for fetch and check, which need one.",
        ],
        parameters: [
            Options.data, name, host, organizer, eventType, place, trust, list, format, action, subject,
        ],
        examples: [
            Example("sooke calendar check https://library.example/events.ics", "Says what would come."),
            Example(
                "sooke calendar add https://a.example/x.ics --name Library --event-type talks",
                "Has it fetched from now on."),
            Example("sooke calendar list --format opml > calendars.opml", "Writes the list for another town."),
        ]
    ) { invocation in
        let (folder, console) = (try invocation[Options.data], invocation.console)
        let (action, subject) = (try invocation[action], try invocation[subject])
        switch (action, subject) {
        case (.list, nil): try printList(try invocation[format], folder, console)
        case (.add, let address): try add(address, invocation)
        case (.check, let address?): try check(address, invocation)
        case (.fetch, nil):
            _ = try call(.post, "\(path)/fetch", invocation).send(folder, console)
            try console.print("all calendars are fetched now, as soon as `sooke outside` runs\n")
        case (_, let number?) where action != .list:
            guard let id = Int(number), id > 0 else {
                let command = "sooke calendar list\(try invocation.dataHint)"
                throw CommandError(.usage, "calendar \(action.rawValue) takes the ID that `\(command)` shows")
            }
            try change(id, action, invocation)
        case (.list, _): throw CommandError(.usage, "calendar list takes no ID")
        default:
            throw CommandError(.usage, "calendar \(action.rawValue) needs an \(action == .check ? "ADDRESS" : "ID")")
        }
    }

    /// What is only in the memory of a server.
    private static func call(
        _ method: HTTP.Method, _ target: String, body: [UInt8] = [], _ invocation: Invocation
    ) throws(CommandError) -> AdminCall {
        var call = AdminCall(method, target, body: body)
        call.needsServer = "no server runs on this folder; start one with: sooke serve\(try invocation.dataHint)"
        return call
    }

    private static func change(_ id: Int, _ action: Action, _ invocation: Invocation) throws(CommandError) {
        let target = "\(path)/\(id)"
        let request: AdminCall =
            switch action {
            case .pause, .resume:
                AdminCall(.patch, target, body: JSONWriter.object { $0.member("is_paused", action == .pause) })
            case .remove: AdminCall(.delete, target)
            case .fetch: try call(.post, target + "/fetch", invocation)
            default: AdminCall(.post, "\(target)/\(action.rawValue)")
            }
        _ = try request.send(try invocation[Options.data], invocation.console)
        try invocation.console.print("calendar \(id) \(done[action] ?? "is changed")\n")
    }

    private static let done: [Action: String] = [
        .pause: "is paused", .resume: "is fetched again", .remove: "is removed; its events stay",
        .fetch: "is fetched now, as soon as `sooke outside` runs", .accept: "is accepted; its events are published",
        .gone: "has withdrawn what it lacks", .keep: "keeps what it lacks",
    ]

    private static func add(_ address: String?, _ invocation: Invocation) throws(CommandError) {
        let (folder, console) = (try invocation[Options.data], invocation.console)
        var given = CalendarList.Row()
        for (field, text) in invocation.fields([name, host, organizer, eventType, place, trust]) { given[field] = text }
        var rows = [CalendarList.Row()]
        switch (address, try invocation[list]) {
        case (let address?, nil): rows[0]["address"] = address
        case (nil, let file?):
            guard let read = CalendarList.read(try InputFile.read(file, console)) else {
                throw CommandError(.badData, "\(file) has no calendars: it must be CSV with a column address, or OPML")
            }
            rows = read
        default: throw CommandError(.usage, "calendar add needs an ADDRESS, or --file LIST")
        }
        var refused = 0
        for row in rows {
            let members = row.merging(given) { own, _ in own }.sorted { $0.key < $1.key }
            let request = AdminCall(.post, path, members.map { (name: $0.key, value: $0.value) })
            do throws(CommandError) {
                let made = try ResponseMembers(request.send(folder, console))
                try console.print("calendar \(try made.required("id")) (\(try made.required("name"))) is added\n")
            } catch {
                if rows.count == 1 || error.code != .badData { throw error }
                console.log(.error, "\((row["name"] ?? "a calendar without a name").withoutControls): \(error.message)")
                refused += 1
            }
        }
        if refused > 0 { throw CommandError(.badData, "\(refused) of \(rows.count) calendars were not added") }
    }

    private static func printList(_ format: ListFormat, _ folder: String, _ console: Console) throws(CommandError) {
        let body = try AdminCall(.get, path).send(folder, console)
        if format == .json { return try console.print(body + [ASCII.lineFeed]) }
        let items = try ResponseMembers(body).items
        if let format = CalendarList.Format(rawValue: format.rawValue) {
            let rows = items.map { CalendarList.Row($0.texts) { first, _ in first } }
            return try console.print(CalendarList.write(rows, as: format))
        }
        for item in items {
            var state = item["last_good_at"].map { "fetched \($0)" } ?? "not fetched yet"
            if let words = item["words"] { state += ", failing since \(item["failing_since"] ?? "?"): \(words)" }
            if item["accepted_at"] == nil { state += ", waits for accept" }
            if let gone = item["gone"] { state += ", lacks \(gone) of \(item["gone_of"] ?? "?") at once" }
            if item["is_paused"] == "true" { state = "paused, " + state }
            let line = "\(try item.required("id"))  \(try item.required("name")): \(state)"
            try console.print(line.withoutControls + "\n")
        }
    }

    /// How often it looks for the answer, and how long.
    private static let (pause, looks) = (Duration.milliseconds(500), 60)

    private static func check(_ address: String, _ invocation: Invocation) throws(CommandError) {
        let (folder, console) = (try invocation[Options.data], invocation.console)
        let body = JSONWriter.object { writer in
            let fields = invocation.fields([name, host, organizer, eventType, place])
            for (field, text) in [("address", address)] + fields {
                writer.key(field)
                writer.string(text)
            }
        }
        let asked = try ResponseMembers(
            try call(.post, "/api/v1/calendar-checks", body: body, invocation).send(folder, console))
        let target = "/api/v1/calendar-checks/\(try asked.required("token"))"
        for _ in stride(from: 0, to: looks, by: 1) {
            Thread.sleep(pause)
            let found = try ResponseMembers(try call(.get, target, invocation).send(folder, console))
            if found["state"] == "done" { return try print(found, console) }
        }
        throw CommandError(.unavailable, "Nothing fetches calendars on this server: start `sooke outside --follow`")
    }

    private static func print(_ found: ResponseMembers, _ console: Console) throws(CommandError) {
        func pairs(_ left: String, _ right: String, _ middle: String) -> [String] {
            zip(found.all(left), found.all(right)).map { "  \($0)\(middle)\($1)" }
        }
        let until = found["until"].map { ", until \($0)" } ?? ""
        var lines = [found["problem"] ?? "\(Count(found.number("coming") ?? 0, "coming event"))\(until)"]
        lines += pairs("links.name", "links.address", ": ") + pairs("first.starts_local", "first.name", "  ")
        lines += found.all("left_out").map { "left out: \($0)" }
        lines += found.all("twins.name").map { "here already: \($0)" }
        try console.print(lines.map { $0.withoutControls + "\n" }.joined())
        if found["problem"] != nil { throw CommandError(.badData, "nothing would come") }
    }
}
