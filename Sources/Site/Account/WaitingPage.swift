import Bytes
import Dispatcher
import HTTP
import Service
import SookeModel
import Store

/// `/account/waiting`: the events and proposals that a person may decide, the oldest first, and unconfirmed businesses.
enum WaitingPage {
    static let path = "/account/waiting"

    /// The most of each sort on the page; the others follow when these are decided.
    private static let most = 30
    private static let mostUnconfirmed = 10

    static func page(_ view: View) throws(HTTPError) -> WebPage {
        let (call, town) = (view.call, view.town)
        let first = PageRequest(number: 1, size: most)
        let waiting = try call.translatingErrors { () throws(ServiceError) in
            try call.service.events(
                of: .pendingReview, page: first, for: call.caller, in: town)
        }
        // Their own wait for others.
        let events = waiting.records.filter { view.may(.eventReviewer, at: $0.value.slug) }
        let proposals = call.service.proposals(visibleTo: call.caller, page: first, in: town).records
        let count = call.service.waitingCount(for: call.caller, in: town)
        let yesterday = call.now.advanced(bySeconds: -86_400)
        let displaced = call.caller.isEditor(in: town) ? town.proposals.displaced(since: yesterday) : 0
        var page = WebPage(
            "Waiting", tab: .waiting,
            main: """
                <section class="head"><h1>\(count == 0 ? "Nothing waits" : "\(Count(count, "thing")) \(count == 1 ? "waits" : "wait")")</h1>\
                \(view.done)</section><div class="stack">\
                \(each: events, { card(of: $0, view) })\
                \(each: proposals, { ProposalCard(joined: $0, view: view).markup })\
                \(if: displaced > 0 ? "\(Count(displaced, "proposal"))" : nil, { displaced in
                    "<p class=\"soft\">Within a day, \(displaced) of visitors had to make room for others.</p>"
                })\
                \(if: count > events.count + proposals.count, "<p class=\"soft\">The others follow when these are decided.</p>")\
                \(unconfirmed(view))</div>
                """)
        page.hasForm = true
        page.topics = ["event", "business"]
        return page
    }

    // MARK: - Events of people with an account

    private static func card(of event: EventRecord, _ view: View) -> HTML {
        let value = event.value
        let sender = value.submittedBy.flatMap { view.town.people[$0] }
        let slug = value.slug.text
        return """
            <article class="card" data-key="e\(event.id)"><p class="small soft">Event, sent by \
            \(sender.map { $0.displayName.shown ?? "somebody" } ?? "somebody") \(sent(value.times.created, view))</p>\
            \(self.event(value, view))<div class="actions">\(publishing(event))\
            <a class="button quiet" href="/account/events/\(path: slug)">Edit first</a></div>\
            \(rejection(at: "/account/waiting/events/", slug, key: "e\(event.id)"))</article>
            """
    }

    static func publishing(_ event: EventRecord) -> HTML {
        """
        <form method="post" action="/account/waiting/events/\(path: event.value.slug.text)/approve">\
        \(version(event.digest))<button>Publish</button></form>
        """
    }

    /// What an event is, for who decides.
    static func event(_ event: Event, _ view: View) -> HTML {
        let business = event.business.flatMap { view.town.businesses[$0] }
        let zone = view.events.zone(of: event, at: business)
        let words = Words(at: view.call.now, in: zone)
        let when = event.startsAt.map { words.sentence(of: Occurrence(startsAt: $0, endsAt: event.endsAt)) } ?? ""
        let rule = event.rrule.flatMap { try? RecurrenceRule($0) }
        let series = rule.flatMap { rule in event.startsAt.map { words.recurrence(rule, from: words.local($0).date) } }
        let kind = view.town.eventTypes[event.eventType]?.value.name
        return """
            <h2 dir="auto">\(event.name)</h2><dl class="pair small"><dt>When</dt><dd>\(when)\
            \(if: series, { "<br>\($0)" })</dd>\
            \(if: business?.name, { "<dt>Where</dt><dd dir=\"auto\">\($0)</dd>" })\
            \(if: kind, { "<dt>Kind</dt><dd>\($0)</dd>" })</dl>\(if: event.description, BusinessPage.paragraphs)
            """
    }

