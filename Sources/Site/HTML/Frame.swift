import Bytes
import Dispatcher
import SookeModel

struct Frame: Sendable {
    let settings: Settings
    /// The address of the site, for links that must be absolute.
    let url: String
    /// Who looks at the page; nil for a stranger.
    var person: Person?
    /// Whether the address has a secret, which no other site gets.
    var hasSecretAddress = false
    /// How much waits for a decision of them.
    var waiting = 0
    /// The offset of the town's clocks, by which a script goes on counting; nil for a page that does not follow them.
    var offset: Int?
    var notices: HTML = ""

    var town: String { settings.title }
    var tagline: String? { settings.tagline.shown }

    func around(_ page: WebPage) -> HTML {
        """
        <!doctype html>
        <html lang="en-CA" data-theme="\(settings.theme.rawValue)" \
        data-hours="\(settings.has24Hours ? "24" : "12")" data-topics="\(page.topics.joined(separator: ","))" \
        data-until="\(page.until.map { "\($0.seconds)" } ?? "")" \
        data-offset="\(offset.map { "\($0)" } ?? "")" data-offline="No connection: this page is as of">
        <head><meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
        <title>\(title(of: page))</title>
        \(if: page.next, { "<meta http-equiv=\"refresh\" content=\"2;url=\($0.text)\">" })\
        <meta name="theme-color" content="#ffffff" media="(prefers-color-scheme: light)">
        <meta name="theme-color" content="#191f25" media="(prefers-color-scheme: dark)">
        \(facts(about: page))\
        <link rel="stylesheet" href="/assets/\(path: Asset.stylesheet.name)">
        <link rel="icon" href="/icon.svg"><link rel="apple-touch-icon" href="/apple-touch-icon.png">\
        <link rel="manifest" href="/site.webmanifest">
        <script src="/assets/\(path: Asset.script.name)" defer></script>\
        \(if: page.use != .reading, "<script src=\"/assets/\(path: Asset.forms.name)\" defer></script>")</head>
        <body\(attribute: "class=\"task\"", if: page.use == .task)><a class="skip" href="#main">Skip to content</a>
        <header class="frame"><div><a class="town" href="/">\(Icon.waves)\(town)</a>
        <nav class="tabs" aria-label="Main">\(each: tabs, { $0.link(isCurrent: $0 == page.tab, waiting) })</nav>
        </div></header>
        <main id="main">\(if: !page.hasOwnNotices, notices)\(page.main)</main>
        \(page.use == .task ? foot(links: "") : foot)
        </body></html>

        """
    }

    /// A page for a frame in another site: its links leave the frame.
    func embedded(_ page: WebPage) -> HTML {
        """
        <!doctype html>
        <html lang="en-CA" data-theme="\(settings.theme.rawValue)"><head><meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
        <title>\(title(of: page))</title><base target="_top">
        <link rel="stylesheet" href="/assets/\(path: Asset.stylesheet.name)"></head>
        <body class="task"><main id="main">\(page.main)\
        <p><a class="button quiet" href="/">\(town)</a></p></main></body></html>

        """
    }

    private var tabs: [WebPage.Tab] {
        let all: [WebPage.Tab] = [.home, .businesses, .events]
        if person == nil { return all }
        // A phone has room for four.
        return waiting == 0 ? all + [.account] : [.businesses, .events, .waiting, .account]
    }

    private func title(of page: WebPage) -> String { page.title == town ? town : "\(page.title) · \(town)" }

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
            <meta property="og:image" content="\(url)/apple-touch-icon.png">
            \(if: page.description, description)\(page.data)

            """
    }

    private func description(_ text: String) -> HTML {
        """
        <meta name="description" content="\(text)"><meta property="og:description" content="\(text)">

        """
    }

    #if DEBUG
        private static let build: HTML = " Debug build: for speed, <code>swift run -c release sooke demo</code>"
    #else
        private static let build: HTML = ""
    #endif

    private var foot: HTML {
        foot(
            links: """
                <a href="/about">About and contact</a><a href="/new-event" rel="nofollow">Send an event</a>\
                <a href="/notices">Notices</a><a href="/events#subscribe">Calendar feed</a>\
                <a href="/week">Print the week</a>\
                <a href="/embed">Put this on your site</a>\
                <a href="/docs">For \
                developers</a>\(if: person == nil, "<a href=\"/login\" rel=\"nofollow\">Log in</a>")
                """)
    }

    private func foot(links: HTML) -> HTML {
        """
        <footer class="foot small soft"><span>All times are \(settings.name.shown ?? "local") time.\(Self.build)</span>\
        \(links)</footer>
        <p id="connection" class="connection small" role="status"></p>
        """
    }
}

extension WebPage.Tab {
    fileprivate func link(isCurrent: Bool, _ waiting: Int) -> HTML {
        let (path, name): (StaticString, HTML) =
            switch self {
            case .home: ("/", "\(Icon.home)Home")
            case .businesses: ("/businesses", "\(Icon.shop)Directory")
            case .events: ("/events", "\(Icon.calendar)Events")
            case .waiting: ("/account/waiting", "\(Icon.tray)Waiting<b>\(waiting)</b>")
            case .account: ("/account", "\(Icon.person)You")
            }
        return """
            <a href="\(link: Link(path))"\(attribute: "aria-current=\"page\"", if: isCurrent)>\(name)</a>
            """
    }
}

struct WebPage {
    enum Tab {
        case home, businesses, events, waiting, account
    }

    enum Use {
        case reading
        /// It has a form too, whose script keeps what was typed.
        case form
        /// It is a form, which has the screen of a phone for itself.
        case task
        case embedded
    }

    /// Its name, without that of the town.
    var title: String
    var tab: Tab?
    /// One sentence for search engines and for those who share the address.
    var description: String?
    /// The path by which search engines know it; nil for a page that they must not list.
    var path: String?
    var data: HTML = ""
    /// The topics of the feed with whose changes it changes; none for a page that stays.
    var topics: [String]
    var until: Timestamp?
    /// Whether it shows the time, so that it is another one each minute.
    var hasClock = false
    var hasOwnNotices = false
    /// Where a browser goes by itself after two seconds.
    var next: Link?
    let use: Use
    let main: HTML

    init(_ title: String, _ use: Use = .reading, tab: Tab? = nil, topics: [String] = [], main: HTML) {
        (self.title, self.use, self.tab, self.topics, self.main) = (title, use, tab, topics, main)
    }

    /// A form that has the screen for itself stays as it is.
    mutating func followNotices() {
        if use == .reading || !topics.isEmpty, use != .embedded { topics.append("notice") }
    }
}

enum Answer {
    case page(WebPage)
    case moved(CacheableResponse)
}
