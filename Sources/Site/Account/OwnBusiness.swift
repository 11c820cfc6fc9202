import Dispatcher
import HTTP
import Service
import SookeModel
import Store

/// What the pages share on which a business is edited.
enum OwnBusiness {
    /// The business of the address, also by a slug that it had before: somebody may have renamed it meanwhile.
    ///
    /// - Throws: 404, 403.
    static func find(_ call: Call, in town: Town) throws(HTTPError) -> BusinessRecord {
        let slug = try call.slug()
        return try call.translatingErrors { () throws(ServiceError) in
            guard let business = town.businesses[slug] ?? town.businesses[formerly: slug] else {
                throw .notFound(.record(.business))
            }
            try Access.businessEditor.check(call.caller, slug: business.slug, in: town)
            return business
        }
    }

    static func find(_ call: Call, in version: Version) throws -> (record: BusinessRecord, digest: UInt64) {
        let business = try find(call, in: version.town)
        return (business, business.digest)
    }

    static func path(of business: BusinessRecord) -> String { "/account" + Link.path(business: business.slug) }

    /// The address after a form was sent: the business may have another slug by now.
    static func path(_ call: Call, _ rest: String = "") throws(HTTPError) -> String {
        path(of: try find(call, in: call.service.store.current.town)) + rest
    }

    /// The head of its pages: where they belong, and the name, which is said at once when somebody changes it.
    static func head(_ business: BusinessRecord, _ title: String, _ view: View, isFirst: Bool = false) -> HTML {
        """
        <section class="head"><p class="small crumbs"><a href="/account">You</a> › \
        \(if: isFirst, "<a href=\"/businesses/\(path: business.slug.text)\">What everybody sees</a>")\
        \(if: !isFirst, "<a href=\"/account/businesses/\(path: business.slug.text)\">\(business.name)</a>")</p>\
        <h1 dir="auto">\(title)</h1>\(view.done)</section>
        """
    }

    /// The question whether everything is still right, with one button for yes.
    static func confirmation(of business: BusinessRecord, _ view: View) -> HTML {
        """
        <form class="card" method="post" action="/account/businesses/\(path: business.slug.text)/confirm" \
        data-key="confirm"><p>Are hours and facts still right? \(lastConfirmed(business, view))</p><div class="actions">\
        <button>Yes, all right</button></div></form>
        """
    }

    static func lastConfirmed(_ business: BusinessRecord, _ view: View) -> String {
        business.confirmedAt.map { "Last confirmed \(view.words.ago($0))." } ?? "Not confirmed yet."
    }

    static func confirm(_ call: Call, _ sent: Submission) async throws -> Response {
        let business = try find(call, in: call.town)
        let context = try call.context(hasKey: false)
        _ = try await call.service.run(call.service.confirmBusiness(business.slug, for: context), for: context)
        return .seeOther(try path(call, "?done=confirmed"))
    }

    /// Changes the business by a form, whose change may confirm it.
    static func save(
        _ call: Call, _ sent: Submission, hasMore: Bool = false, confirms: Bool = false,
        _ texts: (BusinessRecord) -> [(name: String, text: String)],
        _ patch: (BusinessRecord, [String: String]) throws -> Patch<Business>
    ) async throws {
        try await call.merge(sent, hasMore: hasMore, into: { try find(call, in: $0) }, texts) {
            business, changes, context in
            call.service.updateBusiness(
                business.slug, PatchInput(try patch(business, changes)), confirms: confirms, for: context)
        }
    }
}

extension View {
    /// What was just done, in words; nothing when the page was opened otherwise.
    var done: HTML {
        let words: String? =
            switch try? call.parameter("done") {
            case "saved": "Saved. Everybody sees it now."
            case "kept": "Saved."
            case "confirmed": "Thank you. Everybody sees that it is right."
            case "sent": "Thank you. It waits for a decision now."
            case "removed": "Removed."
            case "added": "Added."
            case "restored": "It is here again, with its events."
            case "joined": "The two are one now."
            case "ended": "They are logged out everywhere."
            default: nil
            }
        return "\(if: words, { "<p class=\"echo\" role=\"status\" tabindex=\"-1\" autofocus>\($0)</p>" })"
    }
}
