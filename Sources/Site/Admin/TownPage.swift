import Bytes
import Dispatcher
import Exchange
import HTTP
import Service
import SookeModel
import Store

enum TownPage: FormPage {
    static let path = "/admin/town"
    static let access = Access.superAdmin
    static let parameters = ["done"]

    private static let moves = "moves"
    private static let mostNamed = 10

    static func page(_ view: View, _ state: FormState) throws -> WebPage {
        let settings = view.town.settings
        let fields = TownFields.all(for: settings)
        var labels = fields.map(\.field).labels
        labels[moves] = "Time zone"
        labels[TownFields.calendar] = "Calendar"
        return WebPage(
            "Settings", .task, tab: .account, topics: ["settings"],
            main: """
                \(AdminParts.head("Settings", view))<form class="form" method="post" \
                novalidate data-draft="\(view.drafts)">\
                \(state.summary(labels))\(each: fields, { field in
                    """
                    \(field.markup(state, of: settings))\(if: field.field.name == "time_zone", consent(state, view))\
                    \(if: field.field.name == "holidays", TownFields.calendar(state))
                    """
                })\(TownFields.zones(view))\(FormState.saving("Save"))</form>\(MailPage.section(view))
                """)
    }

    private static func consent(_ state: FormState, _ view: View) -> HTML {
        if state.problem(of: moves) == nil { return "" }
        let followers = TownClockFollowers(in: view.town)
        let names = followers.events.prefix(mostNamed).map(\.value.name)
        let rest = followers.events.count - names.count
        return """
            <fieldset class="merge" id="moves"><legend>Another time zone moves times</legend>\
            <p>The hours of \(Count(followers.businesses, "place").description) and \
            \(Count(followers.events.count, "event").description) stay at the same times on the clocks, and \
            so move with them.</p>\(if: !names.isEmpty, list(names, rest))\
            <label class="option"><input type="checkbox" name="moves" value="\(state.text("time_zone"))">\
            <span>Yes, move them</span></label></fieldset>
            """
    }

    private static func list(_ names: [String], _ rest: Int) -> HTML {
        """
        <ul \
        class="small">\(each: names, { "<li dir=\"auto\">\($0)</li>" })\(if: rest > 0, "<li>and \(rest) more</li>")</ul>
        """
    }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        try await TownFields.save(call, sent, TownFields.all) { changes in
            if let zone = changes["time_zone"] { try requireConsent(to: zone, call, sent) }
        }
        return .seeOther(path + "?done=saved")
    }

    /// - Throws: `FormRefusal` when another zone moves something, and nobody has agreed yet.
    private static func requireConsent(to zone: String, _ call: Call, _ sent: Submission) throws {
        let town = call.service.store.current.town
        let isKnown = zone.isEmpty || (try? call.service.zones.zone(named: zone)) != nil
        guard isKnown, town.settings.timeZone != nil, sent[moves] != zone else { return }
        let followers = TownClockFollowers(in: town)
        guard followers.businesses + followers.events.count > 0 else { return }
        throw FormRefusal(moves, "Another time zone moves hours and events. Check the box below if that is right")
    }
}

enum TownFields {
    static let name = RecordField<Settings>("name", "Name of the town", \.name)
    static let center = RecordField<Settings>(
        FormField(
            name: "center", label: "Where is it?",
            hint:
                "Paste a link from a map, or two numbers such as 48.3743, -123.7254. Places without a location are "
                + "shown there.", control: .line(help: .location)
        ),
        text: { $0.center?.shapedText ?? "" },
        set: { text, settings, problems in settings.center = PlaceText.coordinates(text, "center", &problems) })
    static let timeZone = RecordField<Settings>(
        "time_zone", "Time zone", \.timeZone,
        hint: "Type a city nearby, such as Vancouver. Opening hours and “today” follow its clocks.")
    static let currency = RecordField<Settings>(
        "currency", "Currency", \.currency, hint: "Three letters, such as EUR. Menus show its sign.")
    static let clock = RecordField<Settings>(
        FormField(
            name: "clock", label: "Clock",
            control: .choice([("", "Choose one"), ("12", "12 hours, as in 6 pm"), ("24", "24 hours, as in 18:00")])),
        text: { $0.clock?.rawValue ?? "" },
        set: { text, settings, _ in settings.clock = Settings.HourCycle(named: text) })

    static func country(of settings: Settings) -> RecordField<Settings> {
        var options = [("", "Not chosen yet")] + Country.all.map { ($0.code, $0.name) }
        if let code = settings.country, Country(code) == nil { options.append((code, code)) }
        return RecordField(
            FormField(name: "country", label: "Country", control: .choice(options)), text: { $0.country ?? "" },
            set: { text, settings, _ in settings.country = text.shown })
    }

    static func zones(_ view: View) -> HTML {
        """
        <datalist \
        id="zones">\(each: view.call.service.zones.choices, { "<option value=\"\($0)\"></option>" })</datalist>
        """
    }

