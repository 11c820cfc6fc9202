import Bytes
import Foundation
import TestSupport
import Testing

@testable import SookeModel

@Suite struct HolidaysTests {
    /// What an independent library says, for 71 years; `Tests/Generators/Hours/make-holidays.py` wrote it. It has not heard
    /// of the name that June 21 has since 2017.
    static func dates(of region: String) throws -> [(date: String, name: String)] {
        let file = ProjectFolder.file("Tests/Generators/Hours/holidays.tsv")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "\t").map(String.init)
            guard cells[2].split(separator: " ").contains(region.dropFirst(3)) else { return nil }
            return (cells[0], cells[1] == "National Aboriginal Day" ? "National Indigenous Peoples Day" : cells[1])
        }
    }

    @Test(arguments: Holidays.regions.filter { $0 != "none" })
    func agreesWithAnother(region: String) throws {
        let expected = try Self.dates(of: region).map { "\($0.date) \($0.name)" }
        #expect(expected.count > 71 * 5)
        let first = try #require(CivilDate(year: 1990, month: 1, day: 1)).daysSinceEpoch
        let end = try #require(CivilDate(year: 2061, month: 1, day: 1)).daysSinceEpoch
        let holidays = try #require(Holidays.of(region))
        let found = (first..<end).compactMap { day in
            holidays.name(on: CivilDate(daysSinceEpoch: day)).map {
                "\(Timestamp(clampingSeconds: day * 86_400).rfc3339.prefix(10)) \($0)"
            }
        }
        #expect(found == expected)
    }

    /// Before and after the years of the table a holiday is computed.
    @Test func anyYear() throws {
        for (year, month, day) in [
            (1850, 7, 1), (1969, 12, 25), (1970, 1, 1), (2149, 12, 25), (2150, 1, 1), (9999, 7, 1),
        ] {
            let date = try #require(CivilDate(year: year, month: month, day: day))
            let number = date.daysSinceEpoch
            let holidays = Holidays.britishColumbia
            #expect(holidays.name(on: date) != nil)
            #expect(holidays.isHoliday(number) && !holidays.isHoliday(number - 1))
        }
    }

    @Test func regions() {
        #expect(Holidays.regions.allSatisfy { Holidays.of($0) != nil })
        #expect(Holidays.of("none")?.isHoliday(0) == false)
        #expect(Holidays.of("CA-XX") == nil)
    }

    /// A list says nothing of the days after its last one: only hours that depend on holidays are not known then.
    @Test(
        arguments: [
            ("2026-03-16", "Mo-Su 10:00-18:00; PH off", "open"), ("2026-03-17", "Mo-Su 10:00-18:00; PH off", "closed"),
            ("2026-12-25", "Mo-Su 10:00-18:00; PH off", "closed"),
            ("2026-12-26", "Mo-Su 10:00-18:00; PH off", "unknown"),
            ("2026-12-26", "Mo-Su 10:00-18:00", "open"), ("2026-03-17", "Mo-Su 10:00-18:00", "open"),
        ])
    func aList(date: String, hours: String, status: String) throws {
        let rows = [("2026-12-25", "Christmas Day"), ("2026-03-17", "Saint Patrick's Day")]
        let list = Holidays(try rows.map { HolidayDate(try #require(CivilDate($0.0)), $0.1) })
        let schedule = OpeningSchedule(base: try OpeningHours(hours))
        let noon = try #require(Timestamp(rfc3339: "\(date)T12:00:00Z"))
        let moment = HoursMoment(at: noon, in: TimeZone(name: "Etc/UTC", fixedOffset: 0), list)
        #expect(schedule.status(at: moment).rawValue == status)
        let day = schedule.day(try #require(CivilDate(date)), around: moment)
        #expect(day.isKnown == (status != "unknown"))
    }

    @Test func settings() {
        var settings = Settings()
        #expect(Holidays.of(settings) == nil)
        settings.holidays = "CA-YT"
        #expect(Holidays.of(settings) === Holidays.yukon)
        settings.holidayDates = [HolidayDate(CivilDate(daysSinceEpoch: 20_000), "Fair Day")]
        #expect(Holidays.of(settings)?.name(on: CivilDate(daysSinceEpoch: 20_000)) == "Fair Day")
    }
}
