import Bytes
import Dispatcher
import HTTP
import Service
import SookeModel
import Store

enum OwnEventPage: EventFormPage {
    static let path = "/account/events/{slug}"
    static let parameters = ["done", "from"]

    static let actions: [(name: String, action: @Sendable (Call, Submission) async throws -> Response)] = [
        ("resubmit", { call, _ in try await run(call) { $0.resubmitEvent($1, for: $2) } }),
        ("cancel", { call, _ in try await run(call, "cancel") { $0.cancelEvent($1, for: $2) } }),
        ("withdraw", withdraw),
        ("take-theirs", { call, sent in try await run(call) { $0.takeTheirs(sent["field"] ?? "", of: $1, for: $2) } }),
        (
            "tell-apart",
            { call, sent in
                let calendar = sent["calendar"].flatMap { Int($0) } ?? 0
                return try await run(call) { $0.tellApart($1, from: calendar, for: $2) }
            }
        ),
    ]

    static func find(_ call: Call, in town: Town) throws -> EventRecord {
        let slug = try call.slug()
        guard let event = town.event(at: slug) ?? town.events.publicEvent(formerly: slug) else {
            throw ServiceError.notFound(.record(.event))
        }
        try Access.eventEditor.check(call.caller, slug: event.value.slug, in: town)
        return event
    }

    private static func path(_ call: Call, _ done: String? = nil) throws -> String {
        let event = try find(call, in: call.service.store.current.town).value
        let done = done ?? (event.status.isPublic ? "saved" : "kept")
        return "/account" + Link.path(event: event.slug) + "?done=" + done
    }

    static func page(_ view: View, _ state: FormState) throws -> WebPage {
        let event = try find(view.call, in: view.town)
        let zone = view.events.zone(of: event.value, at: view.town.business(of: event))
        let dates = OwnDates(
            of: event.value, in: zone, at: view.call.now, has24Hours: view.town.settings.has24Hours)
        return EventMarkup(view, EventForm(view, at: zone), of: event.value, state, isMerged: true).page(
            "Edit \(event.value.name)", topics: ["event"],
            head: """
                <p class="small crumbs"><a href="/account">You</a>\
                \(if: event.value.status.isPublic,
                    " › <a href=\"/events/\(path: event.value.slug.text)\">Public page</a>")</p>\
                <h1 dir="auto">\(event.value.name)</h1>\(view.done)\(status(of: event.value, view))\
                \(if: dates != nil, "<p><a class=\"button quiet\" href=\"#each\">Change a date</a></p>")
                """,
            button: "Save",
            beside: buttons(event, view) + EventSources.section(event.value, EventForm(view, at: zone), view)
                + (dates?.markup(from: try view.call.parameter("from").flatMap { CivilDate($0) }) ?? ""))
    }

    private static func status(of event: Event, _ view: View) -> HTML {
        let name = event.cancelledBy.flatMap { view.town.people[$0] }.map { $0.displayName.shown ?? $0.email }
        return """
            <p><span class="state">\(AccountPage.words(for: event.status))</span>\
            \(if: event.cancelledAt, { " \(view.words.ago($0))\(if: name, { " by <bdi>\($0)</bdi>" })" })\
            \(if: event.reason.shown, { " <span dir=\"auto\">“\($0)”</span>" })</p>
            """
    }

    private static func buttons(_ record: EventRecord, _ view: View) -> HTML {
        let event = record.value
        let mayDecide = view.may(.eventReviewer, at: event.slug)
        let cancelling = event.hasSeries ? "Cancel all its dates" : "Cancel the event"
        return """
            <div class="actions">\(if: event.status == .pendingReview && mayDecide, WaitingPage.publishing(record))\
            <a class="button quiet" href="/account/new-event?copy=\(path: event.slug.text)">Copy this event</a>\
            <a class="button quiet" href="/account/events/\(path: event.slug.text)/changes">What changed</a>\
            \(if: event.status == .approved && mayDecide, button("cancel", cancelling, event))\
            \(if: event.status == .rejected || event.status == .draft, button("resubmit", "Send it again", event))\
            \(if: !event.status.isPublic, button("withdraw", "Withdraw this event", event))</div>
            """
    }

    private static func button(_ action: String, _ label: String, _ event: Event) -> HTML {
        """
        <form method="post" action="/account/events/\(path: event.slug.text)/\(path: action)"><button class="quiet">\
        \(label)</button></form>
        """
    }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        try sent.showIfOnlyLooking()
        try await call.merge(
            sent, into: { try find(call, in: $0) }, \.digest, { EventForm(call, of: $0).texts(of: $0.value) }
        ) { event, changes, context in
            let patch = try EventForm(call, of: event).patch(changes, of: event.value)
            _ = try await call.service.run(
                call.service.updateEvent(event.value.slug, PatchInput(patch), for: context), for: context)
        }
        return .seeOther(try path(call))
    }

    private static func run(
        _ call: Call, _ done: String? = nil, _ useCase: (TownService, Slug, RequestContext) -> Transaction<Outcome>
    ) async throws -> Response {
        let event = try find(call, in: call.town)
        try await call.run { useCase($0, event.value.slug, $1) }
        return .seeOther(try path(call, done))
    }

    private static func withdraw(_ call: Call, _ sent: Submission) async throws -> Response {
        let event = try find(call, in: call.town)
        try await call.run { $0.deleteEvent(event.value.slug, for: $1) }
        return .seeOther(AccountPage.path + "?done=withdrawn")
    }
}
