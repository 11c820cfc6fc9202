import HTTP
import TestSupport
import Testing

@testable import Site

/// What is the same for all forms.
@Suite struct FormPageTests {
    private static let form = ("Content-Type", "application/x-www-form-urlencoded")

    /// Where a request may come from, and what a browser says of it.
    private static let strangers: [[(String, String)]] = [
        [],
        [("Sec-Fetch-Site", "cross-site")], [("Sec-Fetch-Site", "same-site")], [("Sec-Fetch-Site", "none")],
        [("Sec-Fetch-Site", "cross-site"), ("Origin", "https://town.example")],
        [("Origin", "https://evil.example")], [("Origin", "null")], [("Origin", "https://town.example.evil.example")],
        [("Origin", "https://town.example:8443")], [("Origin", "")],
        [("Referer", "https://town.example/login")],
    ]

    @Test func noOtherSiteChangesAnything() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 13)
        let before = town.store.current.sequence
        // Programs that show a button for the end of e-mail send it without a page: its address is the right to it.
        let paths = town.pages.endpoints.filter { $0.method != .get }.map(\.pattern)
            .filter { $0 != "/stop-mail/{token}" }
        #expect(paths.count > 8)
        for path in paths {
            let target = path.replacing("{slug}", with: "zeds").replacing("{id}", with: "1")
            for origin in Self.strangers {
                let response = try await town.send(
                    .post, target, [("Cookie", cookie), Self.form, ("Host", "town.example")] + origin, body: "a=b")
                #expect(response.status == .forbidden, "\(path) from \(origin)")
                #expect(response.headers.first("Set-Cookie") == nil)
            }
        }
        #expect(town.store.current.sequence == before)
    }

    @Test(arguments: [
        [("Sec-Fetch-Site", "same-origin")], [("Sec-Fetch-Site", "same-origin"), ("Origin", "null")],
        [("Origin", "https://town.example")], [("Origin", "http://localhost")],
    ])
    func ownPagesMay(_ origin: [(String, String)]) async throws {
        let (town, cookie) = try await SiteTown.entered(by: 13)
        let response = try await town.send(.post, "/logout", [("Cookie", cookie), Self.form] + origin, body: "a=b")
        #expect(response.status == .seeOther)
    }

    /// What is wrong stands above the form, beside its field, and in the title, which is read first.
    @Test func aProblemIsSaidThreeTimes() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 13)
        let refused = try await town.send(form: [("email", "x")], to: "/admin/people", cookie: cookie)
        #expect(refused.status == .unprocessableContent)
        let (page, problem) = (refused.text, "Enter an e-mail address like name@example.org")
        #expect(page.contains("<title>Error: People · Sooke</title>"))
        #expect(page.contains("<strong>There is a problem</strong><p>Nothing has been saved; your text is below.</p>"))
        #expect(page.contains("<a href=\"#email\">\(problem)</a>"))
        #expect(page.contains("id=\"email-problem\">\(problem)</span>"))
    }

    @Test func theAPITakesACookieForReadsOnly() async throws {
        let town = try await SiteTown()
        let cookie = ("Cookie", "a=b; \(try await town.logIn(13)); c=d")
        let own = ("Sec-Fetch-Site", "same-origin")
        let json = ("Content-Type", "application/json")
        #expect(try await town.send(.get, "/api/v1/me", [cookie]).status == .ok)
        #expect(try await town.send(.get, "/api/v1/users", [cookie]).status == .ok)
        let patch = try await town.send(
            .patch, "/api/v1/businesses/zeds", [cookie, own, json], body: #"{"name":"Zed"}"#)
        #expect(patch.status == .unauthorized)
        #expect(try await town.send(.delete, "/api/v1/session", [cookie, own]).status == .unauthorized)
        #expect(try await town.send(.delete, "/api/v1/businesses/zeds", [cookie, own]).status == .unauthorized)
        #expect(try await town.send(.get, "/api/v1/me").headers.first("Access-Control-Allow-Credentials") == nil)
    }

    @Test func onlyOurCookieCounts() async throws {
        let town = try await SiteTown()
        let plain = try await town.send(.get, "/businesses")
        let other = try await town.send(.get, "/businesses", [("Cookie", "theme=dark; sooke=1; __Host-sookes=x")])
        #expect(other.text == plain.text)
        #expect(other.headers.first("Cache-Control") == "no-cache")
        let own = try await town.send(.get, "/businesses", [("Cookie", try await town.logIn(12))])
        #expect(own.headers.first("Cache-Control") == "no-store")
        #expect(own.headers.first("Content-Encoding") == nil)
        #expect(try await town.send(.get, "/businesses").text == plain.text)
    }

    @Test func nothingThatWasWrittenIsLost() async throws {
        let town = try await SiteTown()
        let typed = [
            ("text", "A long\r\nstory"), ("was.text", "yore"), ("password", "a-secret"), ("code", "sooke_set_x"),
        ]
        let gone = try await town.send(form: typed, to: "/businesses/none/report")
        #expect(gone.text.contains("<p class=\"card\" dir=\"auto\">A long&#13;\nstory</p>"))
        for hidden in ["yore", "a-secret", "sooke_set"] { #expect(!gone.text.contains(hidden)) }
    }

    @Test func aFormWithTooManyFieldsIsRefused() async throws {
        let town = try await SiteTown()
        let fields = (0..<1_001).map { ("f\($0)", "") }
        #expect(try await town.send(form: fields, to: "/login").status == .badRequest)
    }
}
