import Bytes
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
        #expect(Holidays.of("none")?.holidays.isEmpty == true)
        #expect(Holidays.of("CA-XX") == nil)
    }
}
