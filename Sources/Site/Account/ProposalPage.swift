import Dispatcher
import HTTP
import Service
import SookeModel
import Store

/// `/account/waiting/{id}`: an event that somebody sent, to be edited before it is published.
enum ProposalPage: FormPage {
    static let path = "/account/waiting/{id}"
    static let access = Access.member

    private static func find(_ call: Call, in town: Town) throws(HTTPError) -> JoinedProposal {
        let id = try call.id()
        let joined = try call.translatingErrors { () throws(ServiceError) in
            try call.service.proposal(id, for: call.caller, in: town)
        }
        guard joined.record.about == .event else { throw .notFound() }
        return joined
    }

    static func page(_ view: View, _ state: FormState) throws(HTTPError) -> WebPage {
        let joined = try find(view.call, in: view.town)
        let card = ProposalCard(joined: joined, view: view)
        let markup = EventMarkup(view, EventForm(view), of: card.event, state, isMerged: false)
        var page = WebPage(
            "Edit first", tab: .waiting,
            main: """
                <section class="head"><p class="small crumbs"><a href="/account/waiting">Waiting</a></p><h1>Edit first</h1>\
                \(if: joined.record.text, { "<p dir=\"auto\">“\($0)”</p>" })</section>\
                <div class="two"><form class="form" method="post" data-draft="\(view.drafts)" data-look="look">\
                \(state.summary(EventMarkup.labels))\(markup.fields)\(WaitingPage.version(joined.digest))\
                \(FormState.sending("Publish"))</form>\(markup.preview)</div>
                """)
        (page.hasForm, page.isTask) = (true, true)
        return page
    }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        try sent.showIfOnlyLooking()
        let id = try call.id()
        let form = EventForm(call)
        var patch = try form.patch(sent.all(of: form), of: Event())
        // A place that was taken away is none.
        patch.fields.insert("business")
        let context = try call.context(hasKey: false)
        let version = Precondition.Versions(named: sent["version"] ?? "")
        let edited = ProposedChanges.event(PatchInput(patch))
        let outcome = try await EventForm.translating {
            try await call.service.run(
                call.service.acceptProposal(id, with: edited, versions: version, for: context), for: context)
        }
        guard let event = (outcome.joined as? JoinedProposal)?.event else {
            return .seeOther(WaitingPage.path + "?done=saved")
        }
        return .seeOther(Link.path(event: event.value.slug))
    }
}
