import Testing

@testable import Exchange

@Suite struct CalendarLinksTests {
    @Test(arguments: [
        (
            #"<link rel="alternate" type="text/calendar" title="Events" href="/cal?x=1&amp;y=2">"#,
            "Events https://a.example/cal?x=1&y=2"
        ),
        ("<a class='x' href='feed.ics#top'>", " https://a.example/town/feed.ics#top"),
        ("<a href=webcal://b.example/x>", " webcal://b.example/x"),
        ("<a href=\"//b.example/x.ICS?k\">", " //b.example/x.ICS?k"),
        ("<a href=\"/about\">", ""), ("<a href=>", ""), ("<", ""), ("<link type=text/calendar", ""),
    ])
    func areFound(page: String, link: String) {
        let found = CalendarLinks.found(in: Array(page.utf8), at: "https://a.example/town/events?day=1")
        let must = link.replacingFirst(" //", with: " https://")
        #expect(found.map { "\($0.name) \($0.address)" }.joined(separator: ",") == must)
    }
}

extension String {
    fileprivate func replacingFirst(_ text: String, with other: String) -> String {
        hasPrefix(text) ? other + dropFirst(text.count) : self
    }
}
