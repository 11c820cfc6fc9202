import Dispatcher
import HTTP
import Service
import SookeModel
import Store

extension EventMarkup {
    /// The page of a form of an event; `beside` stands below how people will see it.
    func page(
        _ title: String, tab: WebPage.Tab = .account, topics: [String] = [], head: HTML, more: HTML = "",
        button: String, beside: HTML? = nil
    ) -> WebPage {
        WebPage(
            title, .task, tab: tab, topics: topics,
            main: """
                <section class="head">\(head)</section>\
                <div class="two"><form class="form" method="post" \
                novalidate data-draft="\(view.drafts)" data-look="look">\
                \(state.summary(Self.labels, order: EventForm.fields))\(fields)\(more)\
                \(FormState.sending(button))</form>\
                \(beside.map { "<div class=\"stack\">\(preview)\($0)</div>" } ?? preview)</div>
                """)
    }
}

extension Submission {
    fileprivate func event(_ call: Call) throws -> Patch<Event> {
        try EventForm(call).patch(event, of: Event())
    }
}

/// A page with the form of an event.
protocol EventFormPage: FormPage {}

extension EventFormPage {
    static func field(showing name: String) -> String? { EventForm.field(showing: name) }
}

/// `/account/new-event`: an event of somebody with an account.
enum NewEventPage: EventFormPage {
    static let path = "/account/new-event"
    static let parameters = ["at", "copy"]

    static func page(_ view: View, _ state: FormState) throws -> WebPage {
        let event = try start(view)
        let isPublished = view.call.caller.mayPublish(at: event.business, in: view.town)
        return EventMarkup(view, EventForm(view), of: event, state).page(
            "New event",
            head: "<p class=\"small crumbs\"><a href=\"/account\">You</a></p><h1>New event</h1>",
            more: state.keyField, button: isPublished ? "Publish" : "Send")
    }

    /// What the form begins with: a place, or another event without its times.
    private static func start(_ view: View) throws -> Event {
        var event = Event()
        if let slug = try view.call.parameter("at").map(Slug.init(_:)),
            view.town.businesses[slug]?.isVisible(to: view.call.caller, in: view.town) ?? false
        {
            event.business = slug
        }
        if let slug = try view.call.parameter("copy").map(Slug.init(_:)),
            let other = view.town.event(at: slug)?.value, other.isVisible(to: view.call.caller, in: view.town)
        {
            (event.name, event.description, event.eventType) = (other.name, other.description, other.eventType)
            (event.business, event.latitude, event.longitude) = (other.business, other.latitude, other.longitude)
            (event.location, event.host, event.organizer) = (other.location, other.host, other.organizer)
            (event.url, event.price) = (other.url, other.price)
        }
        return event
    }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        try sent.showIfOnlyLooking()
        let patch = try sent.event(call)
        let outcome = try await call.run(once: sent) { $0.createEvent(PatchInput(patch), for: $1) }
        guard let event = (outcome.joined?.record as? EventRecord)?.value else { return .seeOther(AccountPage.path) }
        let done = event.status.isPublic ? "saved" : "sent"
        return .seeOther("/account" + Link.path(event: event.slug) + "?done=" + done)
    }
}

/// `/new-event`: an event that anyone sends. Nobody sees it before somebody has decided.
enum SendEventPage: EventFormPage {
    static let path = "/new-event"
    static let access = Access.anyone
    static let parameters = ["at", "done"]

    static func page(_ view: View, _ state: FormState) throws -> WebPage {
        if try view.call.parameter("done") != nil { return thanks }
        var event = Event()
        if let slug = try view.call.parameter("at").map(Slug.init(_:)), view.town.businesses[slug]?.categoryID != nil {
            event.business = slug
        }
        let message = FormField(
            name: "message", label: "Note to the editors (not published)", control: .lines(2))
        return EventMarkup(view, EventForm(view), of: event, state).page(
            "Send an event", tab: .events,
            head: """
                <p class="small crumbs"><a href="/events">Events</a></p><h1>Send an event</h1>\
                <p class="soft">We check every event before it is published.</p>
                """,
            more: message.markup(state) + StrangerFields.markup(state, view), button: "Send")
    }

    private static var thanks: WebPage {
        WebPage(
            "Thank you for your event", tab: .events,
            main: """
                <section class="head"><h1>Thank you</h1><p role="status" tabindex="-1" autofocus>We check your \
                event; if we publish it, it appears under <a href="/events">Events</a>.</p>\
                <div class="actions"><a class="button quiet" href="/new-event">Send another event</a></div></section>
                """)
    }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        try sent.showIfOnlyLooking()
        let done = Response.seeOther(path + "?done=sent")
        if StrangerFields.isOfProgram(sent) { return done }
        let patch = try sent.event(call)
        try StrangerFields.check(sent, call)
        try await call.run(once: sent) {
            $0.propose(event: PatchInput(patch), StrangerFields.message(sent, call), for: $1)
        }
        return done
    }
}

/// `/account/waiting/{id}`: an event that somebody sent, to be edited before it is published.
enum ProposalPage: EventFormPage {
    static let path = "/account/waiting/{id}"

    static func page(_ view: View, _ state: FormState) throws -> WebPage {
        let joined = try view.call.service.proposal(view.call.id(), for: view.call.caller, in: view.town)
        guard joined.record.about == .event else { throw HTTPError.notFound() }
        let event = ProposalCard(joined: joined, view: view).event
        return EventMarkup(view, EventForm(view), of: event, state).page(
            "Edit \(event.name) first", tab: .waiting,
            head: """
                <p class="small crumbs"><a href="/account/waiting">Waiting</a></p><h1>Edit first</h1>\
                \(if: joined.record.text, { "<p dir=\"auto\">“\($0)”</p>" })
                """,
            more: WaitingPage.version(joined.record.digest), button: "Publish")
    }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        try sent.showIfOnlyLooking()
        let id = try call.id()
        var patch = try sent.event(call)
        // A place that was taken away is none.
        patch.fields.insert("business")
        let version = Precondition.Versions(named: sent["version"] ?? "")
        let edited = ProposedChanges.event(PatchInput(patch))
        let outcome = try await call.run { $0.acceptProposal(id, with: edited, versions: version, for: $1) }
        guard case .proposal(let proposal)? = outcome.joined, let event = proposal.event else {
            return .seeOther(WaitingPage.path + "?done=saved")
        }
        return .seeOther(Link.path(event: event.value.slug))
    }
}
