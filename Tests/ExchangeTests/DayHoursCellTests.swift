import SookeModel
import Testing

@testable import Exchange

/// The hours of a day in a cell.
@Suite struct DayHoursCellTests {
    static let cells: [(cell: String, opens: String, closes: String, isClosed: Bool, written: String)] = [
        ("09:00-17:00", "09:00:00", "17:00:00", false, "09:00-17:00"),
        ("9:00-17:00", "09:00:00", "17:00:00", false, "09:00-17:00"),
        ("9:00–17:00", "09:00:00", "17:00:00", false, "09:00-17:00"),
        ("9:00 – 17:00", "09:00:00", "17:00:00", false, "09:00-17:00"),
        ("09:00 -17:00", "09:00:00", "17:00:00", false, "09:00-17:00"),
        ("11:30-00:30", "11:30:00", "00:30:00", false, "11:30-00:30"),
        ("00:00-24:00", "00:00:00", "24:00:00", false, "00:00-24:00"),
        ("00:00-00:00", "00:00:00", "00:00:00", false, "00:00-00:00"),
        ("09:00:30-17:00", "09:00:30", "17:00:00", false, "09:00:30-17:00"),
        ("closed", "00:00:00", "00:00:00", true, "closed"),
        ("Closed", "00:00:00", "00:00:00", true, "closed"),
        ("closed 16:00-22:00", "16:00:00", "22:00:00", true, "closed 16:00-22:00"),
    ]

    @Test(arguments: cells)
    func readsAndWrites(cell: String, opens: String, closes: String, isClosed: Bool, written: String) throws {
        let day = try #require(DayHours(cell: cell, on: 3))
        #expect((day.dayOfWeek, day.opens.text, day.closes.text, day.isClosed) == (3, opens, closes, isClosed))
        #expect(day.cell == written)
    }

    @Test func readsAndWritesSeveralSpans() throws {
        let days = try [DayHours](cell: "9:00-12:00,13:00-17:00", on: 3)
        #expect(days.map(\.opens.text) == ["09:00:00", "13:00:00"])
        #expect(days.cell(on: 3) == "09:00-12:00, 13:00-17:00")
        #expect(days.cell(on: 4) == nil)
        #expect(throws: OpeningHoursError.self) { try [DayHours](cell: "9:00-12:00, lunch", on: 3) }
    }

    @Test(
        arguments: [
            ("9-5", "09:00-17:00"), ("9am to noon", "09:00-12:00"), ("9:00 AM – 5:00 PM", "09:00-17:00"),
            ("24 hours", "00:00-24:00"), ("9-12 & 1-5", "09:00-12:00, 13:00-17:00"), ("8pm-2am", "20:00-02:00"),
            ("Closed", "closed"),
        ])
    func readsWhatPeopleWrite(cell: String, written: String) throws {
        #expect(try [DayHours](cell: cell, on: 2).cell(on: 2) == written)
    }

    @Test(arguments: ["7-11", "open", "by appointment", "9", "9-5-7", "25-26"])
    func refusesWhatMayMeanAnything(cell: String) {
        #expect(throws: OpeningHoursError.self) { try [DayHours](cell: cell, on: 2) }
    }

    @Test(arguments: [
        "open", "9-17", "09:00", "09:00-", "-", "09:00-17:00-18:00", "09:00-25:00", "09:60-17:00", "closed all day",
        "9am-5pm", "09:00-12:00, 13:00-17:00", "009:00-17:00", "９:00-17:00",
    ])
    func refusesAnythingElse(cell: String) {
        #expect(DayHours(cell: cell, on: 0) == nil)
    }
}
