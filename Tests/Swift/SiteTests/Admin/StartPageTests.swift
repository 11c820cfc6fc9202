import HTTP
import SookeModel
import Testing

@testable import Site

@Suite struct StartPageTests {
    private let password = "seven rain coats dry"

    /// From the link to the first place, by forms alone.
    @Test func theFirstStart() async throws {
        let town = try await SiteTown([])
        let fields = [
            ("code", try town.service.makeSetupLink()), ("email", "ada@town.example"), ("password", password),
        ]
        let made = try await town.send(form: fields, to: "/setup")
        #expect(made.headers.first("Location") == "/admin/start")
        let cookie = String(try #require(made.headers.first("Set-Cookie")).prefix { $0 != ";" })
        let page = try await town.page("/admin/start", cookie: cookie)
        #expect(page.contains("name=\"name\" type=\"text\" value=\"Sooke\""))
        // The clocks that it has already.
        #expect(page.contains("name=\"time_zone\" type=\"text\" value=\"America/Vancouver\""))
        #expect(page.contains("name=\"was.time_zone\" value=\"\""))
        #expect(page.contains("name=\"terms\" value=\"true\" checked"))
        let sent = [
            ("name", "Otter Point"), ("was.name", "Sooke"), ("time_zone", "America/Vancouver"), ("was.time_zone", ""),
            ("holidays", "CA-BC"), ("was.holidays", ""), ("center", "48.36, -123.75"), ("was.center", ""),
            ("terms", "true"),
        ]
        let done = try await town.send(form: sent, to: "/admin/start", cookie: cookie)
        #expect(done.headers.first("Location") == "/admin/businesses/new")
        let settings = town.store.current.town.settings
        #expect(
            settings.name == "Otter Point" && settings.timeZone == "America/Vancouver" && settings.holidays == "CA-BC")
        #expect(settings.center?.latitude == 48.36)
        #expect(
            town.store.current.town.count(of: .category) == 16 && town.store.current.town.count(of: .eventType) == 10)
        let first = try await town.page("/admin/businesses/new", cookie: cookie)
        #expect(first.contains("<h1 dir=\"auto\">Add your first place</h1>"))
        #expect(first.contains(">Restaurants</option>"))
        // Sent twice.
        #expect(try await town.send(form: sent, to: "/admin/start", cookie: cookie).status == .seeOther)
        #expect(town.store.current.town.count(of: .category) == 16)
    }
}
