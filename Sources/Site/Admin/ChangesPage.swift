import Dispatcher
import Service
import SookeModel
import Store

enum ChangesPage {
    static let path = "/admin/changes"
    static let parameters = ["before", "done"]
    static let size = 40

    static func page(_ view: View) async throws -> WebPage {
        let call = view.call
        let history = try await call.service.changes(
            before: call.count("before"), limit: size, for: call.context(hasKey: false))
        let next = history.next.map { Link("/admin/changes", [("before", "\($0)")]) }
        let trash: HTML = "<p><a class=\"button quiet\" href=\"/admin/trash\">Deleted</a></p>"
        return WebPage(
            "What changed", .form, tab: .account,
            main: """
                \(AdminParts.head("What changed", view))\(if: try call.parameter("before") == nil, trash)\
                \(ChangeRows(history, view).markup)\(older(next))
                """)
    }

    static func older(_ link: Link?) -> HTML {
        """
        \(if: link, { "<div class=\"actions\"><a class=\"button quiet\" href=\"\(link: $0)\">Older</a></div>" })
        """
    }
}

/// `/account/businesses/{slug}/changes` and `/account/events/{slug}/changes`: what changed of a record, for who may
/// change it.
enum RecordChangesPage {
    static let parameters = ["before", "done"]

    static func ofBusiness(_ view: View) async throws -> WebPage {
        let business = try OwnBusiness.find(view.call, in: view.town)
        return try await page(.business, business.slug, business.name, view)
    }

    static func ofEvent(_ view: View) async throws -> WebPage {
        let event = try OwnEventPage.find(view.call, in: view.town).value
        return try await page(.event, event.slug, event.name, view)
    }

    private static func page(_ kind: RecordKind, _ slug: Slug, _ name: String, _ view: View) async throws -> WebPage {
        let call = view.call
        let history = try await call.service.history(
            of: kind, named: slug.text, limit: ChangesPage.size, before: call.count("before"),
            for: call.context(hasKey: false))
        let under: StaticString = kind == .event ? "/account/events" : "/account/businesses"
        let next = history.next.map { next in
            Link(under: under, slug, "changes").with([("before", "\(next)")])
        }
        return WebPage(
            "What changed: \(name)", .form, tab: .account, topics: [],
            main: """
                <section class="head"><p class="small crumbs"><a href="/account">You</a> › <a dir="auto" \
                href="\(link: Link(under: under, slug))">\(name)</a></p><h1>What changed</h1>\(view.done)</section>\
                \(ChangeRows(history, of: kind, view).markup)\(ChangesPage.older(next))
                """)
    }
}