    static func all(for settings: Settings) -> [RecordField<Settings>] {
        [
            name,
            RecordField("tagline", "One sentence about it", \.tagline, hint: "Below the name. You may leave it empty."),
            RecordField(
                "run_by", "Who runs this site", \.runBy, hint: "Such as “the library”. It is shown on the page About."),
            RecordField(
                FormField(
                    name: "theme", label: "Colours",
                    control: .choice(
                        Settings.Theme.allCases.map {
                            ($0.rawValue, $0.rawValue.prefix(1).uppercased() + $0.rawValue.dropFirst())
                        })), \.theme),
            RecordField(
                "contact_email", "Contact e-mail", \.contactEmail,
                hint: "Where people can reach you. It is shown on the site.", .line(type: "email")),
            RecordField("mail_name", "Sender of our e-mail", \.mailName, hint: "Without it, the name of the town."),
            RecordField(
                "mail_address", "Postal address of the sender", \.mailAddress,
                hint: "At the foot of each e-mail. The law of many countries asks for it."),
            center, country(of: settings), timeZone, currency, clock, holidays(for: settings),
            RecordField(FormField(name: "map_link", label: "What opens directions", control: .choice(maps)), \.mapLink),
            blockedLinks,
        ]
    }

    private static let blockedLinks = RecordField<Settings>(
        FormField(
            name: "blocked_links", label: "Blocked links",
            hint: "One per line, such as spam.example. Nobody can send us an event or a report with one of them.",
            control: .lines(3)),
        text: { $0.blockedLinks.joined(separator: "\n") },
        set: { text, settings, _ in
            settings.blockedLinks = text.split(at: "\n", " ").map { LinkText($0)?.address ?? $0 }
        })

    private static let maps: [(value: String, label: String)] = [
        (.openStreetMap, "OpenStreetMap"), (.google, "Google Maps"), (.apple, "Apple Maps"),
        (.geo, "The app of each device"),
    ].map { (link: Settings.MapLink, label: String) in (link.rawValue, label) }

    static func save(
        _ call: Call, _ sent: Submission, _ fields: (Settings) -> [RecordField<Settings>],
        _ check: ([String: String]) throws -> Void = { _ in }
    ) async throws {
        var sent = sent
        // As the form would show it: sent twice, it is the same.
        if let place = sent["center"].flatMap({ try? PlaceText.coordinates($0) }) {
            sent = sent.setting("center", to: place.shapedText)
        }
        if let code = sent["currency"] { sent = sent.setting("currency", to: code.uppercased()) }
        let dates = try holidayDates(sent, call)
        try await call.merge(
            sent, hasMore: dates != nil, into: \.settings, \.digest, { fields($0).texts(of: $0) }
        ) { settings, changes, context in
            if changes["name"]?.isEmpty == true { throw FormRefusal("name", "Enter the name of the town") }
            try check(changes)
            var patch = try fields(settings).patch(changes)
            if let dates {
                patch.values.holidayDates = dates
                patch.fields.insert("holiday_dates")
            }
            _ = try await call.service.run(call.service.updateSettings(PatchInput(patch), for: context), for: context)
        }
    }

    /// The choice of the dates of a calendar that was given before, and the field for the text of another one.
    private static let dated = "calendar"
    static let calendar = "holiday_calendar"

    static func calendar(_ state: FormState) -> HTML {
        let field = FormField(
            name: calendar, label: "A calendar of public holidays",
            hint: "The content of a file (.ics), such as your government publishes. It counts instead of a region.",
            control: .lines(3))
        return """
            \(field.markup(state))<label class="field" data-scripted hidden>Choose the file\
            <input type="file" accept=".ics,text/calendar" data-into="\(calendar)"></label>
            """
    }

    private static func holidayDates(_ sent: Submission, _ call: Call) throws -> [HolidayDate]? {
        guard let text = sent[calendar].shown else { return nil }
        do throws(ImportProblems) {
            let file = ImportFile(name: "line", format: .icalendar, bytes: Array(text.utf8))
            return try HolidayList.read(file, from: call.now.civil.date.year)
        } catch {
            throw FormRefusal(calendar, "We could not use this calendar: \(error.all.first.map { "\($0)" } ?? "")")
        }
    }

    /// The public holidays: those of a region, or of a calendar while the town has one.
    static func holidays(for settings: Settings, in country: String? = nil) -> RecordField<Settings> {
        let isInCanada = country ?? settings.country ?? Country.canada == Country.canada
        let known = Holidays.regions.filter { isInCanada || $0 == "none" || $0 == settings.holidays }
        var options = known.map { ($0, Holidays.title(of: $0)) }
        if let last = settings.holidayDates.last {
            options.insert((dated, "A calendar, known until \(last.date.text)"), at: 0)
        } else if settings.holidays == nil || country != nil {
            options.insert(("", isInCanada ? "Choose one" : "Those of the calendar below"), at: 0)
        }
        return RecordField(
            FormField(
                name: "holidays", label: "Public holidays", hint: "Places may have other hours then.",
                control: .choice(options)),
            sets: ["holidays", "holiday_dates"], text: { $0.holidayDates.isEmpty ? $0.holidays ?? "" : dated },
            set: { text, settings, problems in
                if text == dated {
                    return problems.add("holidays", "The calendar was replaced by those of a region. Choose a region")
                }
                settings.holidays = text.shown
            })
    }
}
