import Bytes
import Dispatcher
import HTTP
import Service
import SookeModel
import Store

/// `/account/events/{slug}/{date}`: one date of a series, to be cancelled, moved, named otherwise, or put back.
enum EventDatePage: FormPage {
    static let path = OwnEventPage.path + "/{date}"
    static let parameters = ["done"]

    private struct Found {
        let event: EventRecord
        let dates: OwnDates
        let occurrence: Occurrence

        var change: EventOverride? { event.value.override(of: occurrence) }
        /// Which is put back before it can be changed otherwise.
        var isOff: Bool { occurrence.isCancelled || dates.isLeftOut(occurrence) }
    }

    private static func find(_ call: Call, in town: Town) throws -> Found {
        let event = try OwnEventPage.find(call, in: town)
        let zone = call.service.eventClock(of: town, at: call.now).zone(of: event.value, at: town.business(of: event))
        let has24Hours = town.settings.has24Hours
        guard let dates = OwnDates(of: event.value, in: zone, at: call.now, has24Hours: has24Hours),
            let occurrence = dates.occurrence(named: try call.captures.text("date"))
        else { throw HTTPError.notFound() }
        return Found(event: event, dates: dates, occurrence: occurrence)
    }

    static func field(showing name: String) -> String? {
        ["name": "name", "location": "location", "description": "about"][name.split(at: ".").last ?? ""] ?? "day"
    }

    static func page(_ view: View, _ state: FormState) throws -> WebPage {
        let found = try find(view.call, in: view.town)
        let (event, dates, words) = (found.event.value, found.dates, found.dates.words)
        let (date, _) = words.local(found.occurrence.original)
        let day = words.sentence(of: date...date)
        let (moving, naming) = (moving(found), naming(found))
        return WebPage(
            "\(day): \(event.name)", .form, tab: .account, topics: ["event"],
            main: """
                <section class="head"><p class="small crumbs"><a href="/account">You</a> › \
                <a dir="auto" href="\(link: Link(under: "/account/events", event.slug))">\(event.name)</a>\
                \(if: event.status.isPublic && !dates.isLeftOut(found.occurrence), """
                     › <a href="\(link: view.link(to: found.event, on: found.occurrence))">Public page</a>
                    """)</p><h1>\(day)</h1>\(view.done)\(state.summary(moving + naming))\
                <p><span class="state">\(dates.state(of: found.occurrence))</span></p>\
                <p class="when\(found.isOff ? " off" : "")">\(words.sentence(of: found.occurrence))</p></section>
                <div class="stack">\(buttons(found))\(if: !found.isOff,
                    form("move", "Move to another day or time", moving, button: "Move this date", state)
                        + form("name", "Another name or place", naming, button: "Save name and place", state))</div>
                """)
    }

    private static func buttons(_ found: Found) -> HTML {
        """
        <form class="actions" method="post">\(if: !found.isOff, """
            <button class="quiet danger" name="act" value="cancel">Cancel this date</button>
            """)\(if: found.isOff || found.change != nil, """
            <button class="quiet" name="act" value="restore">Put this date back</button>
            """)</form>
        """
    }

    /// What was sent with another form of the page is not shown in it.
    private static func form(
        _ act: String, _ title: String, _ fields: [FormField], button: String, _ state: FormState
    ) -> HTML {
        let state = state.sent?["act"] == act ? state : FormState()
        return """
            <section class="section"><h2>\(title)</h2><form class="form" method="post" \
            novalidate><input type="hidden" name="act" \
            value="\(act)">\(each: fields, { $0.markup(state) })<button>\(button)</button></form></section>
            """
    }

    private static func moving(_ found: Found) -> [FormField] {
        let (words, occurrence) = (found.dates.words, found.occurrence)
        let days = words.days(of: occurrence)
        let day = FormField(name: "day", label: "Day", shown: days.lowerBound.text, control: .line(type: "date"))
        if found.event.value.allDay { return [day] }
        let end = days.count == 1 ? found.change?.endsLocal.map { words.time($0.secondsOfDay / 60) } : nil
        return [
            day, FormField(name: "from", label: "From", shown: words.time(occurrence.startsAt)),
            FormField(name: "to", label: "To", hint: "Leave empty if it takes as long as usual.", shown: end ?? ""),
        ]
    }

    private static func naming(_ found: Found) -> [FormField] {
        let (name, change) = (found.event.value.name, found.change)
        return [
            FormField(name: "name", label: "Name on this date", hint: name, shown: change?.name ?? ""),
            FormField(
                name: "location", label: "Place on this date", hint: "In your words. Leave empty for the usual place.",
                shown: change?.location ?? ""),
            FormField(
                name: "about", label: "Description for this date", shown: change?.description ?? "",
                control: .lines(3)),
        ]
    }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        try await call.merge(
            sent, hasMore: true, into: { try find(call, in: $0) }, \.event.digest, { _ in [] }
        ) { found, _, context in
            let patch = try change(sent, found, EventForm(call, of: found.event))
            _ = try await call.service.run(
                call.service.updateEvent(found.event.value.slug, PatchInput(patch), for: context), for: context)
        }
        let event = try find(call, in: call.service.store.current.town).event.value
        let (name, done) = (try call.captures.text("date"), event.status.isPublic ? sent["act"] : "kept")
        return .seeOther(Link(under: "/account/events", event.slug, name).text + "?done=" + (done ?? ""))
    }

    private static func change(_ sent: Submission, _ found: Found, _ form: EventForm) throws -> Patch<Event> {
        let (event, start) = (found.event.value, found.dates.start(of: found.occurrence))
        var (patch, unchanged) = (Patch<Event>(), EventOverride())
        unchanged.occurrence = start
        var row = found.change ?? unchanged
        switch sent["act"] ?? "" {
        case "cancel": row.isCancelled = true
        case "restore":
            // What else it has comes back with it.
            if row.isCancelled { row.isCancelled = false } else { row = unchanged }
            patch.values.exdates = event.exdates.filter { $0 != start }
            patch.fields.insert("exdates")
        case "move": try move(&row, sent, event, form)
        case "name":
            row.name = sent["name"].shown.flatMap { $0 == event.name ? nil : $0 }
            (row.location, row.description) = (sent["location"].shown, sent["about"].shown)
        default: throw HTTPError.invalidParameter("the form has no act")
        }
        patch.values.overrides = event.overrides.filter { $0.occurrence != start } + (row == unchanged ? [] : [row])
        patch.values.overrides.sort(by: EventOverride.precedes)
        patch.fields.insert("overrides")
        return patch
    }

    private static func move(_ row: inout EventOverride, _ sent: Submission, _ event: Event, _ form: EventForm) throws {
        guard let day = CivilDate(sent["day"] ?? "") else { throw FormRefusal("day", "Choose the day") }
        if event.allDay {
            (row.startsLocal, row.endsLocal) = (LocalTime(day), nil)
        } else {
            guard let from = sent["from"].shown else { throw FormRefusal("from", EventForm.startMissing) }
            var problems = FieldProblems()
            guard let times = form.times(on: day, from, sent["to"] ?? "", "from", &problems), problems.isEmpty else {
                throw FormRefusal(problems)
            }
            (row.startsLocal, row.endsLocal) = (times.start, times.end)
        }
        if row.startsLocal == row.occurrence?.withoutOffset { row.startsLocal = nil }
    }
}
