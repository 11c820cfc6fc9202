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

    static func page(_ view: View) throws -> WebPage {
        let (call, town) = (view.call, view.town)
        let first = PageRequest(number: 1, size: most)
        let waiting = try call.service.events(of: .pendingReview, page: first, for: call.caller, in: town)
        // Their own wait for others.
        let events = waiting.records.filter { view.may(.eventReviewer, at: $0.value.slug) }
        let proposals = call.service.proposals(visibleTo: call.caller, page: first, in: town).records
        let count = call.service.waitingCount(for: call.caller, in: town)
        let yesterday = call.now.advanced(bySeconds: -86_400)
        let displaced = call.caller.isEditor(in: town) ? town.proposals.displaced(since: yesterday) : 0
        return WebPage(
            "Waiting", .form, tab: .waiting, topics: ["event", "business"],
            main: """
                <section \
                class="head"><h1>\
                \(count == 0 ? "Nothing to review" : "\(count) to review")</h1>\
                \(view.done)</section><div class="stack">\
                \(each: events, { card(of: $0, view) })\
                \(each: proposals, { ProposalCard(joined: $0, view: view).markup })\
                \(if: displaced > 0 ? "\(Count(displaced, "proposal"))" : nil, { displaced in
                    "<p class=\"soft\">Within a day, \(displaced) from visitors had to make room for others.</p>"
                })\
                \(if: count > events.count + proposals.count,
                    "<p class=\"soft\">The others follow when these are decided.</p>")\
                \(HolidayPage.lines(view))\(unconfirmed(view))</div>
                """)
    }

    // MARK: - Events of people with an account

    private static func card(of event: EventRecord, _ view: View) -> HTML {
        let value = event.value
        let sender = value.submittedBy.flatMap { view.town.people[$0] }
        let slug = value.slug.text
        return """
            <article class="card" data-key="e\(event.id)"><p class="small soft">Event, sent by \
            \(sender.map { $0.displayName.shown ?? "a member" } ?? "a former member") \
            \(sent(value.times.created, view))</p>\
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

    static func event(_ event: Event, _ view: View) -> HTML {
        let business = event.business.flatMap { view.town.businesses[$0] }
        let zone = view.events.zone(of: event, at: business)
        let words = Words(at: view.call.now, in: zone, has24Hours: view.town.settings.has24Hours)
        let first = (event.settled(in: zone) ?? event).first
        let when = first.map(words.sentence) ?? ""
        let rule = event.rrule.flatMap { try? RecurrenceRule($0) }
        let series = rule.flatMap { rule in first.map { words.recurrence(rule, from: words.firstDay(of: $0)) } }
        let kind = view.town.eventTypes[event.eventType]?.value.name
        let place = [event.location, business?.name].compactMap(\.self).joined(separator: ", ").shown
        let host = event.host.flatMap { view.town.businesses[$0]?.name } ?? event.organizer
        return """
            <h2 dir="auto">\(event.name)</h2><dl class="pair small"><dt>When</dt><dd>\(when)\
            \(if: series, { "<br>\($0)" })</dd>\
            \(if: place, { "<dt>Where</dt><dd dir=\"auto\">\($0)</dd>" })\
            \(if: host, { "<dt>Organised by</dt><dd dir=\"auto\">\($0)</dd>" })\
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
        <span class="hint">The sender can read this if they have an account.</span></div>\
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
                <a class="button quiet" href="/account/businesses/\(path: business.slug.text)/hours">\
                Look at the hours</a>\
                \(if: business.value.phone.flatMap(Link.init(phone:)), { link in
                    "<a class=\"button plain\" href=\"\(link: link)\">\(Icon.phone)Call</a>"
                })</div></article>
                """
            })\
            \(if: due.total > due.records.count, "<p class=\"soft\">And \(due.total - due.records.count) others.</p>")\
            </section>
            """
    }

    // MARK: - Decisions

    static let actions: [(path: String, action: @Sendable (Call, Submission) async throws -> Response)] = [
        (path + "/events/{slug}/approve", approve), (path + "/events/{slug}/reject", rejectEvent),
        (path + "/{id}/accept", accept), (path + "/{id}/reject", reject),
    ]

    private static func approve(_ call: Call, _ sent: Submission) async throws -> Response {
        let version = Precondition.Versions(named: sent["version"] ?? "")
        try await call.run { try $0.approveEvent(call.slug(), versions: version, for: $1) }
        return .seeOther(path + "?done=published")
    }

    private static func rejectEvent(_ call: Call, _ sent: Submission) async throws -> Response {
        try await call.run { try $0.rejectEvent(call.slug(), reason: sent["reason"] ?? "", for: $1) }
        return .seeOther(path + "?done=rejected")
    }

    private static func accept(_ call: Call, _ sent: Submission) async throws -> Response {
        let version = Precondition.Versions(named: sent["version"] ?? "")
        let business = sent["business-version"].map { Precondition.Versions(named: $0) }
        try await call.run { try $0.acceptProposal(call.id(), versions: version, business: business, for: $1) }
        return .seeOther(path + "?done=done")
    }

    private static func reject(_ call: Call, _ sent: Submission) async throws -> Response {
        try await call.run { try $0.rejectProposal(call.id(), reason: sent["reason"] ?? "", for: $1) }
        return .seeOther(path + "?done=rejected")
    }
}

