import Bytes
import Dispatcher
import HTTP
import Service
import SookeModel
import Store

/// `/account/waiting/holidays/{date}`: the places that have not said what holds on a holiday, to be marked together.
enum HolidayPage: FormPage {
    static let path = "/account/waiting/holidays/{date}"
    static let access = Access.editor
    static let parameters = ["done"]
    static let isLarge = true

    private static let (place, answer) = ("place", "answer")
    /// The most places on the page; the others follow when these are marked.
    private static let most = 200

    static func lines(_ view: View) -> HTML {
        guard view.call.caller.isEditor(in: view.town) else { return "" }
        var holidays = view.hours.moment.holidays(within: ConfirmationsDue.daysAhead)
            .map { (name: $0.name, date: $0.date, count: 0) }
        for place in view.town.listedBusinesses {
            for index in holidays.indices where place.isUnconfirmed(on: holidays[index].date, at: view.hours) {
                holidays[index].count += 1
            }
        }
        holidays.removeAll { $0.count == 0 }
        if holidays.isEmpty { return "" }
        return """
            <section class="section"><h2>Holidays ahead</h2><ul class="rows">\(each: holidays, { holiday in
                let count = "\(Count(holiday.count, "place"))"
                return AdminParts.row(
                    "h\(holiday.date.daysSinceEpoch)", Link("/account/waiting/holidays/", holiday.date.text, ""),
                    holiday.name, "\(view.words.shortDate(holiday.date)) · \(count) not confirmed")
            })</ul></section>
            """
    }

    private static func places(on date: CivilDate, _ town: Town, _ clock: OpenHoursClock) -> [BusinessRecord] {
        town.listedBusinesses.filter { $0.isUnconfirmed(on: date, at: clock) }
    }

    private static func find(_ call: Call, _ clock: OpenHoursClock) throws -> (name: String, date: CivilDate) {
        guard let date = CivilDate(try call.captures.text("date")), let name = clock.moment.holidays.name(on: date)
        else { throw HTTPError.notFound() }
        return (name, date)
    }

    static func page(_ view: View, _ state: FormState) throws -> WebPage {
        let (name, date) = try find(view.call, view.hours)
        let places = places(on: date, view.town, view.hours)
        let groups = Dictionary(grouping: places.prefix(most)) { view.category(of: $0)?.slug.text ?? "" }
        let options = [(value: "", label: "Choose"), ("closed", "Closed"), ("usual", "Open as usual")]
        let field = FormField(name: answer, label: "On \(name) they are", control: .choice(options))
        let form: HTML = """
            <form class="form" method="post">\(state.summary([place: "Places:", answer: "On \(name):"]))\
            \(each: view.call.version.listedCategories, { entry in
                "\(if: groups[entry.category.slug.text], { group(entry.category, $0, date, state, view) })"
            })\(field.markup(state))<div class="bar"><button>Save</button></div></form>
            """
        return WebPage(
            name, .task, tab: .waiting,
            main: """
                <section class="head"><p class="small crumbs"><a href="/account/waiting">Waiting</a></p><h1>\(name), \
                \(view.words.shortDate(date))</h1>\(view.done)<p class="soft">\(places.isEmpty ? "All are answered."
                    : "Are these places open? Check those that you know.")</p></section>\(places.isEmpty ? "" : form)
                """)
    }

    private static func group(
        _ category: Category, _ places: [BusinessRecord], _ date: CivilDate, _ state: FormState, _ view: View
    ) -> HTML {
        let form = HoursForm(view)
        return """
            <fieldset><legend>\(category.name)</legend>\(each: places, { business in
                """
                <label class="option"><input type="checkbox" name="place" value="\(business.slug.text)"\
                \(attribute: "checked", if: state.isTicked(place, business.slug.text))><span><strong \
                dir="auto">\(business.name)</strong> <span class="soft small">\(view.line(of: [
                    form.usualText(on: date, of: business, at: view.hours).map { "usually \($0)" },
                    business.value.phone,
                ]))</span></span></label>
                """
            })</fieldset>
            """
    }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        let (_, date) = try find(call, call.service.openHoursClock(of: call.town, at: call.now))
        let (slugs, isClosed) = (sent.all(place).prefix(most).map(Slug.init(_:)), sent[answer] == "closed")
        guard isClosed || sent[answer] == "usual" else { throw FormRefusal(answer, "Choose one") }
        if slugs.isEmpty { throw FormRefusal(place, "Check those that you know") }
        try await call.run { $0.confirmHoliday(on: date, isClosed: isClosed, at: slugs, for: $1) }
        return .seeOther("/account/waiting/holidays/\(date.text)?done=saved")
    }
}
