import HTTP
import Service
import TestSupport
import Testing

@testable import Site

/// The pages of a town that is read-only.
@Suite struct ReadOnlyPagesTests {
    private let password = "harbour lantern seven"
    private static let title = "<h1>Nothing can be changed now</h1>"
    private static let reason = "we &lt;move&gt;"

    private func readOnlyTown() async throws -> (town: SiteTown, cookie: String) {
        let town = try await SiteTown()
        try await town.setPassword(password, of: 12)
        let cookie = try await town.logIn(13)
        try await town.store.makeReadOnly(reason: "we <move>")
        return (town, cookie)
    }

    private func checkRefusal(_ response: Response, _ target: String) {
        #expect(response.status == .serviceUnavailable, "\(target)")
        #expect(response.headers.first("Retry-After") == "30", "\(target)")
        #expect(response.headers.first("Set-Cookie") == nil)
        #expect(response.text.contains(Self.title) && response.text.contains(Self.reason), "\(target)")
    }

    private func path(_ pattern: String) -> String {
        pattern.replacing("{slug}", with: "zeds").replacing("{id}", with: "1")
    }

    @Test func nobodyLogsIn() async throws {
        let (town, _) = try await readOnlyTown()
        let (before, fields) = (town.store.current.position, [("login-email", "olga@private.example")])
        for target in [
            "/login", "/login?then=/account", "/forgotten-password", "/password-reset", "/invitation", "/setup",
            "/confirmation", "/new-event",
        ] {
            checkRefusal(try await town.send(.get, target), target)
            let sent = try await town.send(
                form: fields + [("login-password", password), ("note", "I wrote this")], to: target)
            checkRefusal(sent, target)
            // What they typed is not lost, and their password is not shown.
            #expect(sent.text.contains("I wrote this") && !sent.text.contains(password), "\(target)")
        }
        #expect(town.mailCount == 0)
        #expect(town.store.current.position == before)
        try await town.store.endReadOnly()
        let response = try await town.send(form: fields + [("login-password", password)], to: "/login")
        #expect(response.status == .seeOther)
    }

    /// Every form, also those of people who are logged in.
    @Test func noFormChangesAnything() async throws {
        let (town, cookie) = try await readOnlyTown()
        let before = town.store.current.position
        let paths = town.pages.endpoints.filter { !$0.method.isSafe }.map { path($0.pattern) }
        #expect(paths.count > 8)
        for target in paths {
            checkRefusal(try await town.send(form: [("name", "Soup")], to: target, cookie: cookie), target)
        }
        #expect(town.store.current.position == before)
    }
}
