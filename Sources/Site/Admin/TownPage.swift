import Bytes
import Dispatcher
import HTTP
import Service
import SookeModel
import Store

/// `/admin/town`: what the town says of itself, and what its clocks and pages follow.
enum TownPage: FormPage {
    static let path = "/admin/town"
    static let access = Access.superAdmin
    static let parameters = ["done"]

    /// The box by which somebody agrees that another time zone moves times.
    private static let moves = "moves"
    private static let mostNamed = 10

    static func page(_ view: View, _ state: FormState) throws -> WebPage {
        let settings = view.town.settings
        let fields = TownFields.all(for: settings)
        var labels = fields.map(\.field).labels
        labels[moves] = "Time zone"
        return WebPage(
            "Settings", .task, tab: .account, topics: ["settings"],
            main: """
                \(AdminParts.head("Settings", view))<form class="form" method="post" data-draft="\(view.drafts)">\
                \(state.summary(labels))\(each: fields, { field in
                    """
                    \(field.markup(state, of: settings))\(if: field.field.name == "time_zone", consent(state, view))
                    """
                })\(FormState.saving("Save"))</form>
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

/// `/admin/start`: what a new town needs before its first place: one form.
enum StartPage: FormPage {
    static let path = "/admin/start"
    static let access = Access.superAdmin

    private static let terms = "terms"

    private static func fields(_ settings: Settings, _ zone: String) -> [RecordField<Settings>] {
        let others = [TownFields.name, TownFields.timeZone, TownFields.holidays(for: settings), TownFields.center]
        return others.map { field in
            // What the clocks follow already.
            field.field.name == "time_zone" ? field.proposing(zone) : field
        }
    }

    static func page(_ view: View, _ state: FormState) throws -> WebPage {
        let settings = view.town.settings
        let fields = fields(settings, view.words.zone.name)
        let hasTerms = view.town.count(of: .category) > 0
        return WebPage(
            "Your town", .task, tab: .account,
            main: """
                <section class="head"><h1>Your town</h1><p>You are in. Say where this is, then add the first place. \
                You can change all of it later.</p></section>\
                <form class="form" method="post">\(state.summary(fields.map(\.field).labels))\
                \(each: fields, { $0.markup(state, of: settings) })\
                \(if: !hasTerms, box(state))<div class="actions"><button>Continue</button></div></form>
                """)
    }

    private static func box(_ state: FormState) -> HTML {
        """
        <label class="option"><input type="checkbox" name="terms" value="true"\
        \(attribute: "checked", if: state.isTicked(terms, orElse: true))><span>Add the usual categories<br>\
        <span class="soft small">\(AdminParts.starter)</span>\
        </span></label>
        """
    }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        let zone = call.townZone.name
        try await TownFields.save(call, sent, { fields($0, zone) })
        if sent.isSet(terms), call.town.count(of: .category) == 0 {
            try await call.run { $0.addStarterTerms(for: $1) }
        }
        return .seeOther(NewBusinessPage.path)
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
        hint: "Its name, such as America/Vancouver. Opening hours and “today” follow its clocks.")

    static func all(for settings: Settings) -> [RecordField<Settings>] {
        [
            name,
            RecordField("tagline", "One sentence about it", \.tagline, hint: "Below the name. You may leave it empty."),
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
            center, timeZone, holidays(for: settings),
            RecordField(FormField(name: "map_link", label: "What opens directions", control: .choice(maps)), \.mapLink),
        ]
    }

    private static let maps: [(value: String, label: String)] = [
        (.openStreetMap, "OpenStreetMap"), (.google, "Google Maps"), (.apple, "Apple Maps"),
        (.geo, "The app of each device"),
    ].map { (link: Settings.MapLink, label: String) in (link.rawValue, label) }

    /// - Parameter check: throws for changes that need more.
    static func save(
        _ call: Call, _ sent: Submission, _ fields: (Settings) -> [RecordField<Settings>],
        _ check: ([String: String]) throws -> Void = { _ in }
    ) async throws {
        var sent = sent
        // As the form would show it: sent twice, it is the same.
        if let place = sent["center"].flatMap({ try? PlaceText.coordinates($0) }) {
            sent = sent.setting("center", to: place.shapedText)
        }
        try await call.merge(sent, into: \.settings, \.digest, { fields($0).texts(of: $0) }) {
            settings, changes, context in
            try check(changes)
            let patch = PatchInput(try fields(settings).patch(changes))
            _ = try await call.service.run(call.service.updateSettings(patch, for: context), for: context)
        }
    }

    // MARK: - Holidays

    /// What replaces the dates of a calendar, which only `sooke town` imports.
    private static let calendar = "calendar"

    /// The public holidays: those of a region, or of a calendar while the town has one.
    static func holidays(for settings: Settings) -> RecordField<Settings> {
        var options = Holidays.regions.filter { $0 != "none" }.map { ($0, regions[$0] ?? $0) }
        options.append(("none", "No public holidays"))
        if let last = settings.holidayDates.last {
            options.insert((calendar, "A calendar, known until \(last.date.text)"), at: 0)
        } else if settings.holidays == nil {
            options.insert(("", "Not chosen yet"), at: 0)
        }
        return RecordField(
            FormField(
                name: "holidays", label: "Public holidays", hint: "Places may have other hours then.",
                control: .choice(options)),
            sets: ["holidays", "holiday_dates"], text: { $0.holidayDates.isEmpty ? $0.holidays ?? "" : calendar },
            set: { text, settings, problems in
                if text == calendar {
                    return problems.add("holidays", "The calendar was replaced by those of a region. Choose a region")
                }
                settings.holidays = text.shown
            })
    }

    private static let regions = [
        "CA-AB": "Alberta", "CA-BC": "British Columbia", "CA-MB": "Manitoba", "CA-NB": "New Brunswick",
        "CA-NL": "Newfoundland and Labrador", "CA-NS": "Nova Scotia", "CA-NT": "Northwest Territories",
        "CA-NU": "Nunavut", "CA-ON": "Ontario", "CA-PE": "Prince Edward Island", "CA-QC": "Quebec",
        "CA-SK": "Saskatchewan", "CA-YT": "Yukon",
    ]
}
