import Bytes
import SookeModel

/// What surrounds each page of a town: its head, the tabs and the foot.
struct Frame: Sendable {
    /// The name of the town.
    let town: String
    /// What the town says of itself in a sentence; nil for nothing.
    let tagline: String?
    /// The theme, which sets the accent.
    let theme: String
    /// Where people write to when something is wrong; nil for nobody.
    let contact: String?
    /// The program that opens directions.
    let map: Settings.MapLink
    /// The address of the site, for links that must be absolute.
    let url: String
    /// Who looks at the page; nil for a stranger.
    var person: Person?
    /// How much waits for a decision of them.
    var waiting = 0

    func around(_ page: WebPage) -> HTML {
        """
        <!doctype html>
        <html lang="en-CA" data-theme="\(theme)" data-topics="\(page.topics.joined(separator: ","))" \
        data-until="\(page.until.map { "\($0.seconds)" } ?? "")" data-offline="No connection. What you see may be old.">
        <head><meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
        <title>\(title(of: page))</title>
        \(facts(about: page))\
        <link rel="stylesheet" href="/assets/\(path: Asset.stylesheet.name)">
        <link rel="icon" href="/icon.svg"><link rel="manifest" href="/site.webmanifest">
        <script src="/assets/\(path: Asset.script.name)" defer></script>\
        \(if: page.hasForm, "<script src=\"/assets/\(path: Asset.forms.name)\" defer></script>")</head>
        <body\(attribute: "class=\"task\"", if: page.isTask)><a class="skip" href="#main">Skip to content</a>
        <header class="frame"><div><a class="town" href="/">\(Icon.waves)\(town)</a>
        <nav class="tabs" aria-label="Main">\(each: tabs, { $0.link(isCurrent: $0 == page.tab, waiting) })</nav>
        </div></header>
        <main id="main">\(page.main)</main>
        \(foot)
        </body></html>

        """
    }

    private var tabs: [WebPage.Tab] {
        let all: [WebPage.Tab] = [.home, .businesses, .events]
        if person == nil { return all }
        // A phone has room for four.
        return waiting == 0 ? all + [.account] : [.businesses, .events, .waiting, .account]
    }

    private func title(of page: WebPage) -> String { page.title == town ? town : "\(page.title) – \(town)" }

    /// What search engines, and programs that show an address, read of a page.
    private func facts(about page: WebPage) -> HTML {
        guard let path = page.path else {
            return """
                <meta name="robots" content="noindex">

                """
        }
        return """
            <link rel="canonical" href="\(link: Link(on: url, path))">
            <meta property="og:title" content="\(title(of: page))"><meta property="og:site_name" content="\(town)">
            <meta property="og:url" content="\(url + path)"><meta property="og:type" content="website">
            \(if: page.description, description)\(page.data)

            """
    }

    private func description(_ text: String) -> HTML {
        """
        <meta name="description" content="\(text)"><meta property="og:description" content="\(text)">

        """
    }

    private var foot: HTML {
        """
        <footer class="foot small soft"><span>Times are local, in \(town).</span>\
        <a href="/new-event" rel="nofollow">Send an event</a>\
        <a href="/events#subscribe">Calendar feed</a><a href="/week">Print the week</a>\
        <a href="/docs">For developers</a>\(if: person == nil, "<a href=\"/login\" rel=\"nofollow\">Log in</a>")</footer>
        <p id="connection" class="connection small" role="status"></p>
        """
    }
}

extension WebPage.Tab {
    fileprivate func link(isCurrent: Bool, _ waiting: Int) -> HTML {
        switch self {
        case .home:
            """
            <a href="/"\(attribute: "aria-current=\"page\"", if: isCurrent)>\(Icon.home)Home</a>
            """
        case .businesses:
            """
            <a href="/businesses"\(attribute: "aria-current=\"page\"", if: isCurrent)>\(Icon.shop)Businesses</a>
            """
        case .events:
            """
            <a href="/events"\(attribute: "aria-current=\"page\"", if: isCurrent)>\(Icon.calendar)Events</a>
            """
        case .waiting:
            """
            <a href="/account/waiting"\(attribute: "aria-current=\"page\"", if: isCurrent)>\(Icon.tray)Waiting<b>\(waiting)</b></a>
            """
        case .account:
            """
            <a href="/account"\(attribute: "aria-current=\"page\"", if: isCurrent)>\(Icon.person)You</a>
            """
        }
    }
}
