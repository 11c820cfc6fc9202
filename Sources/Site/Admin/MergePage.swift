import Bytes
import Dispatcher
import HTTP
import Service
import SookeModel
import Store

/// `/admin/businesses/{slug}/merge`: joins a place with another one, which stays.
enum MergePage: FormPage {
    static let path = "/admin/businesses/{slug}/merge"
    static let access = AdminParts.editing

    /// The place of the list, and the one that was written.
    private static let (into, other) = ("into", "slug")
    private static let mostProposed = 5

    private static func field(isAlone: Bool) -> FormField {
        FormField(
            name: other, label: isAlone ? "The other place" : "Another one",
            hint: "The address of its page, or the end of it.",
            control: .line(type: "text"))
    }

    static func page(_ view: View, _ state: FormState) throws(HTTPError) -> WebPage {
        let business = try OwnBusiness.find(view.call, in: view.town)
        let similar = similar(to: business, view)
        var page = WebPage(
            "Join \(business.name) with another place", tab: .account,
            main: """
                \(AdminParts.head("Join with another place", in: AdminBusinessPage.link(to: business), view))\
                <form class="form" method="post">\(state.summary([other: "The other place"]))\
                <p><bdi>\(business.name)</bdi> becomes a part of the other place, and its address leads there. The other one \
                gets its events, and keeps what it has: only what it lacks is filled in.</p>\
                \(if: !similar.isEmpty, choices(similar, state, view))\(field(isAlone: similar.isEmpty).markup(state))\
                <div class="actions"><button>Join them</button></div></form>
                """)
        (page.hasForm, page.isTask) = (true, true)
        return page
    }

    private static func choices(_ similar: [BusinessRecord], _ state: FormState, _ view: View) -> HTML {
        """
        <fieldset><legend>Which one stays?</legend>\(each: similar, { business in
            """
            <label class="option"><input type="radio" name="into" value="\(business.slug.text)"\
            \(attribute: "checked", if: state.isTicked(into, business.slug.text))><span><bdi>\(business.name)</bdi><br>\
            <span class="soft small">\(view.line(of: [view.category(of: business)?.name, business.streetAddress]))</span></span>\
            </label>
            """
        })</fieldset>
        """
    }

    /// Listed places with a similar name.
    private static func similar(to business: BusinessRecord, _ view: View) -> [BusinessRecord] {
        guard let query = try? SearchQuery(business.name), let search = try? BusinessSearch(query, in: view.town) else {
            return []
        }
        let found = search.ranked.lazy.compactMap { view.town.businesses[$0.id] }.filter { $0.id != business.id }
        return Array(found.prefix(mostProposed))
    }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        let written = sent[other].map(pasted) ?? ""
        let target = Slug(written.isEmpty ? sent[into] ?? "" : written)
        if target.isEmpty { throw FormRefusal(other, "is missing: choose one, or write its address") }
        let slug = try call.slug()
        // It was sent twice, and is done.
        if call.town.businesses[slug] == nil, let joined = call.town.businesses[formerly: slug], joined.slug == target {
            return .seeOther(OwnBusiness.path(of: joined) + "?done=joined")
        }
        let business = try OwnBusiness.find(call, in: call.town)
        let context = try call.context(hasKey: false)
        let outcome = try await call.service.run(
            call.service.mergeBusinesses(business.slug, into: target, for: context), for: context)
        guard let stays = outcome.business else { return .seeOther(AdminBusinessesPage.path) }
        return .seeOther(OwnBusiness.path(of: stays) + "?done=joined")
    }

    /// The slug in an address that somebody pasted.
    private static func pasted(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "/")) else { return text }
        let path = text.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        let last = String(Substring(path)).split(at: "/").last ?? ""
        return (try? PercentCoding.decode(last.utf8)).flatMap { String(validUTF8: $0) } ?? last
    }
}
