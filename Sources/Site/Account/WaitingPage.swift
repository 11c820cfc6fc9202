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
        let (call, town, number) = (view.call, view.town, try view.call.parameter("reference"))
        if let number {
            let found = Int(number).flatMap { try? call.service.proposal($0, for: call.caller, in: town) }
            let card = found.map { ProposalCard(joined: $0, view: view).markup }
            return page(
                "Reference \(number)", view,
                card ?? "<p>We could not find it here. Each is kept for 30 days after the decision.</p>")
        }
        let first = PageRequest(number: 1, size: most)
        let waiting = try call.service.events(of: .pendingReview, page: first, for: call.caller, in: town)
        // Their own wait for others.
        let events = waiting.records.filter { view.may(.eventReviewer, at: $0.value.slug) }
        let proposals = call.service.proposals(visibleTo: call.caller, page: first, in: town).records
        let count = call.service.waitingCount(for: call.caller, in: town)
        let yesterday = call.now.advanced(bySeconds: -86_400)
        let questions = call.service.noticesToConfirm(for: call.caller, in: town)
        let displaced = call.caller.isEditor(in: town) ? town.proposals.displaced(since: yesterday) : 0
        return page(
            count == 0 ? "Nothing to review" : "\(count) to review", view,
            """
            \(NoticesPage.questions(questions, view))\(CalendarsPage.lines(view))\
            \(each: events, { card(of: $0, view) })\
            \(each: proposals, { ProposalCard(joined: $0, view: view).markup })\
            \(if: displaced > 0 ? "\(Count(displaced, "proposal"))" : nil, { displaced in
                "<p class=\"soft\">Within a day, \(displaced) from visitors had to make room for others.</p>"
            })\
            \(if: count > events.count + proposals.count + questions.count,
                "<p class=\"soft\">The others follow when these are decided.</p>")\
            \(HolidayPage.lines(view))\(try unconfirmed(view))
            """)
    }

    private static func page(_ title: String, _ view: View, _ content: HTML) -> WebPage {
        WebPage(
            "Waiting", .form, tab: .waiting, topics: ["event", "business"],
            main: """
                <section class="head"><h1>\(title)</h1>\(view.done)<form role="search" class="line"><div class="field">\
                <label for="reference">Reference</label><input id="reference" name="reference" inputmode="numeric">\
                </div><button class="quiet">Find</button></form></section><div class="stack">\(content)</div>
                """)
    }

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
        let next = (try? EventRecord.make(event, in: view.town, after: nil))?.representative(at: view.events, business)
        let when = (next ?? first).map(words.sentence) ?? ""
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

    /// - Parameter links: those that may be blocked.
    static func rejection(
        at path: StaticString, _ name: String, key: String, label: String = "Reject…", blocking links: [String] = []
    ) -> HTML {
        """
        <details data-key="reject-\(key)"><summary class="button plain danger">\(label)</summary>\
        <form class="form" method="post" novalidate action="\(link: Link(path, name, "/reject"))">\
        <div class="field"><label for="reason-\(key)">Why?</label><input id="reason-\(key)" name="reason">\
        <span class="hint">The sender can read this.</span></div>\(if: !links.isEmpty, """
            <div class="field"><label for="block-\(key)">Is it spam?</label><select id="block-\(key)" name="block">\
            <option value="">Block no link</option>\(each: links, {
                "<option value=\"\($0)\">Block links to \($0)</option>"
            })</select></div>
            """)\
        <div class="actions"><button class="quiet">Reject</button></div></form></details>
        """
    }

    private static func unconfirmed(_ view: View) throws -> HTML {
        let request = PageRequest(number: try view.call.count("due") ?? 1, size: mostUnconfirmed)
        let due = view.call.service.confirmationsDue(.year, page: request, for: view.call.caller, in: view.town).page
        if due.records.isEmpty { return "" }
        return """
            <section class="section" id="due"><h2>To be confirmed</h2>\(each: due.records, { business in
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
            \(due.links { Link(on: "/account/waiting", "?due=\($0)#due") })\
            </section>
            """
    }

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
        let compared = sent["business-version"].map { Precondition.Versions(named: $0) }
        try await call.run { try $0.acceptProposal(call.id(), versions: version, compared: compared, for: $1) }
        return .seeOther(path + "?done=done")
    }

    private static func reject(_ call: Call, _ sent: Submission) async throws -> Response {
        let (reason, link) = (sent["reason"] ?? "", sent["block"].shown)
        try await call.run { try $0.rejectProposal(call.id(), reason: reason, blocking: link, for: $1) }
        return .seeOther(path + "?done=rejected")
    }
}

/// A proposal for who decides and for its sender: an event or its correction, a change of a place, or words about one.
struct ProposalCard {
    let joined: JoinedProposal
    let view: View

    private var proposal: Proposal { joined.record }
    private var id: String { "\(proposal.id)" }

    var markup: HTML {
        """
        <article class="card" data-key="p\(proposal.id)">\(head)\(if: !proposal.isOpen, outcome)\
        \(if: proposal.isOpen, """
            \(content)\(email)<div class="actions">\(decisions)</div>\
            \(WaitingPage.rejection(at: "/account/waiting/", id, key: "p\(proposal.id)",
                label: isEvent ? "Reject…" : "Dismiss…", blocking: blockable))
            """)</article>
        """
    }

    private var isEvent: Bool { proposal.about == .event }