    static func sent(_ moment: Timestamp?, _ view: View) -> String { moment.map { view.words.ago($0) } ?? "" }

    /// The version that was read, so that nothing unread is published.
    static func version(_ digest: UInt64) -> HTML {
        "<input type=\"hidden\" name=\"version\" value=\"\(Hex.text(of: digest))\">"
    }

    static func rejection(at path: StaticString, _ name: String, key: String, label: String = "Reject…") -> HTML {
        """
        <details data-key="reject-\(key)"><summary class="button plain danger">\(label)</summary>\
        <form class="form" method="post" action="\(link: Link(path, name, "/reject"))">\
        <div class="field"><label for="reason-\(key)">Why?</label><input id="reason-\(key)" name="reason">\
        <span class="hint">Who sent it reads this, if they have an account.</span></div>\
        <div class="actions"><button class="quiet">Reject</button></div></form></details>
        """
    }

    // MARK: - Places

    private static func unconfirmed(_ view: View) -> HTML {
        let request = PageRequest(number: 1, size: mostUnconfirmed)
        let due = view.call.service.confirmationsDue(.year, page: request, for: view.call.caller, in: view.town).page
        if due.records.isEmpty { return "" }
        return """
            <section class="section"><h2>To be confirmed</h2>\(each: due.records, { business in
                """
                <article class="card" data-key="b\(business.id)"><h3 dir="auto">\(business.name)</h3>\
                <p class="small soft">\(OwnBusiness.lastConfirmed(business, view))</p><div class="actions">\
                <a class="button quiet" href="/account/businesses/\(path: business.slug.text)/hours">Look at the hours</a>\
                \(if: business.value.phone.flatMap(Link.init(phone:)), { link in
                    "<a class=\"button plain\" href=\"\(link: link)\">\(Icon.phone)Call</a>"
                })</div></article>
                """
            })\(if: due.total > due.records.count, "<p class=\"soft\">And \(due.total - due.records.count) others.</p>")</section>
            """
    }

    // MARK: - Decisions

    /// What its buttons do, by their addresses.
    static let actions: [(path: String, action: @Sendable (Call, Submission) async throws -> Response)] = [
        (path + "/events/{slug}/approve", approve), (path + "/events/{slug}/reject", rejectEvent),
        (path + "/{id}/accept", accept), (path + "/{id}/reject", reject),
    ]

    private static func approve(_ call: Call, _ sent: Submission) async throws -> Response {
        let (slug, context) = (try call.slug(), try call.context(hasKey: false))
        let version = Precondition.Versions(named: sent["version"] ?? "")
        _ = try await call.service.run(
            call.service.approveEvent(slug, versions: version, for: context), for: context)
        return .seeOther(path + "?done=saved")
    }

    private static func rejectEvent(_ call: Call, _ sent: Submission) async throws -> Response {
        let (slug, context) = (try call.slug(), try call.context(hasKey: false))
        _ = try await call.service.run(
            call.service.rejectEvent(slug, reason: sent["reason"] ?? "", for: context), for: context)
        return .seeOther(path)
    }

    private static func accept(_ call: Call, _ sent: Submission) async throws -> Response {
        let (id, context) = (try call.id(), try call.context(hasKey: false))
        let version = Precondition.Versions(named: sent["version"] ?? "")
        let business = sent["business-version"].map { Precondition.Versions(named: $0) }
        _ = try await call.service.run(
            call.service.acceptProposal(id, versions: version, business: business, for: context), for: context)
        return .seeOther(path + "?done=saved")
    }

    private static func reject(_ call: Call, _ sent: Submission) async throws -> Response {
        let (id, context) = (try call.id(), try call.context(hasKey: false))
        _ = try await call.service.run(
            call.service.rejectProposal(id, reason: sent["reason"] ?? "", for: context), for: context)
        return .seeOther(path)
    }
}
