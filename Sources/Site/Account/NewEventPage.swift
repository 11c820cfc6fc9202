import Dispatcher
import HTTP
import Service
import SookeModel
import Store

/// `/account/new-event`: an event of somebody with an account.
enum NewEventPage: FormPage {
    static let path = "/account/new-event"
    static let access = Access.member
    static let parameters = ["at", "copy"]

    static func page(_ view: View, _ state: FormState) throws(HTTPError) -> WebPage {
        let form = EventForm(view)
        let markup = EventMarkup(view, form, of: try start(view), state, isMerged: false)
        var page = WebPage(
            "New event", tab: .account,
            main: """
                <section class="head"><p class="small crumbs"><a href="/account">You</a></p><h1>New event</h1></section>\
                <div class="two"><form class="form" method="post" data-draft="\(view.drafts)" data-look="look">\
                \(state.summary(EventMarkup.labels))\(markup.fields)\(state.keyField)\
                \(FormState.sending("Send"))</form>\(markup.preview)</div>
                """)
        (page.hasForm, page.isTask) = (true, true)
        return page
    }

    /// What the form begins with: a place, or another event whose times are to be given anew.
    private static func start(_ view: View) throws(HTTPError) -> Event {
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
        }
        return event
    }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        let form = EventForm(call)
        try sent.showIfOnlyLooking()
        let patch = try form.patch(sent.all(of: form), of: Event())
        let context = call.context(once: sent.key)
        let outcome = try await EventForm.translating {
            try await call.service.run(call.service.createEvent(PatchInput(patch), for: context), for: context)
        }
        guard let event = (outcome.joined as? JoinedEvent)?.record.value else { return .seeOther(AccountPage.path) }
        let done = event.status.isPublic ? "saved" : "sent"
        return .seeOther("/account" + Link.path(event: event.slug) + "?done=" + done)
    }
}

extension EventForm {
    /// Runs a use case, with its problems at the fields of the form.
    static func translating<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch ServiceError.invalid(let problems) {
            throw FormRefusal(problems.ofEventForm)
        }
    }
}

extension Outcome {
    /// The record that it created or changed; nil for none.
    var joined: (any JoinedRecord)? {
        switch self {
        case .created(let record), .updated(let record): record
        case .deleted, .stored: nil
        }
    }

    var business: BusinessRecord? { (joined as? JoinedBusiness)?.record }
}
