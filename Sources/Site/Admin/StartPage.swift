import Bytes
import Dispatcher
import HTTP
import Service
import SookeModel

/// `/admin/start`: what a new town needs before its first place: its country, then a form that follows from it and from
/// what the browser knows. Nothing of it counts before it is sent.
enum StartPage: FormPage {
    static let path = "/admin/start"
    static let access = Access.superAdmin
    static let parameters = ["country", "zone", "clock"]

    private static let terms = "terms"
    private static let other = "other"

    static func page(_ view: View, _ state: FormState) throws -> WebPage {
        let (settings, call) = (view.town.settings, view.call)
        let given = try state.sent.map { $0["country"] ?? "" } ?? call.parameter("country")
        guard let code = given ?? settings.country else { return question }
        let country = Country(code)
        let zone = try country.map { $0.zone(near: try call.parameter("zone")) } ?? call.parameter("zone") ?? ""
        let region = Holidays.region(ofZone: zone)
        let guesses = [
            "time_zone": zone, "currency": country?.currency ?? "",
            "clock": try country.map { $0.has24Hours ? "24" : "12" } ?? call.parameter("clock") ?? "",
            "holidays": code == Country.canada && region != "none" ? region : "",
        ]
        // What was set here before needs no guess.
        let isNew = settings.country == nil
        let fields = fields(settings, in: code).map { isNew ? $0.proposing(guesses[$0.field.name]) : $0 }
        var labels = fields.map(\.field).labels
        labels[TownFields.calendar] = "The calendar"
        return WebPage(
            "Your town", .task, tab: .account,
            main: """
                <section class="head"><h1>Your town</h1><p>Please check what we guessed; you can change all of it \
                later. <a href="/admin/start?country=">Another country?</a></p></section>\
                <form class="form" method="post" novalidate>\(state.summary(labels))\
                <input type="hidden" name="country" value="\(code == other ? "" : code)">\
                <input type="hidden" name="\(Submission.nameBefore("country"))" value="\(settings.country ?? "")">\
                \(each: fields, { field in
                    """
                    \(field.markup(state, of: settings))\
                    \(if: field.field.name == "holidays" && code != Country.canada, TownFields.calendar(state))
                    """
                })\(if: view.town.count(of: .category) == 0, box(state))\(TownFields.zones(view))\
                <div class="actions"><button>Continue</button></div></form>
                """)
    }

    /// A page of its own, so that the rest follows from it without a script, too.
    private static let question = WebPage(
        "Your town", .task, tab: .account,
        main: """
            <section class="head"><h1>Where is your town?</h1><p>You are in. Time zone, currency and clock follow \
            from the country.</p></section><form class="form"><div class="field"><label for="country">Country</label>\
            <select id="country" name="country" data-guess><option value="">Choose one</option>\
            \(each: Country.all, { country in
                """
                <option value="\(country.code)" data-zones="\(country.zones.joined(separator: ","))">\(country.name)\
                </option>
                """
            })<option value="other">Another country</option></select></div>\
            <input type="hidden" name="zone"><input type="hidden" name="clock">\
            <div class="actions"><button>Continue</button></div></form>
            """)

    private static func fields(_ settings: Settings, in country: String) -> [RecordField<Settings>] {
        [
            TownFields.name, TownFields.timeZone, TownFields.currency, TownFields.clock,
            TownFields.holidays(for: settings, in: country), TownFields.center,
        ]
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
        var problems = FieldProblems()
        let hasCalendar = sent[TownFields.calendar].shown != nil
        let missing = [
            ("name", "Enter the name of the town"), ("time_zone", "Choose a time zone"),
            ("currency", "Enter the three letters of the currency, such as EUR"), ("clock", "Choose one of the clocks"),
            ("holidays", "Choose one of these, or add a calendar"),
        ]
        for (name, advice) in missing where sent[name]?.isEmpty == true && (name != "holidays" || !hasCalendar) {
            problems.add(name, advice)
        }
        if !problems.isEmpty { throw FormRefusal(problems) }
        let country = sent["country"] ?? ""
        try await TownFields.save(call, sent) { fields($0, in: country) + [TownFields.country(of: $0)] }
        if sent.isSet(terms), call.town.count(of: .category) == 0 {
            try await call.run { $0.addStarterTerms(for: $1) }
        }
        return .seeOther(NewBusinessPage.path)
    }
}
