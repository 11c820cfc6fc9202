import Dispatcher
import HTTP
import Service
import SookeModel
import Store

/// `/reference/{token}`: an event or a report for whoever has its private link, and what became of it.
enum ReferencePage {
    static let path = "/reference/{token}"
    static let withdrawal = path + "/withdrawal"

    /// - Throws: 404 for a link that has ended, as for one that never was.
    static func token(_ call: Call) throws -> Token {
        guard let token = Token(reference: try call.captures.text("token")) else {
            throw ServiceError.notFound(.reference)
        }
        return token
    }

    static func page(_ view: View) throws -> WebPage {
        let token = try token(view.call)
        let (link, joined) = try view.call.service.proposal(by: token, in: view.town)
        let (card, proposal) = (ProposalCard(joined: joined, view: view), joined.record)
        let title = "Reference \(proposal.id)"
        return WebPage(
            title, .form, tab: proposal.about == .event ? .events : .businesses,
            main: """
                <section class="head"><h1>\(title)</h1>\(view.done)\(card.outcome)</section>\
                <div class="stack">\(if: proposal.isOpen, "<article class=\"card\">\(card.content)</article>")\
                \(actions(card, token))\
                <section class="card"><h2>Keep this link</h2><p>It is private. With it you see what we decide\
                \(if: link.expiresAt, { ", until \(view.words.date(view.words.local($0).date))" }).</p>\
                \(AdminParts.sharing(view.call.service.link(for: token)))</section></div>
                """)
    }

    private static func actions(_ card: ProposalCard, _ token: Token) -> HTML {
        let (proposal, secret) = (card.joined.record, token.reveal())
        if proposal.isOpen || card.joined.publishedEvent != nil {
            return """
                <div class="actions"><a class="button quiet" href="/reference/\(path: secret)/correction">Correct\
                 it</a></div>\(if: proposal.isOpen, """
                    <details><summary class="button plain danger">Withdraw…</summary><form method="post" \
                    action="/reference/\(path: secret)/withdrawal"><p>We delete what you wrote.</p>\
                    <button class="quiet danger">Withdraw it</button></form></details>
                    """)
                """
        }
        let business = proposal.about == .business ? card.joined.business : nil
        let again = business.map { Link("/businesses/", $0.slug.text, "/report") } ?? Link("/new-event")
        let label = business == nil ? "Send another event" : "Report another problem"
        return "<div class=\"actions\"><a class=\"button quiet\" href=\"\(link: again)\">\(label)</a></div>"
    }

    /// Twice is as once.
    static func withdraw(_ call: Call, _ sent: Submission) async throws -> Response {
        let token = try token(call)
        do {
            try await call.run { $0.withdrawProposal(by: token, for: $1) }
        } catch ServiceError.alreadyDecided {}
        return .seeOther(token.referencePath)
    }
}

/// `/reference/{token}/correction`: the form again. Before the decision it takes the place of what was sent; after it,
/// it is a new proposal to change the event, which stays as it is published.
enum CorrectionPage: EventFormPage {
    static let path = ReferencePage.path + "/correction"
    static let access = Access.anyone

    static func page(_ view: View, _ state: FormState) throws -> WebPage {
        let (token, joined) = try find(view.call, in: view.town)
        let card = ProposalCard(joined: joined, view: view)
        if let business = joined.business, joined.record.about == .business {
            return ReportPage.page(about: business, correcting: card, view, state)
        }
        return EventMarkup(view, card.form, of: card.event, state).page(
            "Correct \(card.event.name)", tab: .events,
            head: """
                <p class="small crumbs"><a href="/reference/\(path: token.reveal())">Reference \
                \(joined.record.id)</a></p><h1>Correct it</h1>\(if: joined.publishedEvent != nil, """
                    <p class="soft">What is published stays until we have decided.</p>
                    """)
                """,
            more: SendEventPage.note(shown: joined.record.text ?? "").markup(state)
                + StrangerFields.markup(state, view, isCorrection: true),
            button: "Send")
    }

    /// - Throws: `alreadyDecided` when nothing is left to correct.
    private static func find(_ call: Call, in town: Town) throws -> (token: Token, joined: JoinedProposal) {
        let token = try ReferencePage.token(call)
        let joined = try call.service.proposal(by: token, in: town).joined
        guard joined.record.isOpen || joined.publishedEvent != nil else {
            throw ServiceError.alreadyDecided(joined.record.state)
        }
        return (token, joined)
    }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        try sent.showIfOnlyLooking()
        let (token, joined) = try find(call, in: call.service.store.current.town)
        if let business = joined.business, joined.record.about == .business {
            return try await ReportPage.submit(call, sent, about: business, correcting: token)
        }
        let patch = PatchInput(try sent.event(call, correcting: joined.publishedEvent))
        return try await StrangerFields.send(sent, call, correcting: token) { $0.propose(event: patch, $1, for: $2) }
    }
}
