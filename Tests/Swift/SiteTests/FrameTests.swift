import Bytes
import SookeModel
import Testing

@testable import Site

@Suite struct FrameTests {
    private static let frame = {
        var settings = Settings()
        (settings.name, settings.theme) = ("Otter & Point", .kelp)
        return Frame(settings: settings, url: "https://a.example")
    }()

    private static func around(_ change: (inout WebPage) -> Void = { _ in }) -> String {
        var page = WebPage("Bars", main: "<p>main</p>")
        change(&page)
        return String(decoding: frame.around(page).bytes, as: UTF8.self)
    }

    /// What search engines may list has an address and a description; what they may not has neither, and no data.
    @Test func facts() {
        let listed = Self.around {
            ($0.path, $0.description, $0.data) = ("/a?b=c&d", "\"A\" & b", .data(Array("{}".utf8)))
        }
        #expect(listed.contains("<link rel=\"canonical\" href=\"https://a.example/a?b=c&amp;d\">"))
        #expect(listed.contains("<meta property=\"og:url\" content=\"https://a.example/a?b=c&amp;d\">"))
        for name in ["name=\"description\"", "property=\"og:description\""] {
            #expect(listed.contains("<meta \(name) content=\"&#34;A&#34; &amp; b\">"))
        }
        #expect(listed.data == "{}" && !listed.contains("noindex"))
        let hidden = Self.around { ($0.description, $0.data) = ("A", .data(Array("{}".utf8))) }
        #expect(hidden.contains("<meta name=\"robots\" content=\"noindex\">"))
        #expect(hidden.data == nil && !hidden.contains("og:") && !hidden.contains("canonical"))
    }

    /// What the script follows.
    @Test func topicsAndTimes() {
        let page = Self.around { ($0.topics, $0.until) = (["event", "business"], Timestamp(microseconds: 17_999_999)) }
        #expect(
            page.contains(" data-theme=\"kelp\" data-hours=\"12\" data-topics=\"event,business\" data-until=\"17\" "))
        #expect(Self.around().contains(" data-topics=\"\" data-until=\"\" "))
    }

    /// A task has the screen for itself, so its foot is one line.
    @Test(arguments: [(WebPage.Use.reading, true), (.form, true), (.task, false)])
    func foot(use: WebPage.Use, hasLinks: Bool) {
        let page = String(decoding: Self.frame.around(WebPage("Bars", use, main: "")).bytes, as: UTF8.self)
        #expect(page.contains("All times are") && page.contains("id=\"connection\""))
        #expect(page.contains("href=\"/about\"") == hasLinks && page.contains("href=\"/week\"") == hasLinks)
    }

    @Test func surroundsThePage() {
        let page = Self.around()
        #expect(page.hasPrefix("<!doctype html>\n<html lang=\"en-CA\" ") && page.hasSuffix("</body></html>\n"))
        #expect(page.main == "<p>main</p>" && page.addresses.contains("#main"))
        #expect(page.contains("<span>All times are Otter &amp; Point time. Debug build: for speed, <code>"))
        #expect(Markup(page).problems == [])
    }
}
