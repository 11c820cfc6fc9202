import Bytes
import Foundation
import HTTP
import SookeModel
import TestSupport
import Testing

@testable import Site

/// It is Monday 23 November 2026. 12 is Olga, who owns Zed's.
@Suite struct HoursPageTests {
    private let path = "/account/businesses/zeds/hours"

    private func form(_ town: SiteTown, _ cookie: String) async throws -> FormOnPage {
        try FormOnPage(try await town.page(path, cookie: cookie))
    }

    private func business(_ town: SiteTown) throws -> Business {
        try #require(town.store.current.town.businesses[Slug("zeds")]?.value)
    }

    @Test func aWeekIsWrittenAsOnTheDoor() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 12)
        var form = try await form(town, cookie)
        #expect(form["mon"] == "11 am - 1:30 am")
        #expect(form["sun"] == "closed")
        #expect(form["tue"] == "")
        (form["tue"], form["mon"]) = ("11:30-2, 5-10", "")
        let done = try await town.send(form: form.fields, to: path, cookie: cookie)
        #expect(done.headers.first("Location") == path + "?done=saved")
        let rows = try business(town).hours.map { "\($0.dayOfWeek) \($0.opens.text) \($0.closes.text) \($0.isClosed)" }
        #expect(rows == ["0 00:00:00 00:00:00 true", "2 11:30:00 14:00:00 false", "2 17:00:00 22:00:00 false"])
    }

    /// Who writes hours has looked at them. Who sends them once more has changed nothing.
    @Test func savingConfirms() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 12)
        var form = try await form(town, cookie)
        form["tue"] = "9-5"
        for _ in 0..<2 {
            _ = try await town.send(form: form.fields, to: path, cookie: cookie)
            #expect(try business(town).confirmedAt?.rfc3339 == "2026-11-24T00:12:00Z")
            #expect(try business(town).confirmedBy == 12)
            town.clock.advance(bySeconds: 60)
        }
    }

    @Test func unreadableHoursAreShownAgain() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 12)
        var form = try await form(town, cookie)
        (form["thu"], form["fri"], form["sat"]) = ("7-11", "lunch", "9-5")
        let before = town.store.current.sequence
        let answer = try await town.send(form: form.fields, to: path, cookie: cookie)
        #expect(answer.status == .unprocessableContent)
        #expect(answer.text.contains("Write it with am and pm, such as “7 am to 11 pm”"))
        #expect(try FormOnPage(answer.text)["sat"] == "9-5")
        #expect(try FormOnPage(answer.text)["thu"] == "7-11")
        #expect(town.store.current.sequence == before)
        // What can be read is shown as people will see it.
        #expect(answer.text.contains("9 am – 5 pm"))
    }

    @Test func severalDaysAreSetAtOnce() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 12)
        let form = try await form(town, cookie)
        let days = ["mon", "tue", "wed", "thu", "fri"].map { ("days", $0) }
        let answer = try await town.send(
            form: form.fields.filter { $0.0 != "all" } + days + [("all", "9 to 5"), ("set", "yes")], to: path,
            cookie: cookie)
        #expect(answer.status == .ok)
        let filled = try FormOnPage(answer.text)
        #expect(["mon", "tue", "fri", "sat"].map { filled[$0] } == ["9 to 5", "9 to 5", "9 to 5", ""])
        _ = try await town.send(form: filled.fields, to: path, cookie: cookie)
        #expect(try business(town).hours.count == 6)
    }

    @Test(arguments: [
        "Jun-Sep Mo-Su 09:00-18:00; PH off", "Mo-Fr 09:00-17:00; PH off", "sunrise-sunset",
        "Mo[1] 09:00-12:00 \"first Monday\"",
    ])
    func aRuleStaysAsItIs(_ rule: String) async throws {
        let town = try await SiteTown()
        try await town.write([(.business, "{\"slug\":\"zeds\",\"opening_hours\":\(SiteTown.json(rule))}")])
        let cookie = try await town.logIn(12)
        var form = try await form(town, cookie)
        #expect(form["opening_hours"] == rule)
        #expect(form["mon"] == nil)
        form["holiday.2026-12-25"] = "other"
        form["holiday.2026-12-25.hours"] = "11-3 pm"
        let done = try await town.send(form: form.fields, to: path, cookie: cookie)
        #expect(done.status == .seeOther)
        #expect(try business(town).openingHours == rule)
        let day = try #require(CivilDate("2026-12-25"))
        #expect(try HoursForm(from: day, .none, has24Hours: false).text(on: day, in: business(town)) == "11 am - 3 pm")
    }

    @Test func holidaysAndOtherDays() async throws {
        let town = try await SiteTown()
        try await town.write([(.business, #"{"slug":"zeds","special_hours":[]}"#)])
        let cookie = try await town.logIn(12)
        var form = try await form(town, cookie)
        form["holiday.2026-12-25"] = "closed"
        (form["from"], form["to"], form["special"], form["reason"]) = ("2027-01-11", "2027-01-24", "closed", "Repairs")
        _ = try await town.send(form: form.fields, to: path, cookie: cookie)
        let rows = try business(town).specialHours
        #expect(rows.map(\.reason) == ["Christmas Day", "Repairs"])
        #expect(rows.map(\.isClosed) == [true, true])
        // As usual again, and no repairs.
        var again = try await self.form(town, cookie)
        #expect(again["holiday.2026-12-25"] == "closed")
        again["holiday.2026-12-25"] = "usual"
        again["remove.2027-01-11.2027-01-24"] = "yes"
        _ = try await town.send(form: again.fields, to: path, cookie: cookie)
        #expect(try business(town).specialHours == [])
    }

    @Test(arguments: [
        ("", "2027-01-02", "closed", "from"), ("2027-01-02", "2027-01-01", "closed", "to"),
        ("2027-01-02", "", "", "special"), ("2027-01-02", "", "soon", "special"),
    ])
    func otherDaysNeedAllOfIt(_ from: String, _ to: String, _ hours: String, _ field: String) async throws {
        let (town, cookie) = try await SiteTown.entered(by: 12)
        var form = try await form(town, cookie)
        (form["from"], form["to"], form["special"]) = (from, to, hours)
        let answer = try await town.send(form: form.fields, to: path, cookie: cookie)
        #expect(answer.status == .unprocessableContent)
        #expect(answer.text.contains("href=\"#\(field)\""))
    }

    /// Text, save, what the form shows, save again: the second time changes nothing. `SOOKE_HOURS_WEEKS=300` tries more.
    @Test func anyWeekComesBack() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 12)
        var random = SplitMix64(seed: 300)
        for _ in 0..<(Int(ProcessInfo.processInfo.environment["SOOKE_HOURS_WEEKS"] ?? "") ?? 25) {
            var form = try await form(town, cookie)
            for day in HoursForm.days { form[day] = Self.day(&random) }
            let done = try await town.send(form: form.fields, to: path, cookie: cookie)
            try #require(done.status == .seeOther, "\(HoursForm.days.map { form[$0] ?? "" })")
            let stored = try business(town)
            let shown = try await self.form(town, cookie)
            let before = town.store.current.sequence
            let again = try await town.send(form: shown.fields, to: path, cookie: cookie)
            #expect(again.status == .seeOther)
            #expect(town.store.current.sequence == before)
            for (index, day) in HoursForm.days.enumerated() {
                let meant = try (form[day] ?? "").isEmpty ? nil : HoursNotation.times(form[day] ?? "")
                let rows = stored.hours.filter { $0.dayOfWeek == (index + 1) % 7 }
                if stored.openingHours == nil { #expect(DayHours.times(of: rows) == meant) }
            }
            // Now and then the clock: an account may save so often in a minute.
            town.clock.advance(bySeconds: 2)
        }
    }

    private static func day(_ random: inout SplitMix64) -> String {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return ""
        case 1: return "closed"
        case 2: return "24 hours"
        case 3: return "5 pm - late"
        default:
            let start = Int.random(in: 0..<1440, using: &random)
            let span = TimeSpan(start, start + Int.random(in: 1..<720, using: &random))
            guard span.end < 900 else { return HoursNotation.text(of: [span]) }
            let second = span.end + Int.random(in: 1..<300, using: &random)
            return HoursNotation.text(of: [span, TimeSpan(second, second + 200)])
        }
    }

    @Test func twoPeopleOneDay() async throws {
        let town = try await SiteTown()
        let (olga, ada) = (try await town.logIn(12), try await town.logIn(13))
        var (first, second) = (try await form(town, olga), try await form(town, ada))
        (first["tue"], second["tue"]) = ("9-5", "10-4")
        _ = try await town.send(form: first.fields, to: path, cookie: olga)
        let answer = try await town.send(form: second.fields, to: path, cookie: ada)
        #expect(answer.status == .conflict)
        for text in ["9 am - 5 pm", "10-4", "nothing"] {
            #expect(answer.text.contains("<span dir=\"auto\">\(text)</span>"))
        }
        // Mine, then.
        var chosen = try FormOnPage(answer.text)
        #expect(chosen["tue"] == "9 am - 5 pm")
        chosen["tue"] = "10-4"
        #expect(try await town.send(form: chosen.fields, to: path, cookie: ada).status == .seeOther)
        #expect(try DayHours.times(of: business(town).hours.filter { $0.dayOfWeek == 2 }) == [TimeSpan(600, 960)])
    }

    @Test func onlyWhoLooksAfterIt() async throws {
        let town = try await SiteTown()
        let mia = try await town.logIn(1)
        #expect(try await town.send(.get, path, [("Cookie", mia)]).status == .forbidden)
        #expect(
            try await town.send(form: [("mon", "9-5"), ("was.mon", "")], to: path, cookie: mia).status == .forbidden)
        #expect(try await town.send(.get, path).status == .seeOther)
        let olga = try await town.logIn(12)
        #expect(try await town.send(.get, "/account/businesses/anchor/hours", [("Cookie", olga)]).status == .forbidden)
        #expect(try await town.send(.get, "/account/businesses/shed/hours", [("Cookie", olga)]).status == .notFound)
        // By a slug that it had before.
        #expect(try await town.send(.get, "/account/businesses/zed/hours", [("Cookie", olga)]).status == .ok)
    }
}