    /// The links that an editor may block: the host and, below it, the address.
    private var blockable: [String] {
        guard view.call.caller.isEditor(in: view.town) else { return [] }
        let links = proposal.links.filter(\.isMarked).prefix(5).flatMap { [$0.host, $0.address] }
        return Set(links.map(ByteText.init)).sorted().map(\.text)
    }

    private var head: HTML {
        let sender = joined.sender.map { $0.displayName.shown ?? "a member" } ?? "a visitor"
        let sent = "\(sender) \(WaitingPage.sent(proposal.sentAt, view)) · Reference \(id)"
        if let event = joined.corrected {
            return "<p class=\"small soft\">Correction of \(link(to: event)), from \(sent)</p>"
        }
        guard !isEvent, let business = joined.business else {
            return "<p class=\"small soft\">Event, sent by \(sent)</p>"
        }
        return """
            <p class="small soft">Report about <a href="/businesses/\(path: business.slug.text)">\(business.name)</a>, \
            from \(sent)</p>\(if: proposal.concern, { "<h2>\(ReportPage.words(for: $0))</h2>" })
            """
    }

    private func link(to event: EventRecord) -> HTML {
        "<a href=\"/events/\(path: event.value.slug.text)\"><bdi>\(event.value.name)</bdi></a>"
    }

    var content: HTML {
        let rows: HTML = """
            \(each: changes, { row in
                """
                <dt>\(row.label)</dt><dd dir="auto"><del>\(row.before.isEmpty ? "nothing" : row.before)</del> \
                <ins>\(row.after.isEmpty ? "nothing" : row.after)</ins></dd>
                """
            })
            """
        return """
            \(if: isEvent && joined.corrected == nil, WaitingPage.event(event, view))\
            \(if: !rows.isEmpty, "<dl class=\"diff small\">\(rows)</dl>")\
            \(if: proposal.text, { "<blockquote class=\"small\" dir=\"auto\">“\($0)”</blockquote>" })
            """
    }

    private var usually: String {
        view.town.proposals.usualDays.map { ", usually within \($0 == 1 ? "a day" : "\($0) days")" } ?? ""
    }

    var outcome: HTML {
        let words =
            switch proposal.state {
            case .open: (isEvent ? "Waiting: we check every event before it is published" : "Waiting for us") + usually
            case .accepted where isEvent && joined.publishedEvent == nil: "Published, and cancelled or removed since"
            case .accepted: isEvent ? "Published" : "Done"
            case .rejected: isEvent ? "Not published" : "Nothing was changed"
            case .displaced: "Too many were waiting: please send it again"
            case .withdrawn: "Withdrawn"
            }
        return """
            <p><strong>\(words)</strong>\(if: joined.publishedEvent, { " \(link(to: $0))" })\
            \(if: proposal.reason.shown, { " <span dir=\"auto\">“\($0)”</span>" })</p>
            """
    }

    var form: EventForm {
        let event = joined.publishedEvent
        return EventForm(view, at: event.map { view.events.zone(of: $0.value, at: view.town.business(of: $0)) })
    }

    var event: Event {
        var problems = FieldProblems()
        let published = joined.publishedEvent?.value
        var event = proposal.changes(of: Event.self, &problems).applied(to: published ?? Event())
        if published == nil { event.business = event.business ?? joined.business?.slug }
        return event
    }

    var changes: [(name: String, label: String, before: String, after: String)] {
        if let corrected = joined.corrected {
            let before = Dictionary(form.texts(of: corrected.value).map { ($0.name, $0.text) }) { first, _ in first }
            return form.texts(of: event).compactMap { name, text in
                before[name] == text ? nil : (name, EventMarkup.labels[name] ?? name, before[name] ?? "", text)
            }
        }
        guard !isEvent, let business = joined.business else { return [] }
        var problems = FieldProblems()
        let patch = proposal.changes(of: Business.self, &problems)
        let after = business.with(patch.applied(to: business.value))
        let hours = HoursForm(view)
        var labels = BusinessFactsPage.fields.map(\.field).labels
        for (name, day) in zip(HoursForm.days, Words.mondayFirst) { labels[name] = day }
        for holiday in hours.holidays { labels[holiday.field] = holiday.name }
        labels[HoursForm.standing] = "Public holidays"
        func texts(_ record: BusinessRecord) -> [(name: String, text: String)] {
            BusinessFactsPage.fields.texts(of: record.value) + hours.texts(of: record)
        }
        let before = Dictionary(texts(business).map { ($0.name, $0.text) }) { first, _ in first }
        return texts(after).compactMap { name, text in
            before[name] == text ? nil : (name, labels[name] ?? "Hours", before[name] ?? "", text)
        }
    }

    private var email: HTML {
        let link = proposal.email.flatMap { text in Link(email: text).map { (text: text, link: $0) } }
        return "\(if: link, { "<p class=\"small\">For questions: <a href=\"\(link: $0.link)\">\($0.text)</a></p>" })"
    }

    private var decisions: HTML {
        if isEvent {
            return """
                \(accepting(joined.corrected == nil ? "Publish" : "Make this change"))\
                <a class="button quiet" href="/account/waiting/\(path: id)">Edit first</a>
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
        \(compared)<button>\(label)</button></form>
        """
    }

    var compared: HTML {
        let digest = isEvent ? joined.corrected?.digest : joined.business?.digest
        return """
            \(if: digest, { "<input type=\"hidden\" name=\"business-version\" value=\"\(Hex.text(of: $0))\">" })
            """
    }
}
