import Bytes
import Exchange
import JSON
import SookeModel

extension Command {
    private static let name = Parameter<String?>.optional(
        "name", "NAME", ValueSyntax.text("a name"), help: "What the town is called.")
    private static let tagline = Parameter<String?>.optional(
        "tagline", "TEXT", ValueSyntax.anyText, help: "One sentence below the name; '' for none.")
    private static let runBy = Parameter<String?>.optional(
        "run-by", "TEXT", ValueSyntax.anyText, help: "Who runs the site; '' for nothing.")
    private static let theme = Parameter<Settings.Theme?>.optional(
        "theme", "THEME", ValueSyntax<Settings.Theme>.choice(), help: "The colours of the pages.")
    private static let contact = Parameter<String?>.optional(
        "contact-email", "EMAIL", ValueSyntax.anyText,
        help: "Where people write to when something is wrong; '' for none.")
    private static let mapLink = Parameter<Settings.MapLink?>.optional(
        "map-link", "PROGRAM", ValueSyntax<Settings.MapLink>.choice(), help: "What opens directions.")
    private static let timeZone = Parameter<String?>.optional(
        "time-zone", "ZONE", ValueSyntax.timeZone, help: "The clocks of the town.")
    private static let country = Parameter<String?>.optional(
        "country", "CODE", ValueSyntax.text("a country such as IE"), help: "Where it is, by ISO 3166.")
    private static let currency = Parameter<String?>.optional(
        "currency", "CODE", ValueSyntax.text("a currency such as EUR"), help: "That of prices, by ISO 4217.")
    private static let clock = Parameter<Settings.HourCycle?>.optional(
        "clock", "HOURS", ValueSyntax<Settings.HourCycle>.choice(), help: "How many hours the clocks of pages show.")
    private static let holidays = Parameter<String?>.optional(
        "holidays", "REGION|FILE", ValueSyntax.text("a region such as CA-BC, none, or a calendar (.ics)"),
        help: "The public holidays: a region's, or those in a calendar (.ics), after whose last one they are not known."
    )
    private static let center = Parameter<Coordinates?>.optional(
        "center", "PLACE", ValueSyntax.place, help: "Where the town is: LAT,LON or a link to a map.")
    private static let isConfirmed = Parameter<Bool>.flag(
        "yes", help: "Replaces the time zone although that moves what the command lists.")

    static let town = Command(
        name: "town",
        summary: "Show or change what the town says of itself",
        discussion: [
            """
            Without options other than --data it shows the settings, and the businesses that wait for a location. \
            Another time zone moves the hours of businesses and the events without a zone of their own, which stay at \
            their times on the clocks. The command lists what moves, and changes it with --yes.
            """,
            "The command works with or without a running server.",
        ],
        parameters: [
            Options.data, name, tagline, runBy, theme, contact, mapLink, country, timeZone, currency, clock,
            holidays, center, isConfirmed,
        ],
        examples: [
            Example("sooke town", "Shows the settings."),
            Example("sooke town --name Otter --center 48.36,-123.75", "Names the town, and says where it is."),
            Example("sooke town --time-zone Europe/Dublin --holidays ireland.ics", "Moves it to Ireland."),
            Example("sooke town --country IE --currency EUR --clock 24", "Writes prices and times as there."),
        ]
    ) { invocation in
        let console = invocation.console
        let folder = try invocation[Options.data]
        let body = try changes(invocation)
        if let body {
            if let zone = try invocation[timeZone] {
                _ = try TownServer.zone(zone)
                if try !invocation[isConfirmed] { try requireNothingMoves(to: zone, folder, console) }
            }
            _ = try AdminCall(.patch, TownText.path, body: body).send(folder, console)
        }
        try console.print(TownText(folder, console).text)
    }

    private static func changes(_ invocation: Invocation) throws(CommandError) -> [UInt8]? {
        var writer = JSONWriter()
        writer.beginObject()
        let before = writer.bytes.count
        for (field, text) in invocation.fields([
            name, tagline, runBy, contact, country, timeZone, currency, theme, clock, mapLink,
        ]) {
            writer.key(field)
            if text.isEmpty { writer.null() } else { writer.string(text) }
        }
        if let center = try invocation[center] { writer.member("center", center.shapedText) }
        if let name = try invocation[holidays] { try write(holidays: name, to: &writer, invocation.console) }
        if writer.bytes.count == before { return nil }
        writer.endObject()
        return writer.bytes
    }

    /// Writes the region of that name, or the dates in the file of that name.
    private static func write(
        holidays name: String, to writer: inout JSONWriter, _ console: Console
    ) throws(CommandError) {
        var dates: [HolidayDate] = []
        if Holidays.regions.contains(name) {
            writer.member("holidays", name)
        } else {
            guard name.hasSuffix(".ics") || name == "-" else {
                throw CommandError(
                    .usage, "--holidays takes \(Holidays.regions.joinedWithOr), or a calendar (.ics), not \"\(name)\"")
            }
            let file = ImportFile(name: name, format: .icalendar, bytes: try InputFile.read(name, console))
            do throws(ImportProblems) {
                dates = try HolidayList.read(file, from: TimeSource.system.wall().civil.date.year)
            } catch {
                throw CommandError(refusing: error.findings, console, "nothing was changed")
            }
        }
        writer.objects("holiday_dates", dates) { $0.writeFields(.all, to: &$1) }
    }

