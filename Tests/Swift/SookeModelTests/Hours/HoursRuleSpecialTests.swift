import Bytes
import Foundation
import Testing

@testable import SookeModel

@Suite struct HoursRuleSpecialTests {
    private static let utc = SookeModel.TimeZone(name: "UTC", fixedOffset: 0)

    private static func date(_ text: String) throws -> CivilDate {
        try #require(Timestamp(rfc3339: text + "T00:00:00Z")).civil.date
    }

    /// `2026-12-24...2026-12-26 09:00-12:00 reason`, without an end as `2026-12-24...`, closed without times.
    private func row(_ text: String) throws -> SpecialHours {
        let parts = text.split(separator: " ", maxSplits: 2).map(String.init)
        var row = SpecialHours()
        let dates = parts[0].components(separatedBy: "...")
        row.from = try Self.date(dates[0])
        row.to = dates[1].isEmpty ? nil : try Self.date(dates[1])
        if parts[1] == "closed" {
            row.isClosed = true
        } else {
            let times = parts[1].split(separator: "-").map(String.init)
            row.opens = try #require(ClockTime(times[0]))
            row.closes = try #require(ClockTime(times[1]))
        }
        row.reason = parts.count > 2 ? parts[2] : nil
        return row
    }

    /// What holds at a time, with a business that is open on all days 09:00-17:00 unless it says otherwise.
    @Test(
        arguments: [
            ("2026-12-24...2026-12-26 closed holidays", "2026-12-23 20:00", "closed regular - 12-27 09:00"),
            ("2026-12-24...2026-12-26 closed holidays", "2026-12-24 00:00", "closed special holidays 12-27 09:00"),
            ("2026-12-24...2026-12-26 closed holidays", "2026-12-26 23:59", "closed special holidays 12-27 09:00"),
            ("2026-12-24...2026-12-26 closed holidays", "2026-12-27 00:00", "closed regular - 12-27 09:00"),
            ("2026-12-24...2027-01-02 closed", "2027-01-02 12:00", "closed special - 01-03 09:00"),
            ("2026-12-24... closed until further notice", "2026-12-24 12:00", "closed special until further notice -"),
            ("2026-12-24... closed until further notice", "2028-12-24 12:00", "closed special until further notice -"),
            ("2026-12-24... closed until further notice", "2026-12-23 10:00", "open regular - -"),
            // Two spans of a day, each with its reason.
            (
                "2026-12-31...2026-12-31 08:00-10:00 brunch|2026-12-31...2026-12-31 20:00-02:00 party",
                "2026-12-31 09:30", "closing_soon special brunch 12-31 20:00"
            ),
            (
                "2026-12-31...2026-12-31 20:00-02:00 party|2026-12-31...2026-12-31 08:00-10:00 brunch",
                "2027-01-01 01:59", "closing_soon special party 01-01 09:00"
            ),
            // After midnight a span belongs to the day on which it starts, not to the next day.
            (
                "2026-12-31...2026-12-31 20:00-02:00 party|2027-01-01...2027-01-01 closed tired", "2027-01-01 00:30",
                "open special party 01-02 09:00"
            ),
            (
                "2026-12-31...2026-12-31 20:00-02:00 party|2027-01-01...2027-01-01 closed tired", "2027-01-01 02:00",
                "closed special tired 01-02 09:00"
            ),
            // Of several ranges the one that begins last counts, of those the shorter one.
            (
                "2026-12-24...2026-12-24 10:00-12:00 eve|2026-12-01... closed winter", "2026-12-24 10:30",
                "open special eve -"
            ),
            (
                "2026-12-01...2026-12-02 10:00-12:00 sale|2026-12-01... closed winter", "2026-12-02 10:30",
                "open special sale -"
            ),
            ("2026-12-24...2026-12-24 00:00-00:00", "2026-12-24 23:30", "closing_soon special - 12-25 09:00"),
        ])
    func untilAndWhy(rows: String, local: String, expected: String) throws {
        let rows = try rows.split(separator: "|").map { try row(String($0)) }
        let schedule = OpeningSchedule(
            base: try OpeningHours("Mo-Su 09:00-17:00"), special: HoursRule.special(rows))
        let moment = try #require(Timestamp(rfc3339: local.replacingOccurrences(of: " ", with: "T") + ":00Z"))
        let state = schedule.state(at: moment, in: Self.utc, .none)
        let next =
            state.nextOpening.map { $0.rfc3339.dropFirst(5).prefix(11).replacingOccurrences(of: "T", with: " ") } ?? "-"
        let comment = state.comment.isEmpty ? "-" : state.comment
        #expect("\(state.status.rawValue) \(state.reason.rawValue) \(comment) \(next)" == expected)
    }

    /// Without regular hours, only the special ones are known.
    @Test func unknownOtherwise() throws {
        let schedule = OpeningSchedule(
            base: nil, special: HoursRule.special([try row("2026-12-24...2026-12-24 closed")]))
        for (day, status) in [("23", OpenState.Status.unknown), ("24", .closed), ("25", .unknown)] {
            let moment = try #require(Timestamp(rfc3339: "2026-12-\(day)T12:00:00Z"))
            #expect(schedule.state(at: moment, in: Self.utc, .none).status == status)
        }
        let moment = HoursMoment(at: Timestamp.epoch, in: Self.utc, .none)
        #expect(OpeningSchedule(base: nil).state(at: moment) == .unknown)
    }

    @Test(arguments: [100, 1000])
    func manyRows(count: Int) throws {
        let rows = (0..<count).map { number in
            var row = SpecialHours()
            row.from = CivilDate(daysSinceEpoch: 20_000 + 3 * number)
            row.to = CivilDate(daysSinceEpoch: 20_001 + 3 * number)
            (row.opens, row.closes) = (ClockTime.midnight, ClockTime(seconds: 60 * (1 + number % 1000)) ?? .endOfDay)
            row.reason = "reason \(number)"
            return row
        }
        let schedule = OpeningSchedule(base: try OpeningHours("Jan-Jun 10:00-12:00"), special: HoursRule.special(rows))
        for number in stride(from: 0, to: count, by: 7) {
            let midnight = (20_000 + 3 * number) * 86_400
            let state = schedule.state(at: Timestamp(clampingSeconds: midnight), in: Self.utc, .none)
            #expect(state.until == Timestamp(clampingSeconds: midnight + 60 * (1 + number % 1000)))
            #expect(state.comment == "reason \(number)")
        }
    }
}
