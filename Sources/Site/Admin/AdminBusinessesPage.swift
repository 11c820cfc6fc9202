import Bytes
import Dispatcher
import HTTP
import Service
import SookeModel
import Store

enum AdminBusinessesPage {
    static let path = "/admin/businesses"
    static let parameters = ["q", "page", "unlisted", "done"]

    private static let pageSize = 50
    /// Fewer, because those that are listed stand below them.
    private static let unlistedSize = 20

    static func page(_ view: View) throws -> WebPage {
        let words = try view.call.parameter("q")
        let unlisted = try unlisted(words, view)
        return WebPage(
            "Places", .form, tab: .account, topics: ["business", "category"],
            main: """
                \(AdminParts.head("Places", view))\
                \(AdminParts.search("Search places", words, "A name, a dish, a street"))\
                <div class="actions"><a class="button quiet" href="/admin/businesses/new">New place</a></div>\
                \(if: unlisted.total > 0, section("Not listed", unlisted, "unlisted", words, view))\
                \(section("Listed", try listed(view), "page", words, view))
                """)
    }

    private static func listed(_ view: View) throws -> Page<BusinessRecord> {
        let request = PageRequest(number: try view.call.count("page") ?? 1, size: pageSize)
        var query = BusinessQuery()
        if let search = try view.call.search() {
            let found = BusinessSearch(search, in: view.town)
            (query.matches, query.order) = (found.ranked, .relevance)
        }
        return view.town.page(request, of: query)
    }

    /// Those that are not listed, which the search of everybody does not find, by a part of their names.
    private static func unlisted(_ words: String?, _ view: View) throws -> Page<BusinessRecord> {
        let request = PageRequest(number: try view.call.count("unlisted") ?? 1, size: unlistedSize)
        let part = folded(words ?? "")
        return Page(
            of: view.town.businesses.inOrderOfID.lazy.filter { business in
                business.categoryID == nil && (part.isEmpty || folded(business.name).firstRange(ofBytes: part) != nil)
            }, request)
    }

    private static func folded(_ text: String) -> String { String(decoding: CaseFolding.fold(text), as: UTF8.self) }

    private static func section(
        _ title: String, _ page: Page<BusinessRecord>, _ parameter: StaticString, _ words: String?, _ view: View
    ) -> HTML {
        """
        <section class="section"><h2>\(title)</h2><p class="soft" role="status">\(page.summary("place"))</p>\
        \(if: !page.records.isEmpty, list(page.records, view))\
        \(page.links { Link("/admin/businesses", [("q", words), (parameter, "\($0)")]) })</section>
        """
    }

    static func list(_ businesses: [BusinessRecord], _ view: View) -> HTML {
        """
        <ul class="rows">\(each: businesses, { business in
            AdminParts.row(
                "b\(business.id)", Link(under: "/account/businesses", business.slug), business.name,
                view.line(of: [view.category(of: business)?.name, business.addressOrArea]), isOfPeople: true)
        })</ul>
        """
    }
}
