import HTTP
import SookeModel
import Testing

@testable import Site

@Suite struct StartPageTests {
    private let password = "seven rain coats dry"

    /// A new town, and the cookie of its first administrator.
    private func begun() async throws -> (town: SiteTown, cookie: String) {
        let town = try await SiteTown([])
        let fields = [
            ("code", try town.service.makeSetupLink()), ("email", "ada@town.example"), ("password", password),
        ]
        let made = try await town.send(form: fields, to: "/setup")
        #expect(made.headers.first("Location") == "/admin/start")
        return (town, String(try #require(made.headers.first("Set-Cookie")).prefix { $0 != ";" }))
    }

    /// From the link to the first place, by forms alone.
    @Test func theFirstStart() async throws {
        let (town, cookie) = try await begun()
        let first = try await town.page("/admin/start", cookie: cookie)
        #expect(first.contains("<h1>Where is your town?</h1>") && !first.contains("selected"))
        let page = try await town.page("/admin/start?country=CA&zone=America/Toronto&clock=24", cookie: cookie)
        #expect(page.contains("name=\"name\" type=\"text\" value=\"\""))
        #expect(page.contains("name=\"time_zone\" type=\"text\" value=\"America/Toronto\""))
        #expect(page.contains("name=\"was.time_zone\" value=\"\""))
        #expect(page.contains("name=\"currency\" type=\"text\" value=\"CAD\""))
        #expect(page.contains("<option value=\"12\" selected>") && page.contains("<option value=\"CA-ON\" selected>"))
        #expect(page.contains("name=\"terms\" value=\"true\" checked"))
        let sent = [
            ("name", "Otter Point"), ("was.name", ""), ("time_zone", "America/Vancouver"), ("was.time_zone", ""),
            ("holidays", "CA-BC"), ("was.holidays", ""), ("center", "48.36, -123.75"), ("was.center", ""),
            ("country", "CA"), ("was.country", ""), ("currency", "cad"), ("was.currency", ""), ("clock", "12"),
            ("was.clock", ""), ("terms", "true"),
        ]
        let done = try await town.send(form: sent, to: "/admin/start", cookie: cookie)
        #expect(done.headers.first("Location") == "/admin/businesses/new")
        let settings = town.store.current.town.settings
        #expect(
            settings.name == "Otter Point" && settings.timeZone == "America/Vancouver" && settings.holidays == "CA-BC")
        #expect(settings.country == "CA" && settings.currency == "CAD" && settings.clock == .twelve)
        #expect(settings.center?.latitude == 48.36)
        #expect(
            town.store.current.town.count(of: .category) == 16 && town.store.current.town.count(of: .eventType) == 10)
        let place = try await town.page("/admin/businesses/new", cookie: cookie)
        #expect(place.contains("<h1 dir=\"auto\">Add your first place</h1>"))
        #expect(place.contains(">Restaurants</option>"))
        // Sent twice.
        #expect(try await town.send(form: sent, to: "/admin/start", cookie: cookie).status == .seeOther)
        #expect(town.store.current.town.count(of: .category) == 16)
    }

    private static let calendar = """
        BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VEVENT\nUID:1\nDTSTART;VALUE=DATE:20270317\nSUMMARY:Saint Patrick's Day
        END:VEVENT\nEND:VCALENDAR
        """

    /// What the server guessed for itself is not proposed, and holidays come from a file.
    @Test func aTownElsewhere() async throws {
        let (town, cookie) = try await begun()
        try await town.write([(.settings, #"{"time_zone":"America/Vancouver","holidays":"CA-BC"}"#)])
        let page = try await town.page("/admin/start?country=IE", cookie: cookie)
        #expect(page.contains("name=\"time_zone\" type=\"text\" value=\"Europe/Dublin\""))
        #expect(page.contains("name=\"was.time_zone\" value=\"America/Vancouver\""))
        #expect(page.contains("<option value=\"\" selected>Those of the calendar below</option>"))
        #expect(page.contains("<option value=\"24\" selected>") && page.contains("type=\"text\" value=\"EUR\""))
        var sent = [
            ("name", "Howth"), ("was.name", ""), ("time_zone", "Europe/Dublin"), ("was.time_zone", "America/Vancouver"),
            ("holidays", ""), ("was.holidays", "CA-BC"), ("country", "IE"), ("was.country", ""), ("currency", "EUR"),
            ("was.currency", ""), ("clock", "24"), ("was.clock", ""),
        ]
        let refused = try await town.send(form: sent, to: "/admin/start", cookie: cookie)
        #expect(refused.status == .unprocessableContent && refused.text.contains("<a href=\"#holidays\">"))
        sent.append(("holiday_calendar", Self.calendar))
        #expect(try await town.send(form: sent, to: "/admin/start", cookie: cookie).status == .seeOther)
        let settings = town.store.current.town.settings
        #expect(settings.timeZone == "Europe/Dublin" && settings.currency == "EUR" && settings.has24Hours)
        #expect(settings.holidays == nil && settings.holidayDates.map(\.name) == ["Saint Patrick's Day"])
        let home = try await town.page("/")
        #expect(home.contains("data-hours=\"24\"") && home.contains("Tuesday 00:12"))
        #expect(try await town.page("/admin/town", cookie: cookie).contains("A calendar, known until 2027-03-17"))
    }

    /// Where the browser says nothing, nothing is chosen.
    @Test func nothingIsPreselectedWithoutAReason() async throws {
        let (town, cookie) = try await begun()
        try await town.write([(.settings, #"{"time_zone":"America/Vancouver","holidays":"CA-BC"}"#)])
        for address in ["/admin/start?country=other", "/admin/start?country=US&zone=Europe/Dublin"] {
            let page = try await town.page(address, cookie: cookie)
            #expect(page.contains("name=\"time_zone\" type=\"text\" value=\"\""), "\(address)")
        }
        let page = try await town.page("/admin/start?country=other&zone=Asia/Tokyo&clock=24", cookie: cookie)
        #expect(page.contains("name=\"time_zone\" type=\"text\" value=\"Asia/Tokyo\""))
        #expect(page.contains("name=\"currency\" type=\"text\" value=\"\"") && page.contains("value=\"24\" selected"))
    }

    @Test func aCalendarThatCannotBeUsedIsRefused() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 13)
        let sent = [("holiday_calendar", Self.calendar.replacing(";VALUE=DATE:20270317", with: ":20270317T090000"))]
        let refused = try await town.send(form: sent, to: "/admin/town", cookie: cookie)
        #expect(refused.status == .unprocessableContent)
        #expect(refused.text.contains("We could not use this calendar") && refused.text.contains("is a time of day"))
    }

    @Test func theCountriesAreInOrder() {
        #expect(Country.all.map(\.name) == Country.all.map(\.name).sorted())
        #expect(Set(Country.all.map(\.code)).count == Country.all.count)
        for country in Country.all {
            #expect(country.code.utf8.count == 2 && country.currency.utf8.count == 3 && !country.zones.isEmpty)
            for zone in country.zones { #expect(TimeZone.isAcceptable(zone) && zone.utf8.contains(0x2F), "\(zone)") }
        }
    }
}
