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
        "Jun-Sep Mo-Su 09:00-18:00; PH off", "Mo-Fr 09:00-17:00; PH 10:00-12:00", "sunrise-sunset",
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
        let zone = SookeModel.TimeZone(name: "UTC", fixedOffset: 0)
        let shown = HoursForm(HoursMoment(at: town.clock.now, in: zone, .none), has24Hours: false)
        #expect(try shown.text(on: day, in: business(town)) == "11 am - 3 pm")
    }

    private static func rows(_ business: Business) -> [String] {
        business.specialHours.map { row in
            let times = row.isClosed ? "closed" : "\(row.opens.text)-\(row.closes.text)"
            return "\(row.from?.text ?? "") \(times) \(row.reason ?? "")"
        }
    }

    /// A week that is closed on holidays is a week; another answer, or other hours, leave the rest as it was.
    @Test(arguments: [
        ("", "", "Mo-Fr 09:00-17:00; PH off", "closed"), ("as_usual", "", nil, "as_usual"), ("", "10-4", nil, "closed"),
        ("ask", "10-4", nil, "ask"),
    ])
    func theStandingAnswer(answer: String, monday: String, text: String?, kept: String) async throws {
        let town = try await SiteTown()
        try await town.write([(.business, #"{"slug":"zeds","opening_hours":"Mo-Fr 09:00-17:00; PH off"}"#)])
        let cookie = try await town.logIn(12)
        var form = try await form(town, cookie)
        #expect(form["public_holidays"] == "closed" && form["fri"] == "9 am - 5 pm")
        if !answer.isEmpty { form["public_holidays"] = answer }
        if !monday.isEmpty { form["mon"] = monday }
        #expect(try await town.send(form: form.fields, to: path, cookie: cookie).status == .seeOther)
        let zeds = try business(town)
        #expect(zeds.openingHours == text && zeds.publicHolidays?.rawValue == kept)
        #expect(zeds.hours.first { $0.dayOfWeek == 5 }?.closes.text == "17:00:00")
        #expect(zeds.hours.first { $0.dayOfWeek == 1 }?.closes.text == (monday.isEmpty ? "17:00:00" : "16:00:00"))
    }

    /// One card asks for all holidays ahead, until each has an answer; nothing is chosen before.
    @Test func theCardOfHolidays() async throws {
        let town = try await SiteTown()
        try await town.write([
            (.business, #"{"slug":"zeds","opening_hours":"Mo-Su 09:00-17:00","special_hours":[],"confirmed_at":null}"#)
        ])
        let (cookie, page) = (try await town.logIn(12), "/account/businesses/zeds")
        func card() async throws -> FormOnPage? {
            let parts = try await town.page(page, cookie: cookie).parts(
                between: "data-key=\"holidays\">", and: "</form>")
            return try parts.first.map { try FormOnPage("<form class=\"form\" method=\"post\"" + $0 + "</form>") }
        }
        var asked = try #require(try await card())
        #expect(asked["holiday.2026-12-25"] == nil && asked["was.holiday.2027-01-01"]?.isEmpty == true)
        #expect(asked["public_holidays"] == nil && asked["was.holiday.2027-02-15"] == nil)
        asked["holiday.2026-12-25"] = "usual"
        let done = try await town.send(form: asked.fields, to: path, cookie: cookie)
        #expect(done.headers.first("Location") == page + "?done=saved")
        #expect(try Self.rows(business(town)) == ["2026-12-25 09:00:00-17:00:00 Christmas Day"])
        #expect(try business(town).openingHours == "Mo-Su 09:00-17:00" && business(town).confirmedAt == nil)
        asked = try #require(try await card())
        #expect(asked["was.holiday.2026-12-25"] == nil)
        // Another answer meanwhile: the form has all that the card does not.
        try await town.write([(.business, #"{"slug":"zeds","public_holidays":"ask"}"#)])
        asked["public_holidays"] = "closed"
        let refused = try await town.send(form: asked.fields, to: path, cookie: cookie)
        #expect(try refused.status == .conflict && FormOnPage(refused.text)["mon"] == "9 am - 5 pm")
        asked = try #require(try await card())
        asked["public_holidays"] = "closed"
        #expect(try await town.send(form: asked.fields, to: path, cookie: cookie).status == .seeOther)
        #expect(try business(town).publicHolidays == .closed)
        #expect(try await card() == nil)
    }

    /// One line a holiday in the queue leads to its places, of which several are marked at once.
    @Test func aHolidayInTheQueue() async throws {
        let town = try await SiteTown()
        let hours = #""opening_hours":"Mo-Su 09:00-17:00","special_hours":[]"#
        try await town.write([
            (.business, #"{"slug":"zeds",\#(hours)}"#), (.business, #"{"slug":"anchor",\#(hours)}"#),
            (.business, #"{"slug":"lantern","opening_hours":"Mo-Su 18:00+","special_hours":[]}"#),
        ])
        let (cookie, path) = (try await town.logIn(13), "/account/waiting/holidays/2026-12-25")
        let queue = try await town.page("/account/waiting", cookie: cookie)
        #expect(queue.contains("Fri 25 Dec · 3 places not confirmed") && queue.contains("href=\"\(path)\""))
        #expect(!(try await town.page("/account/waiting", cookie: try await town.logIn(12))).contains(path))
        let page = try await town.page(path, cookie: cookie)
        #expect(page.contains("<legend>Bars</legend>") && page.contains("usually 9 am - 5 pm"))
        for (fields, field) in [([("place", "zeds")], "answer"), ([("answer", "usual")], "place")] {
            let answer = try await town.send(form: fields, to: path, cookie: cookie)
            #expect(answer.status == .unprocessableContent && answer.text.contains("href=\"#\(field)\""))
        }
        let before = town.store.current.sequence
        let places = ["zeds", "anchor", "lantern", "nowhere"].map { ("place", $0) }
        let done = try await town.send(form: places + [("answer", "usual")], to: path, cookie: cookie)
        #expect(done.headers.first("Location") == path + "?done=saved")
        #expect(town.store.current.sequence == before + 1)
        #expect(try Self.rows(business(town)) == ["2026-12-25 09:00:00-17:00:00 Christmas Day"])
        // An end that is not known cannot be said, but that it is closed can.
        let left = try await town.page(path, cookie: cookie)
        #expect(left.parts(between: "name=\"place\" value=\"", and: "\"") == ["lantern"])
        _ = try await town.send(form: [("place", "lantern"), ("answer", "closed")], to: path, cookie: cookie)
        #expect(try await town.page(path, cookie: cookie).contains("All are answered."))
        let other = try await town.send(.get, "/account/waiting/holidays/2026-12-24", [("Cookie", cookie)])
        #expect(other.status == .notFound)
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
