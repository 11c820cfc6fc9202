import SookeModel
import Testing

@testable import Exchange

@Suite struct HolidayListTests {
    private func read(_ events: [String], from year: Int = 2026) -> [String] {
        let lines = events.map { "BEGIN:VEVENT\n\($0)\nEND:VEVENT\n" }.joined()
        let text = "BEGIN:VCALENDAR\nVERSION:2.0\n\(lines)END:VCALENDAR\n"
        do throws(ImportProblems) {
            return try HolidayList.read(ImportFile("h.ics", text), from: year).map { "\($0.date.text) \($0.name)" }
        } catch {
            return error.all.map(\.description)
        }
    }

    private static let christmas = "UID:c\nDTSTART;VALUE=DATE:20261225\nDTEND;VALUE=DATE:20261227\nSUMMARY:Christmas"
    private static let patrick = "UID:p\nDTSTART;VALUE=DATE:20260317\nRRULE:FREQ=YEARLY\nSUMMARY:Saint Patrick's Day"

    static let cases: [(events: [String], found: [String])] = [
        ([christmas], ["2026-12-25 Christmas", "2026-12-26 Christmas"]),
        // What is given year by year says how far all are known.
        ([christmas, patrick], ["2026-03-17 Saint Patrick's Day", "2026-12-25 Christmas", "2026-12-26 Christmas"]),
        (
            ["UID:o\nDTSTART;VALUE=DATE:20251225\nSUMMARY:Old", christmas],
            ["2026-12-25 Christmas", "2026-12-26 Christmas"]
        ),
        // Of two on a day, the first one names it.
        (
            ["UID:o\nDTSTART;VALUE=DATE:20261226\nSUMMARY:Stephen", christmas],
            ["2026-12-25 Christmas", "2026-12-26 Stephen"]
        ),
        (
            [
                "UID:x\nSTATUS:CANCELLED\nDTSTART;VALUE=DATE:20261226\nSUMMARY:Never",
                christmas.replacing("27", with: "26"),
            ],
            ["2026-12-25 Christmas"]
        ),
        // Midnight on the clocks of a zone is the day there.
        (["UID:z\nDTSTART;TZID=Europe/Dublin:20260601T000000\nSUMMARY:June"], ["2026-06-01 June"]),
        (
            ["UID:t\nDTSTART:20260601T120000Z\nSUMMARY:Noon"],
            ["h.ics:3: \"Noon\": DTSTART: is a time of day; a holiday is a whole day"]
        ),
        (
            ["UID:l\nDTSTART;VALUE=DATE:20260601\nDTEND;VALUE=DATE:20260901\nSUMMARY:Summer"],
            ["h.ics:3: \"Summer\": DTEND: makes it 92 days long; a holiday has at most 14"]
        ),
        ([], ["h.ics:1: has no holiday from 2026 on"]),
    ]

    @Test(arguments: cases) func reads(events: [String], found: [String]) { #expect(read(events) == found) }

    @Test func aSeriesAloneIsReadForTenYears() {
        let found = read([Self.patrick])
        #expect(found.count == 10 && found.last == "2035-03-17 Saint Patrick's Day")
    }

    @Test func noMoreThanATownMayHave() {
        let found = read(
            (0..<300).map { "UID:\($0)\nDTSTART;VALUE=DATE:\(20260101 + $0 / 28 * 100 + $0 % 28)\nSUMMARY:D" })
        #expect(found.count == HolidayDate.mostRows && found.first == "2026-01-01 D")
    }
}
