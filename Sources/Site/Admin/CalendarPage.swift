import Bytes
import Dispatcher
import HTTP
import Service
import SookeModel
import Store

/// `/admin/calendars/{id}`: changes a calendar, or removes it. Its address, which may have a key, is not shown.
enum CalendarPage: FormPage {
    static let path = CalendarsPage.path + "/{id}"
    static let access = Access.editor

    static let crumb: HTML = #"<a href="/admin/calendars">Calendars</a>"#

    private static func find(_ call: Call, in town: Town) throws -> PulledCalendar {
        try call.service.calendar(call.id(), for: call.caller, in: town)
    }

    static func page(_ view: View, _ state: FormState) throws -> WebPage {
        let calendar = try find(view.call, in: view.town)
        let hint = "Only if it has another address now. Nobody sees the one that it has."
        return WebPage(
            calendar.name, .task, tab: .account,
            main: """
                \(AdminParts.head(calendar.name, in: crumb, view))\
                \(form(of: calendar, fields(view.town, hint), state, button: "Save"))<section class="section">\
                <h2>No longer needed?</h2><p>The events that it has brought stay.</p><form class="actions" \
                method="post"><input type="hidden" name="delete" value="yes"><button class="quiet danger">Remove it\
                </button></form></section>
                """)
    }

    static func form(
        of calendar: PulledCalendar, _ fields: [RecordField<PulledCalendar>], _ state: FormState, button: String
    ) -> HTML {
        """
        <form class="form" method="post" novalidate>\(state.keyField)\(state.summary(fields.map(\.field)))\
        \(each: fields, { $0.markup(state, of: calendar) })<div class="bar"><button>\(button)</button></div></form>
        """
    }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        let id = try call.id()
        if sent.isSet("delete") {
            try await call.run { $0.deleteCalendar(id, for: $1) }
            return .seeOther(CalendarsPage.path + "?done=removed")
        }
        let fields = fields(call.town)
        try await call.merge(sent, into: { try find(call, in: $0) }, \.digest, { fields.texts(of: $0) }) {
            _, changes, context in
            let patch = PatchInput(try fields.patch(changes))
            _ = try await call.service.run(call.service.updateCalendar(id, patch, for: context), for: context)
        }
        return .seeOther(CalendarsPage.path + "?done=kept")
    }

    static func field(showing name: String) -> String? {
        switch name {
        case "address": "url"
        case "host": "organizer"
        default: name
        }
    }

    static func fields(_ town: Town, _ hint: String? = nil) -> [RecordField<PulledCalendar>] {
        let types = town.eventTypes.inOrderOfName().map { ($0.value.slug.text, $0.value.name) }
        let trusts = [
            ("publish", "Publish them, once you have published the first ones"),
            ("queue", "Let each wait for an editor"),
        ]
        return [
            RecordField(
                FormField(name: "url", label: "Address", hint: hint, control: .line(type: "url")), sets: ["address"],
                text: { _ in "" }, set: { text, calendar, _ in calendar.address = text }),
            RecordField("name", "What is it called?", \.name, hint: "Its events say “From the calendar …”."),
            place("organizer", "Who organizes its events?", "A place of the directory or any name.", town),
            place("place", "Where do they happen?", "Empty: where each of them says.", town),
            RecordField(
                FormField(name: "event_type", label: "Kind of its events", control: .choice(types)),
                text: { $0.eventType.text }, set: { text, calendar, _ in calendar.eventType = Slug(text) }),
            RecordField(
                FormField(name: "trust", label: "What happens to new events?", control: .choice(trusts)), \.trust),
        ]
    }

    /// A place of the directory, by its name; an organizer may also be somebody else.
    private static func place(
        _ name: String, _ label: String, _ hint: String, _ town: Town
    ) -> RecordField<PulledCalendar> {
        let (places, isPlace) = (PlaceNames(town), name == "place")
        return RecordField(
            FormField(name: name, label: label, hint: hint, control: .line(help: .names)),
            sets: isPlace ? ["place"] : ["host", "organizer"],
            text: { calendar in
                let slug = isPlace ? calendar.place : calendar.host
                return slug.map { town.businesses[$0].map(places.text) ?? $0.text }
                    ?? (isPlace ? "" : calendar.organizer ?? "")
            },
            set: { text, calendar, problems in
                if isPlace { calendar.place = nil } else { (calendar.host, calendar.organizer) = (nil, nil) }
                switch places.find(text) {
                case .found(let business) where isPlace: calendar.place = business.slug
                case .found(let business): calendar.host = business.slug
                case .unclear(let advice): problems.add(name, advice)
                case .words where isPlace && !text.isEmpty:
                    problems.add(name, "Write the name of a place of the directory")
                case .words: calendar.organizer = isPlace ? calendar.organizer : text.shown
                }
            })
    }
}
