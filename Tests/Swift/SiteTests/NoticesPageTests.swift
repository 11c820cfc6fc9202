import Bytes
import Foundation
import SookeModel
import Testing

@testable import Site

/// Notices on pages. It is Monday 23 November 2026, 4:12 pm.
@Suite struct NoticesPageTests {
    private static func notice(_ title: String, _ more: String = "") -> (RecordKind, String) {
        (.notice, #"{"title":"\#(title)","from":"2026-11-23T08:00:00-08:00","state":"current"\#(more)}"#)
    }

    /// A danger comes first, then the newest; a few stand there, and the others behind a link.
    @Test func theyStandAboveEachPage() async throws {
        let town = try await SiteTown()
        let empty = try await town.page("/")
        #expect(empty.contains(#"<main id="main"><div role="status" id="notices"></div>"#))
        try await town.write([
            Self.notice("Flood", #","severity":"danger","until":"2026-11-24T09:00:00-08:00""#), Self.notice("Two"),
            Self.notice("Three"), Self.notice("Four"), Self.notice("Five", #","severity":"warning""#),
        ])
        for path in ["/", "/about", "/businesses", "/businesses/zeds", "/new-event", "/login"] {
            let page = try await town.page(path)
            let titles = page.parts(between: "<b dir=\"auto\">", and: "</b>")
            #expect(titles == ["Danger: Flood", "Warning: Five", "Four"] && page.contains("and 2 more"), "\(path)")
            #expect(page.contains("Until tomorrow, 9 am"))
        }
        #expect(try await town.page("/about").contains(#"notice" data-until"#))
        let all = try await town.page("/notices")
        #expect(
            all.main.parts(between: "<h2 dir=\"auto\">", and: "</h2>").count == 5 && !all.contains("id=\"notices\""))
        #expect(try await town.page("/week").contains("Danger: Flood"))
        #expect(try await town.page("/events.atom").contains("<title>Danger: Flood</title>"))
        #expect(try await !town.page("/embed/open").contains("Flood"))
    }

    /// It goes by the clock, also where that could not be stored.
    @Test func noPageShowsOneThatIsOver() async throws {
        let town = try await SiteTown()
        try await town.write([Self.notice("Snow", #","until":"2026-11-23T16:12:30-08:00""#)])
        for path in ["/", "/notices", "/week", "/events.atom", "/businesses"] {
            #expect(try await town.page(path).contains("Snow"), "\(path)")
        }
        #expect(try await town.page("/businesses").contains(#"data-until="1795479150""#))
        town.clock.advance(bySeconds: 30)
        for path in ["/", "/notices", "/week", "/events.atom", "/businesses"] {
            #expect(try await !town.page(path).contains("Snow"), "\(path)")
        }
    }

    @Test func aHundredAddLittle() async throws {
        let town = try await SiteTown()
        let before = try await town.page("/").utf8.count
        let text = #","text":"\#(String(repeating: "word ", count: 100))","until":"2026-12-24T09:00:00-08:00""#
        try await town.write(
            (0..<100).map { number in
                Self.notice("\(number) " + String(repeating: "t", count: 116), text + #","severity":"danger""#)
            })
        #expect(try await town.page("/").utf8.count - before <= 1_500)
    }

    /// From a beginning to a public notice by two taps; one more ends it.
    @Test func aBeginningIsPublished() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 13)
        let start = try await town.page("/admin/new-notice", cookie: cookie)
        let names = start.parts(between: "<span class=\"name\">", and: "</span>")
        #expect(names == ["Snow", "Water", "Power", "Road", "Office closed", "Something else"])
        let form = try await town.page("/admin/new-notice?as=1", cookie: cookie)
        #expect(form.contains(#"type="datetime-local" value="2026-11-24T09:00""#))
        var fields = [
            ("title", "Snow"), ("text", "Stay at home."), ("severity", "warning"), ("until", "2026-11-24T09:00"),
        ]
        fields += [("businesses", "Zed's"), ("closes", "yes"), ("key", "0123456789")]
        let sent = try await town.send(form: fields, to: "/admin/new-notice", cookie: cookie)
        #expect(sent.headers.first("Location") == "/notices?done=published", "\(sent.text)")
        let place = try await town.page("/businesses/zeds")
        #expect(place.contains("Warning: Snow") && place.words.contains("Closed"))
        #expect(try await town.page("/notices").contains("since Mon 23 Nov, 4:12 pm"))
        let more = try await town.send(form: [], to: "/account/notices/snow/extend", cookie: cookie)
        #expect(more.status == .seeOther)
        #expect(town.store.current.town.notices[1]?.until == Timestamp(rfc3339: "2026-11-25T09:00:00-08:00"))
        #expect(try await town.send(form: [], to: "/account/notices/snow/end", cookie: cookie).status == .seeOther)
        #expect(try await !town.page("/").contains("Snow"))
        #expect(town.store.current.town.businesses[Slug("zeds")]?.value.specialHours.map(\.reason) == ["Feast"])
        let wrong = try await town.send(
            form: [("title", "A"), ("businesses", "nowhere"), ("until", "soon")], to: "/admin/new-notice",
            cookie: cookie)
        #expect(wrong.text.contains("Write it like"))
    }

    /// An owner closes a place of theirs, and nothing else.
    @Test func anOwnerIsClosedToday() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 12)
        let path = "/account/businesses/zeds/closed-today"
        for _ in 0..<2 {
            let sent = try await town.send(form: [], to: path, cookie: cookie)
            #expect(sent.headers.first("Location") == "/account/businesses/zeds?done=saved", "\(sent.text)")
        }
        let notices = Array(town.store.current.town.notices.inOrderOfID)
        #expect(notices.map(\.title) == ["Zed's is closed today"])
        #expect(notices.first?.until == Timestamp(rfc3339: "2026-11-24T00:00:00-08:00"))
        #expect(try await town.page("/businesses/zeds").words.contains("Closed"))
        let slug = try #require(notices.first?.slug.text)
        #expect(try await town.page("/account/businesses/zeds", cookie: cookie).contains("\(slug)/end"))
        #expect(try await town.send(.get, "/admin/new-notice", [("Cookie", cookie)]).status == .forbidden)
        try await town.write([Self.notice("Snow")])
        #expect(try await town.send(form: [], to: "/account/notices/snow/end", cookie: cookie).status == .forbidden)
        #expect(try await town.send(form: [], to: "/account/notices/\(slug)/end", cookie: cookie).status == .seeOther)
        #expect(try await !town.page("/businesses/zeds").contains("closed today"))
        _ = try await town.send(form: [], to: path, cookie: cookie)
        #expect(town.store.current.town.notices.count == 2)
    }

    /// One without an end waits for its author each week.
    @Test func itAsksIfItIsStillRight() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 13)
        try await town.write([Self.notice("Road closed")])
        #expect(try await !town.page("/account/waiting", cookie: cookie).contains("Is it still right?"))
        town.clock.advance(bySeconds: 7 * 86_400)
        let session = try await town.logIn(13)
        #expect(try await town.page("/account/waiting", cookie: session).contains("Is it still right?"))
        let answer = try await town.send(form: [], to: "/account/notices/road-closed/confirm", cookie: session)
        #expect(answer.headers.first("Location") == "/account/waiting?done=done")
        #expect(try await !town.page("/account/waiting", cookie: session).contains("Is it still right?"))
        #expect(try await town.page("/notices").contains("last confirmed today"))
    }
}
