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
    /// - Parameter published: the event that it corrects, of which only what differs is changed.
    func event(_ call: Call, correcting published: EventRecord? = nil) throws -> Patch<Event> {
        let form = EventForm(call, of: published)
        guard let published else { return try form.patch(event, of: Event()) }
        let shown = Dictionary(form.texts(of: published.value).map { ($0.name, $0.text.typed) }) { first, _ in first }
        return try form.patch(event.filter { $0.value != shown[$0.key] ?? "" }, of: published.value)
    }
}

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

/// `/new-event`: an event that anyone sends. Nobody sees it before the decision but whoever has its reference.
enum SendEventPage: EventFormPage {
    static let path = "/new-event"
    static let access = Access.anyone
    static let parameters = ["at"]

    static func page(_ view: View, _ state: FormState) throws -> WebPage {
        var event = Event()
        if let slug = try view.call.parameter("at").map(Slug.init(_:)), view.town.businesses[slug]?.categoryID != nil {
            event.business = slug
        }
        return EventMarkup(view, EventForm(view), of: event, state).page(
            "Send an event", tab: .events,
            head: """
                <p class="small crumbs"><a href="/events">Events</a></p><h1>Send an event</h1>\
                <p class="soft">We check every event before it is published.</p>
                """,
            more: note().markup(state) + StrangerFields.markup(state, view), button: "Send")
    }

    static func note(shown: String = "") -> FormField {
        FormField(name: "message", label: "Note to the editors (not published)", shown: shown, control: .lines(2))
    }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        try sent.showIfOnlyLooking()
        if StrangerFields.isOfProgram(sent) { return .seeOther("/events") }
        let patch = PatchInput(try sent.event(call))
        return try await StrangerFields.send(sent, call) { $0.propose(event: patch, $1, for: $2) }
    }
}

/// `/account/waiting/{id}`: an event that somebody sent, to be edited before it is published.
enum ProposalPage: EventFormPage {
    static let path = "/account/waiting/{id}"

    static func page(_ view: View, _ state: FormState) throws -> WebPage {
        let joined = try view.call.service.proposal(view.call.id(), for: view.call.caller, in: view.town)
        guard joined.record.about == .event else { throw HTTPError.notFound() }
        let card = ProposalCard(joined: joined, view: view)
        return EventMarkup(view, card.form, of: card.event, state).page(
            "Edit \(card.event.name) first", tab: .waiting,
            head: """
                <p class="small crumbs"><a href="/account/waiting">Waiting</a></p><h1>Edit first</h1>\
                \(if: joined.record.text, { "<p dir=\"auto\">“\($0)”</p>" })
                """,
            more: WaitingPage.version(joined.record.digest) + card.compared, button: "Publish")
    }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        try sent.showIfOnlyLooking()
        let id = try call.id()
        let corrected = try call.service.proposal(id, for: call.caller, in: call.service.store.current.town).corrected
        var patch = try sent.event(call, correcting: corrected)
        // A place that was taken away is none.
        if corrected == nil { patch.fields.insert("business") }
        let version = Precondition.Versions(named: sent["version"] ?? "")
        let edited = ProposedChanges.event(PatchInput(patch))
        let compared = sent["business-version"].map { Precondition.Versions(named: $0) }
        let outcome = try await call.run {
            $0.acceptProposal(id, with: edited, versions: version, compared: compared, for: $1)
        }
        guard case .proposal(let proposal)? = outcome.joined, let event = proposal.event else {
            return .seeOther(WaitingPage.path + "?done=saved")
        }
        return .seeOther(Link.path(event: event.value.slug))
    }
}
