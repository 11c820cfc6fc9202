import Bytes
import Foundation
import TestSupport
import Testing

@testable import SookeModel

@Suite struct HolidaysTests {
    /// The statutory holidays of British Columbia, as the province publishes them.
    @Test(
        arguments: [
            (2018, ["01-01", "02-12", "03-30", "05-21", "07-01", "08-06", "09-03", "10-08", "11-11", "12-25"]),
            (2019, ["01-01", "02-18", "04-19", "05-20", "07-01", "08-05", "09-02", "10-14", "11-11", "12-25"]),
            (
                2023,
                ["01-01", "02-20", "04-07", "05-22", "07-01", "08-07", "09-04", "09-30", "10-09", "11-11", "12-25"]
            ),
            (
                2024,
                ["01-01", "02-19", "03-29", "05-20", "07-01", "08-05", "09-02", "09-30", "10-14", "11-11", "12-25"]
            ),
            (
                2026,
                ["01-01", "02-16", "04-03", "05-18", "07-01", "08-03", "09-07", "09-30", "10-12", "11-11", "12-25"]
            ),
            (
                2027,
                ["01-01", "02-15", "03-26", "05-24", "07-01", "08-02", "09-06", "09-30", "10-11", "11-11", "12-25"]
            ),
        ])
    func britishColumbia(year: Int, dates: [String]) throws {
        let first = try #require(CivilDate(year: year, month: 1, day: 1)).daysSinceEpoch
        let found = (first..<first + 365).map { CivilDate(daysSinceEpoch: $0) }
            .filter { Holidays.britishColumbia.name(on: $0) != nil }
            .map { "\($0.month < 10 ? "0" : "")\($0.month)-\($0.day < 10 ? "0" : "")\($0.day)" }
        #expect(found == dates)
    }

    /// What an independent library says, for 71 years; `Tests/Generators/Hours/make-holidays.py` wrote it.
    static func dates() throws -> [(date: String, name: String)] {
        let file = ProjectFolder.file("Tests/Generators/Hours/holidays.tsv")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { line in
            let cells = line.split(separator: "\t").map(String.init)
            return (cells[0], cells[1] == "Labor Day" ? "Labour Day" : cells[1])
        }
    }

    @Test func agreesWithAnother() throws {
        let expected = try Self.dates().map { "\($0.date) \($0.name)" }
        #expect(expected.count == 725)
        let first = try #require(CivilDate(year: 1990, month: 1, day: 1)).daysSinceEpoch
        let end = try #require(CivilDate(year: 2061, month: 1, day: 1)).daysSinceEpoch
        let found = (first..<end).compactMap { day in
            let date = CivilDate(daysSinceEpoch: day)
            return Holidays.britishColumbia.name(on: date).map {
                "\(Timestamp(seconds: day * 86_400).rfc3339.prefix(10)) \($0)"
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

    /// Easter Sundays, from the tables of the Astronomical Applications Department of the U.S. Naval Observatory.
    @Test(
        arguments: [
            (1900, 4, 15), (1943, 4, 25), (1961, 4, 2), (2000, 4, 23), (2008, 3, 23), (2019, 4, 21), (2024, 3, 31),
            (2025, 4, 20), (2026, 4, 5), (2027, 3, 28), (2038, 4, 25), (2049, 4, 18),
        ])
    func easter(year: Int, month: Int, day: Int) {
        #expect(CivilDate.easter(of: year) == CivilDate(year: year, month: month, day: day))
    }

    @Test func regions() {
        #expect(Holidays.of("CA-BC")?.region == "CA-BC")
        #expect(Holidays.of("none")?.isHoliday(0) == false)
        #expect(Holidays.of("CA-XX") == nil)
    }
}
