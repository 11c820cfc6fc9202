import HTTP
import TestSupport
import Testing

@testable import Site

@Suite struct LoginPageTests {
    private let password = "harbour lantern seven"

    private func login(_ password: String, _ others: [(String, String)] = []) -> [(String, String)] {
        [("login-email", "olga@private.example"), ("login-password", password)] + others
    }

    @Test func aCookieIsTheSession() async throws {
        let town = try await SiteTown()
        try await town.setPassword(password, of: 12)
        let response = try await town.send(form: login(password), to: "/login")
        #expect(response.status == .seeOther)
        #expect(response.headers.first("Location") == "/account")
        let cookie = try #require(response.headers.first("Set-Cookie"))
        #expect(cookie.hasPrefix("__Host-sooke=sooke_ses_"))
        #expect(cookie.hasSuffix("; Path=/; Secure; HttpOnly; SameSite=Lax"))
        let page = try await town.page("/account", cookie: String(cookie.prefix { $0 != ";" }))
        #expect(page.contains("<h1 dir=\"auto\">Olga</h1>"))
        #expect(page.rows == ["Zed's"])
    }

    @Test func withoutHTTPSTheNameHasThePort() async throws {
        let town = try await SiteTown(url: "http://localhost:8123")
        try await town.setPassword(password, of: 12)
        let response = try await town.send(form: login(password, [("login-stays", "true")]), to: "/login")
        let cookie = try #require(response.headers.first("Set-Cookie"))
        #expect(cookie.hasPrefix("sooke-8123=sooke_ses_"))
        #expect(cookie.hasSuffix("; Max-Age=34560000; Path=/; HttpOnly; SameSite=Lax"))
    }

    @Test func aWrongPasswordShowsTheFormAgain() async throws {
        let town = try await SiteTown()
        try await town.setPassword(password, of: 12)
        let response = try await town.send(
            form: login("guessed-it", [("login-stays", "true"), ("name", "Soup")]), to: "/login")
        #expect(response.status == .unauthorized)
        #expect(response.headers.first("Set-Cookie") == nil)
        #expect(response.text.contains("There is no account with this e-mail address and password."))
        #expect(response.text.contains("value=\"olga@private.example\""))
        #expect(response.text.contains("name=\"login-stays\" value=\"true\" checked"))
        #expect(response.text.contains("<input type=\"hidden\" name=\"name\" value=\"Soup\">"))
        #expect(!response.text.contains("guessed-it"))
    }

    @Test func whoMustLogInComesBack() async throws {
        let town = try await SiteTown()
        try await town.setPassword(password, of: 12)
        let refused = try await town.send(.get, "/account/password?a=b%20c")
        #expect(refused.status == .seeOther)
        #expect(refused.headers.first("Location") == "/login?then=/account/password%3Fa%3Db%2520c")
        let page = try await town.page("/login?then=/account/password%3Fa%3Db%2520c")
        #expect(page.contains("name=\"login-then\" value=\"/account/password?a=b%20c\""))
        let done = try await town.send(
            form: login(password, [("login-then", "/account/password?a=b%20c")]), to: "/login")
        #expect(done.headers.first("Location") == "/account/password?a=b%20c")
    }

    @Test func whatWasTypedGoesOn() async throws {
        let town = try await SiteTown()
        try await town.setPassword(password, of: 12)
        let typed = [("password", "my old words are these"), ("note", "two\r\nlines <b>")]
        let refused = try await town.send(form: typed, to: "/account/password")
        #expect(refused.status == .unauthorized)
        #expect(refused.text.contains("name=\"note\" value=\"two&#13;\nlines &lt;b&gt;\""))
        #expect(refused.text.contains("name=\"login-then\" value=\"/account/password\""))
        #expect(refused.text.contains("name=\"login-again\""))
        // The browser repeats the request with the session.
        let done = try await town.send(
            form: login(password, [("login-then", "/account/password"), ("login-again", "yes")] + typed), to: "/login")
        #expect(done.status == .temporaryRedirect)
        #expect(done.headers.first("Location") == "/account/password")
    }

    @Test(arguments: [
        "https://evil.example/", "//evil.example/", "/\\evil.example", "evil", "", "/a\r\nSet-Cookie: x=y", "/é",
        "javascript:alert(1)",
    ])
    func noOtherSiteIsAWayOn(_ target: String) async throws {
        let town = try await SiteTown()
        try await town.setPassword(password, of: 12)
        let response = try await town.send(form: login(password, [("login-then", target)]), to: "/login")
        #expect(response.status == .seeOther)
        #expect(response.headers.first("Location") == "/account")
    }

    /// The cookie is replaced, so nobody could end its session any more.
    @Test func theSessionOfTheCookieEndsAndNoOther() async throws {
        let town = try await SiteTown()
        try await town.setPassword(password, of: 12)
        let (old, other) = (try await town.logIn(13), try await town.logIn(12))
        let sent = try await town.send(form: login(password), to: "/login", cookie: old)
        #expect(sent.status == .seeOther)
        #expect(try await town.send(.get, "/account", [("Cookie", old)]).status == .seeOther)
        #expect(try await town.send(.get, "/account", [("Cookie", other)]).status == .ok)
    }

    /// A browser keeps the cookie of a site with HTTPS only over HTTPS.
    @Test(arguments: [("http://town.example", false), ("https://town.example", true), ("http://localhost", true)])
    func withoutHTTPSThePageSaysWhatIsWrong(_ origin: String, _ isIn: Bool) async throws {
        let town = try await SiteTown()
        try await town.setPassword(password, of: 12)
        let host = try #require(origin.split(separator: "/").last)
        let body = "login-email=olga%40private.example&login-password=harbour+lantern+seven"
        let response = try await town.send(
            .post, "/login",
            [("Host", "\(host)"), ("Origin", origin), ("Content-Type", "application/x-www-form-urlencoded")],
            body: body)
        #expect(response.status == (isIn ? .seeOther : .unprocessableContent), "\(response.text)")
        #expect(response.text.contains("Open https://town.example/login and try it there") != isIn)
        #expect((response.headers.first("Set-Cookie") != nil) == isIn)
    }

    @Test func loggingOutEndsTheSession() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 12)
        let response = try await town.send(form: [], to: "/logout", cookie: cookie)
        #expect(response.status == .seeOther)
        #expect(response.headers.first("Set-Cookie")?.hasPrefix("__Host-sooke=; Max-Age=0;") == true)
        #expect(try await town.send(.get, "/account", [("Cookie", cookie)]).status == .seeOther)
        // What everybody may see, they still see.
        #expect(try await town.page("/businesses", cookie: cookie).contains("Log in"))
    }

    @Test func aTokenOfAProgramIsNoCookie() async throws {
        let town = try await SiteTown()
        let cookie = try await town.logIn(12).replacing("sooke_ses_", with: "sooke_api_")
        #expect(try await town.send(.get, "/account", [("Cookie", cookie)]).status == .seeOther)
    }
}
