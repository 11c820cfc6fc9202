import Bytes
import Dispatcher
import Service
import SookeModel
import Store

enum AdminParts {
    /// The rows of the pages, for the page of an account; nothing for other people.
    static func rows(for view: View) -> HTML {
        guard view.call.caller.isEditor(in: view.town) else { return "" }
        return """
            <section class="section"><h2>The town</h2><ul class="rows">\
            \(row("/admin/businesses", "Places", "Find one, add one, join two"))\
            \(row("/admin/categories", "Categories", "Of places and events"))\
            \(if: view.call.isSuperAdmin, row("/admin/people", "People", "Invite them, and say what they may do"))\
            \(if: view.call.isSuperAdmin, row("/admin/town", "Settings", "Name, clocks, holidays, colours"))</ul>\
            \(if: view.call.isSuperAdmin, backup(view))</section>
            """
    }

    private static func backup(_ view: View) -> HTML {
        guard let last = view.call.service.lastBackup?() else { return "" }
        let good =
            last.at.map { "The last backup was \(view.words.ago($0)), \(view.words.time($0))." }
            ?? "There is no backup yet."
        guard let failure = last.failure else { return "<p class=\"soft small\">\(good)</p>" }
        return """
            <p class="problem">The backup of \(view.words.ago(failure.at)), \(view.words.time(failure.at)), failed: \
            \(failure.reason). \(good)</p>
            """
    }

    private static func row(_ path: StaticString, _ name: String, _ sub: String) -> HTML {
        """
        <li><a class="row" href="\(link: Link(path))"><span class="name">\(name)</span><span \
        class="sub">\(sub)</span></a></li>
        """
    }

    static func row(for business: BusinessRecord) -> HTML {
        """
        <li data-key="manage"><a class="row" href="/admin/businesses/\(path: business.slug.text)">\
        <span class="name">Manage</span><span class="sub">Hide, rename, join, delete</span></a></li>
        """
    }

    static func head(_ title: String, in parent: HTML = "", _ view: View) -> HTML {
        """
        <section class="head"><p class="small crumbs"><a \
        href="/account">You</a>\(if: !parent.isEmpty, " › ")\(parent)</p><h1 \
        dir="auto">\(title)</h1>\(view.done)</section>
        """
    }

    static func categories(of town: Town) -> [(value: String, label: String)] {
        [("", "None: it is not listed")] + town.categories.inOrderOfName().map { ($0.value.slug.text, $0.value.name) }
    }

    static let starter: HTML = "Restaurants, Shops and eight others, and ten types of events. You can rename them."

    /// A link that is shown once, to be copied and sent.
    static func link(_ link: String, _ title: String, _ advice: String) -> HTML {
        """
        <section class="card" role="status" tabindex="-1" autofocus><h2>\(title)</h2><p>\(advice)</p><div \
        class="field"><label for="made">Link, shown only now</label><input id="made" readonly \
        value="\(link)"></div></section>
        """
    }
}
