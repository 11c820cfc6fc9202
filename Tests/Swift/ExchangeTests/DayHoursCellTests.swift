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
        ("00:00-24:00", "00:00:00", "24:00:00", false, "00:00-24:00"),
        ("00:00-00:00", "00:00:00", "00:00:00", false, "00:00-00:00"),
        ("09:00:30-17:00", "09:00:30", "17:00:00", false, "09:00:30-17:00"),
        ("11:30-01:30", "11:30:00", "01:30:00", false, "11:30-01:30"),
        ("closed 10:00-11:00", "10:00:00", "11:00:00", true, "closed 10:00-11:00"),
        ("closed", "00:00:00", "00:00:00", true, "closed"), ("Closed", "00:00:00", "00:00:00", true, "closed"),
    ]

    @Test(arguments: cells)
    func readsAndWrites(cell: String, opens: String, closes: String, isClosed: Bool, written: String) throws {
        let day = try #require(DayHours(cell: cell, on: 3))
        #expect((day.dayOfWeek, day.opens.text, day.closes.text, day.isClosed) == (3, opens, closes, isClosed))
        #expect(day.cell == written)
    }

    /// What is exported is the same when it is read again.
    @Test func readsEachExport() throws {
        for opens in stride(from: 0, through: 86_400, by: 1800) {
            for closes in stride(from: 0, through: 86_400, by: 1800) {
                let times = (try #require(ClockTime(seconds: opens)), try #require(ClockTime(seconds: closes)))
                for isClosed in [false, true] {
                    let day = DayHours(dayOfWeek: 3, opens: times.0, closes: times.1, isClosed: isClosed)
                    let expected = isClosed && opens + closes == 0 ? DayHours.closed(on: 3) : day
                    #expect(DayHours(cell: day.cell, on: 3) == expected, "\(day.cell)")
                }
            }
        }
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
            ("9-5", "09:00-17:00"), ("9:00 AM – 5:00 PM", "09:00-17:00"), ("9-12 & 1-5", "09:00-12:00, 13:00-17:00"),
            ("Closed", "closed"), ("9:00-5:00", "09:00-17:00"), ("11:30-10:00", "11:30-22:00"),
            ("9:00-12:00, 1:00-5:00", "09:00-12:00, 13:00-17:00"), ("11am-2pm\n5pm-9pm", "11:00-14:00, 17:00-21:00"),
        ])
    func readsWhatPeopleWrite(cell: String, written: String) throws {
        #expect(try [DayHours](cell: cell, on: 2).cell(on: 2) == written)
    }

    @Test(arguments: [
        "open", "9-17", "9:00-5:00", "10:00-11:00", "12:00-4:00", "09:00", "09:00-", "-", "09:00-17:00-18:00",
        "09:00-25:00", "09:60-17:00", "closed all day",
        "9am-5pm", "09:00-12:00, 13:00-17:00", "009:00-17:00", "９:00-17:00",
    ])
    func refusesAnythingElse(cell: String) {
        #expect(DayHours(cell: cell, on: 0) == nil)
    }
}