    /// Throws when another zone moves something, which it lists.
    private static func requireNothingMoves(
        to zone: String, _ folder: String, _ console: Console
    ) throws(CommandError) {
        let settings = try TownText.settings(try AdminCall(.get, TownText.path).send(folder, console))
        guard let now = settings.timeZone, now != zone else { return }
        let moving = try ResponseMembers(AdminCall(.get, TownText.path + "/clock-followers").send(folder, console))
        let (businesses, events) = (moving.number("businesses") ?? 0, moving.number("series") ?? 0)
        guard businesses + events > 0 else { return }
        let names = moving.all("events").prefix(10).map { "  \($0)\n" }.joined()
        let rest = events > 10 ? "  and \(events - 10) more\n" : ""
        try console.print(
            """
            From \(now) to \(zone) these move, and keep their times on the clocks:
              the hours of \(Count(businesses, "business"))
              \(Count(events, "event"))
            \(names)\(rest)
            """)
        throw CommandError(.badData, "nothing was changed; with --yes the zone is replaced")
    }
}

struct TownText {
    static let path = "/api/v1/town"

    let text: String

    init(_ folder: String, _ console: Console) throws(CommandError) {
        let settings = try Self.settings(try AdminCall(.get, Self.path).send(folder, console))
        let waiting = try ResponseMembers(
            AdminCall(.get, "/api/v1/businesses?has_location=false&per_page=10").send(folder, console))
        let (count, names) = (waiting.number("pagination.total_items") ?? 0, waiting.items.compactMap { $0["name"] })
        let dates = settings.holidayDates
        let list = dates.last.map { "\(Count(dates.count, "date")) of a calendar; not known after \($0.date.text)" }
        let rows: [(String, String?)] = [
            ("name", settings.name.isEmpty ? nil : settings.name), ("tagline", settings.tagline),
            ("run by", settings.runBy),
            ("theme", settings.theme.rawValue),
            ("contact email", settings.contactEmail), ("map link", settings.mapLink.rawValue),
            ("country", settings.country), ("time zone", settings.timeZone), ("currency", settings.currency),
            ("clock", settings.clock?.rawValue), ("holidays", list ?? settings.holidays),
            ("center", settings.center?.shapedText),
        ]
        var text = ""
        for (name, value) in rows {
            text += name + String(repeating: " ", count: 15 - name.count) + (value ?? "-").withoutControls + "\n"
        }
        if count > 0 {
            text += "\n\(Count(count, "business")) without a location, shown at the center:\n"
            for name in names { text += "  \(name.withoutControls)\n" }
            if count > names.count { text += "  and \(count - names.count) more\n" }
        }
        self.text = text
    }

    static func settings(_ body: [UInt8]) throws(CommandError) -> Settings {
        do throws(JSONError) {
            var (reader, problems) = (JSONReader(body, limits: .trusted), FieldProblems())
            return try Patch<Settings>(from: &reader, &problems).values
        } catch {
            throw CommandError(invalidResponse: error)
        }
    }
}

extension Command {
    private enum Action: String, CaseIterable {
        case on, off
    }

    private static let action = Parameter.required("ACTION", ValueSyntax<Action>.choice(), help: "on or off.")
    private static let reason = Parameter<String?>.optional(
        "reason", "TEXT", ValueSyntax.text("a text"),
        help: "The reason, shown to people whose changes are refused; at most 200 characters.")
    private static let format = Options.format(text: "a terminal or a shell")

    static let readOnly = Command(
        name: "read-only",
        summary: "Stop all changes of a town, or accept them again",
        discussion: [
            """
            A read-only town makes no change at all, so that another database or machine can take over: each attempt \
            to change something, and each login, gets 503 with the reason. Reading goes on, also for those who are \
            logged in, and so do exports, backups and snapshots. It stays so over restarts, until `read-only off`.
            """,
            """
            `read-only on` waits until all changes that are under way are stored, and prints the position of the last \
            one, alone on a line of standard output: every change that was acknowledged is in it, and it stays the \
            same. Once more it changes nothing but the reason, if one is given, and prints the same position.
            """,
            "The command works with or without a running server.",
        ],
        parameters: [Options.data, reason, format, action],
        examples: [
            Example("sooke read-only on --reason moving", "Stops all changes, and prints the position."),
            Example("sooke read-only off", "Accepts changes again."),
        ]
    ) { invocation in
        let (folder, console) = (try invocation[Options.data], invocation.console)
        let isOn = try invocation[action] == .on
        let reason = try invocation[reason]
        if reason != nil, !isOn { throw CommandError(.usage, "read-only off takes no --reason") }
        let body = JSONWriter.object { writer in
            writer.member("read_only", isOn)
            if let reason { writer.member("reason", reason) }
        }
        let answer = try AdminCall(.put, "/api/v1/admin/read-only", body: body).send(folder, console)
        switch try invocation[format] {
        case .json: try console.print(answer + [ASCII.lineFeed])
        case .text where isOn:
            console.report(
                "sooke: the town is read-only; to accept changes again: sooke read-only off\(try invocation.dataHint)\n"
            )
            try console.print(try ResponseMembers(answer).required("position") + "\n")
        case .text: try console.print("the town accepts changes\n")
        }
    }
}
