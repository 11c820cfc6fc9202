import Dispatcher
import HTTP
import Service
import SookeModel
import Store

/// `/new-event`: an event that anybody sends. Nobody sees it before somebody has decided.
enum SendEventPage: FormPage {
    static let path = "/new-event"
    static let access = Access.anyone
    static let parameters = ["at", "done"]

    static func page(_ view: View, _ state: FormState) throws(HTTPError) -> WebPage {
        if try view.call.parameter("done") != nil { return thanks }
        var event = Event()
        if let slug = try view.call.parameter("at").map(Slug.init(_:)), view.town.businesses[slug]?.categoryID != nil {
            event.business = slug
        }
        let markup = EventMarkup(view, EventForm(view), of: event, state, isMerged: false)
        let message = FormField(
            name: "message", label: "Anything for those who decide?", hint: "Nobody else reads it.", control: .lines(2))
        var page = WebPage(
            "Send an event", tab: .events,
            main: """
                <section class="head"><p class="small crumbs"><a href="/events">Events</a></p><h1>Send an event</h1>\
                <p class="soft">Somebody reads it before everybody sees it.</p></section>\
                <div class="two"><form class="form" method="post" data-draft="\(view.drafts)" data-look="look">\
                \(state.summary(EventMarkup.labels))\(markup.fields)\(message.markup(state))\
                \(StrangerFields.markup(state, view))\
                \(FormState.sending("Send"))</form>\(markup.preview)</div>
                """)
        (page.hasForm, page.isTask) = (true, true)
        return page
    }

    private static var thanks: WebPage {
        WebPage(
            "Thank you", tab: .events,
            main: """
                <section class="head"><h1>Thank you</h1><p role="status" tabindex="-1" autofocus>Your event waits for a \
                decision now. When it is accepted, everybody sees it among the <a href="/events">events</a>.</p>\
                <div class="actions"><a class="button quiet" href="/new-event">Send another one</a></div></section>
                """)
    }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        try sent.showIfOnlyLooking()
        let done = Response.seeOther(path + "?done=sent")
        if StrangerFields.isOfProgram(sent) { return done }
        let form = EventForm(call)
        let patch = try form.patch(sent.all(of: form), of: Event())
        try StrangerFields.check(sent, call)
        let context = call.context(once: sent.key)
        _ = try await EventForm.translating {
            try await call.service.run(
                call.service.propose(event: PatchInput(patch), StrangerFields.message(sent, call), for: context),
                for: context)
        }
        return done
    }
}
