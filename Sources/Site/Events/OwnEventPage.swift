import Bytes
import Dispatcher
import HTTP
import Service
import SookeModel
import Store

/// `/account/events/{slug}`: an event for those who may change it.
enum OwnEventPage: EventFormPage {
    static let path = "/account/events/{slug}"
    static let parameters = ["done"]

    static let actions: [(name: String, action: @Sendable (Call, Submission) async throws -> Response)] = [
        ("resubmit", { call, _ in try await run(call) { $0.resubmitEvent($1, for: $2) } }),
        ("withdraw", withdraw),
    ]

    /// The event of the address, also by a slug that it had before.
    static func find(_ call: Call, in town: Town) throws -> EventRecord {
        let slug = try call.slug()
        guard let event = town.event(at: slug) ?? town.events.publicEvent(formerly: slug) else {
            throw ServiceError.notFound(.record(.event))
        }
        try Access.eventEditor.check(call.caller, slug: event.value.slug, in: town)
        return event
    }

    private static func path(_ call: Call) throws -> String {
        let event = try find(call, in: call.service.store.current.town).value
        return "/account" + Link.path(event: event.slug) + "?done=" + (event.status.isPublic ? "saved" : "kept")
    }

    static func page(_ view: View, _ state: FormState) throws -> WebPage {
        let event = try find(view.call, in: view.town)
        let zone = view.events.zone(of: event.value, at: view.town.business(of: event))
        return EventMarkup(view, EventForm(view, at: zone), of: event.value, state, isMerged: true).page(
            event.value.name, topics: ["event"],
            head: """
                <p class="small crumbs"><a href="/account">You</a>\
                \(if: event.value.status.isPublic,
                    " › <a href=\"/events/\(path: event.value.slug.text)\">What everybody sees</a>")</p>\
                <h1 dir="auto">\(event.value.name)</h1>\(view.done)\(status(of: event.value))
                """,
            more: moving(event, view, state), button: "Save", beside: buttons(event, view))
    }

    private static func status(of event: Event) -> HTML {
        """
        <p><span class="state">\(AccountPage.words(for: event.status))</span>\
        \(if: event.reason.shown, { " <span dir=\"auto\">“\($0)”</span>" })</p>
        """
    }

    private static func buttons(_ record: EventRecord, _ view: View) -> HTML {
        let event = record.value
        let mayDecide = view.may(.eventReviewer, at: event.slug)
        return """
            <div class="actions">\(if: event.status == .pendingReview && mayDecide, WaitingPage.publishing(record))\
            <a class="button quiet" href="/account/new-event?copy=\(path: event.slug.text)">Copy it</a>\
            \(if: event.status == .approved && mayDecide, """
                <a class="button quiet" href="/account/events/\(path: event.slug.text)/cancel">Cancel the event</a>
                """)\
            \(if: event.status == .rejected || event.status == .draft, button("resubmit", "Send it again", event))\
            \(if: !event.status.isPublic, button("withdraw", "Withdraw it", event))</div>
            """
    }

    private static func button(_ action: String, _ label: String, _ event: Event) -> HTML {
        """
        <form method="post" action="/account/events/\(path: event.slug.text)/\(path: action)"><button class="quiet">\
        \(label)</button></form>
        """
    }

    // MARK: - Moving one date

    private static func moving(_ event: EventRecord, _ view: View, _ state: FormState) -> HTML {
        let boxes = EventForm(view).boxes(of: event.value).filter(\.isOn)
        guard boxes.count > 1 else { return "" }
        let dates = boxes.map { box in
            (
                value: "\(box.occurrence.original.seconds)",
                label: view.words.shortDate(view.words.local(box.occurrence.startsAt).date)
            )
        }
        let fields = [
            FormField(name: "move", label: "Which date?", control: .choice([("", "None")] + dates)),
            FormField(name: "move-day", label: "To which day?", control: .line(type: "date")),
            FormField(name: "move-from", label: "From"), FormField(name: "move-to", label: "To, if known"),
        ]
        return """
            <details data-key="move"\(attribute: "open", if: !state.text("move").isEmpty)>\
            <summary class="button quiet">Move one date</summary><div \
            class="form">\(each: fields, { $0.markup(state) })</div></details>
            """
    }

