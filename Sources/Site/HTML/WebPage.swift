import Bytes
import Dispatcher
import SookeModel

/// A page: what it shows, and what its frame has to know of it.
struct WebPage {
    /// The part of the site to which a page belongs.
    enum Tab {
        case home
        case businesses
        case events
        case waiting
        case account
    }

    /// Its name, without that of the town.
    let title: String
    var tab: Tab?
    /// One sentence for search engines and for those who share the address.
    var description: String?
    /// The path by which search engines know it; nil for a page that they must not list.
    var path: String?
    /// What it tells machines (JSON-LD).
    var data: HTML = ""
    /// The topics of the feed with whose changes it changes; none for a page that stays.
    var topics: [String] = []
    /// When something on it opens, closes or ends.
    var until: Timestamp?
    /// Whether it shows the time, so that it is another one each minute.
    var hasClock = false
    /// Whether it has a form, whose script keeps what was typed.
    var hasForm = false
    /// Whether it is a task, such as a form, that has the screen of a phone for itself.
    var isTask = false
    var main: HTML

    init(_ title: String, tab: Tab? = nil, main: HTML) {
        (self.title, self.tab, self.main) = (title, tab, main)
    }
}

/// What an address of the site answers with.
enum Answer {
    case page(WebPage)
    /// The current address of what was asked for.
    case moved(CacheableResponse)
}
