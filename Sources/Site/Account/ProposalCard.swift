import Bytes
import Service
import SookeModel
import Store

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
        \(WaitingPage.rejection(at: "/account/waiting/", id, key: "p\(proposal.id)", label: isEvent ? "Reject…" : "Dismiss…"))\
        </article>
        """
    }

    private var isEvent: Bool { proposal.about == .event }

    private var head: HTML {
        let sender = joined.sender.map { $0.displayName.shown ?? "somebody with an account" } ?? "a visitor"
        let sent = WaitingPage.sent(proposal.sentAt, view)
        guard !isEvent, let business = joined.business else {
            return "<p class=\"small soft\">Event, sent by \(sender) \(sent)</p>"
        }
        return """
            <p class="small soft">Report about <a href="/businesses/\(path: business.slug.text)">\(business.name)</a>, from \
            \(sender) \(sent)</p>
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

    /// The event that would come of it.
    var event: Event {
        var problems = FieldProblems()
        var event = proposal.changes(of: Event.self, &problems).applied(to: Event())
        event.business = event.business ?? joined.business?.slug
        return event
    }

    /// What would be another text at the place.
    private var changes: [(label: String, before: String, after: String)] {
        guard let business = joined.business else { return [] }
        var problems = FieldProblems()
        let patch = proposal.changes(of: Business.self, &problems)
        let after = business.with(patch.applied(to: business.value))
        let form = HoursForm(view)
        var labels = BusinessFactsPage.fields.map(\.field).labels
        for (name, day) in zip(HoursForm.days, Words.mondayFirst) { labels[name] = day }
        for holiday in form.holidays { labels[holiday.field] = holiday.name }
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
            \(accepting(proposal.changes == nil ? "It is done" : "Make this change"))\(if: joined.business, { business in
                """
                <a class="button quiet" href="\(link: form(of: business))">Open the place</a>
                """
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
        <form method="post" action="/account/waiting/\(path: id)/accept">\(WaitingPage.version(joined.digest))\
        \(if: isEvent ? nil : joined.business, { business in
            "<input type=\"hidden\" name=\"business-version\" value=\"\(Hex.text(of: business.digest))\">"
        })<button>\(label)</button></form>
        """
    }
}