    private static func move(
        _ sent: Submission, _ event: Event, _ form: EventForm, _ patch: inout Patch<Event>
    ) throws {
        guard let text = sent["move"]?.shown else { return }
        guard let occurrence = Int(text).flatMap(Timestamp.init(seconds:)) else {
            throw FormRefusal("move", "is none of the dates; choose one of them")
        }
        var (problems, moved) = (FieldProblems(), EventOverride())
        guard let day = CivilDate(sent["move-day"] ?? "") else {
            throw FormRefusal("move-day", "is missing: to which day is it moved?")
        }
        let (from, to) = (sent["move-from"] ?? "", sent["move-to"] ?? "")
        guard let times = form.times(on: day, from, to, "move-from", &problems), problems.isEmpty else {
            throw FormRefusal(problems)
        }
        moved.occurrence = occurrence
        (moved.startsAt, moved.endsAt) = (times.start, times.end)
        patch.values.overrides = event.overrides.filter { $0.occurrence != moved.occurrence } + [moved]
        patch.fields.insert("overrides")
    }

    // MARK: - Sending

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        try sent.showIfOnlyLooking()
        try await call.merge(
            sent, hasMore: !(sent["move"] ?? "").isEmpty,
            into: { try find(call, in: $0) }, \.digest, { EventForm(call, of: $0).texts(of: $0.value) }
        ) { event, changes, context in
            let form = EventForm(call, of: event)
            var patch = try form.patch(changes, of: event.value)
            try move(sent, event.value, form, &patch)
            let (times, rest) = patch.separatingTimes(of: event.value)
            _ = try await call.service.run(
                call.service.updateEvent(event.value.slug, PatchInput(rest), series: times, for: context),
                for: context)
        }
        return .seeOther(try path(call))
    }

    fileprivate static func run(
        _ call: Call, _ useCase: (TownService, Slug, RequestContext) -> Transaction<Outcome>
    ) async throws -> Response {
        let event = try find(call, in: call.town)
        try await call.run { useCase($0, event.value.slug, $1) }
        return .seeOther(try path(call))
    }

    private static func withdraw(_ call: Call, _ sent: Submission) async throws -> Response {
        let event = try find(call, in: call.town)
        try await call.run { $0.deleteEvent(event.value.slug, for: $1) }
        return .seeOther(AccountPage.path)
    }
}

/// `/account/events/{slug}/cancel`: says what it means that an event is cancelled, and cancels it.
enum CancellationPage: FormPage {
    static let path = OwnEventPage.path + "/cancel"

    static func page(_ view: View, _ state: FormState) throws -> WebPage {
        let event = try OwnEventPage.find(view.call, in: view.town).value
        guard view.may(.eventReviewer, at: event.slug), event.status == .approved else {
            throw ServiceError.wrongStatus(event.status, allowed: [.approved])
        }
        let dates: HTML = " That holds for all its dates; to cancel one of them, keep the event and untick the date."
        return .asking(
            "Cancel \(event.name)?",
            """
            It stays in the calendar, marked as cancelled, so that people who meant to come read it.\
            \(if: event.hasSeries, dates) This cannot be undone.
            """, button: "Cancel the event", orKeep: Link(under: "/account/events", event.slug), state)
    }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        try await OwnEventPage.run(call) { $0.cancelEvent($1, for: $2) }
    }
}

extension Patch<Event> {
    /// The times of the series of an event apart from the other fields: their names are those of a single date there.
    fileprivate func separatingTimes(of event: Event) -> (times: Patch<Event>, rest: Patch<Event>) {
        guard event.hasSeries || !values.rdates.isEmpty || values.rrule != nil else { return (Patch(), self) }
        var (times, rest) = (self, self)
        let names: FieldSet<Event> = ["starts_at", "ends_at"]
        times.fields = fields.subtracting(fields.subtracting(names))
        rest.fields = fields.subtracting(names)
        return (times, rest)
    }
}