/// A proposal for who decides: an event, a change of a place, or words about one.
struct ProposalCard {
    let joined: JoinedProposal
    let view: View

    private var proposal: Proposal { joined.record }
    private var id: String { "\(proposal.id)" }

    var markup: HTML {
        """
        <article class="card" data-key="p\(proposal.id)">\(head)\(content)\
        \(if: proposal.text, { "<blockquote class=\"small\" dir=\"auto\">“\($0)”</blockquote>" })\(email)\
        <div class="actions">\(decisions)</div>\
        \(WaitingPage.rejection(at: "/account/waiting/", id, key: "p\(proposal.id)",
            label: isEvent ? "Reject…" : "Dismiss…"))\
        </article>
        """
    }

    private var isEvent: Bool { proposal.about == .event }

    private var head: HTML {
        let sender = joined.sender.map { $0.displayName.shown ?? "a member" } ?? "a visitor"
        let sent = WaitingPage.sent(proposal.sentAt, view)
        guard !isEvent, let business = joined.business else {
            return "<p class=\"small soft\">Event, sent by \(sender) \(sent)</p>"
        }
        return """
            <p class="small soft">Report about <a href="/businesses/\(path: business.slug.text)">\(business.name)</a>, \
            from \(sender) \(sent)</p>
            """
    }

    private var content: HTML {
        if isEvent { return WaitingPage.event(event, view) }
        let rows = changes
        if rows.isEmpty { return "" }
        return """
            <dl class="diff small">\(each: rows, { row in
                """
                <dt>\(row.label)</dt><dd dir="auto"><del>\(row.before.isEmpty ? "nothing" : row.before)</del> \
                <ins>\(row.after.isEmpty ? "nothing" : row.after)</ins></dd>
                """
            })</dl>
            """
    }

    var event: Event {
        var problems = FieldProblems()
        var event = proposal.changes(of: Event.self, &problems).applied(to: Event())
        event.business = event.business ?? joined.business?.slug
        return event
    }

    private var changes: [(label: String, before: String, after: String)] {
        guard let business = joined.business else { return [] }
        var problems = FieldProblems()
        let patch = proposal.changes(of: Business.self, &problems)
        let after = business.with(patch.applied(to: business.value))
        let form = HoursForm(view)
        var labels = BusinessFactsPage.fields.map(\.field).labels
        for (name, day) in zip(HoursForm.days, Words.mondayFirst) { labels[name] = day }
        for holiday in form.holidays { labels[holiday.field] = holiday.name }
        labels[HoursForm.standing] = "Public holidays"
        func texts(_ record: BusinessRecord) -> [(name: String, text: String)] {
            BusinessFactsPage.fields.texts(of: record.value) + form.texts(of: record)
        }
        let before = Dictionary(texts(business).map { ($0.name, $0.text) }) { first, _ in first }
        return texts(after).compactMap { name, text in
            before[name] == text ? nil : (labels[name] ?? "Hours", before[name] ?? "", text)
        }
    }

    private var email: HTML {
        let link = proposal.email.flatMap { text in Link(email: text).map { (text: text, link: $0) } }
        return "\(if: link, { "<p class=\"small\">For questions: <a href=\"\(link: $0.link)\">\($0.text)</a></p>" })"
    }

    private var decisions: HTML {
        if isEvent {
            return """
                \(accepting("Publish"))<a class="button quiet" href="/account/waiting/\(path: id)">Edit first</a>
                """
        }
        return """
            \(accepting(proposal.changes == nil ? "Mark as done" : "Make this change"))\
            \(if: joined.business, { business in
                #"<a class="button quiet" href="\#(link: form(of: business))">Open the place</a>"#
            })
            """
    }

    /// The form with what the report is about: the hours, or the facts for anything else.
    private func form(of business: BusinessRecord) -> Link {
        var problems = FieldProblems()
        let fields = proposal.changes(of: Business.self, &problems).fields
        let isAboutHours = !fields.isDisjoint(with: ["hours", "opening_hours", "special_hours"])
        return Link("/account/businesses/", business.slug.text, isAboutHours ? "/hours" : "")
    }

    private func accepting(_ label: String) -> HTML {
        """
        <form method="post" action="/account/waiting/\(path: id)/accept">\(WaitingPage.version(joined.record.digest))\
        \(if: isEvent ? nil : joined.business, { business in
            "<input type=\"hidden\" name=\"business-version\" value=\"\(Hex.text(of: business.digest))\">"
        })<button>\(label)</button></form>
        """
    }
}
