import Testing

@testable import Exchange

/// A start and an end in one cell.
@Suite struct TimeRangeTests {
    @Test(arguments: [
        ("10:30–11:15", "10:30", "11:15"), ("10:30 - 11:15", "10:30", "11:15"), ("19:00 to 24:00", "19:00", "24:00"),
        ("6-8 pm", "6 pm", "8 pm"), ("6:30-8pm", "6:30 pm", "8pm"), ("11-1 p.m.", "11 am", "1 p.m."),
        ("10:30 am – 1 pm", "10:30 am", "1 pm"), ("10pm-2am", "10pm", "2am"), ("10-2am", "10 pm", "2am"),
        ("2027-06-06 10:30-11:15", "2027-06-06 10:30", "11:15"),
        ("June 6, 2027 6-8 pm", "June 6, 2027 6 pm", "8 pm"), ("19h bis 21h30", "19h", "21h30"),
        ("7 pm until midnight", "7 pm", "midnight"),
    ])
    func isRead(text: String, start: String, end: String) {
        let range = TimeRange(text, order: nil)
        #expect(range?.start == start)
        #expect(range?.end == end)
    }

    @Test(arguments: [
        "", "19:00", "7 pm", "2027-06-06", "2027-06-06 19:00", "2027-06-01T19:00:00-07:00", "2027-06-01T19:00-07",
        "6-8", "10-11:15", "June 1 - June 3", "6/7/2027 7:00 PM-9:00 PM", "10:00-11:00-12:00", "doors - late",
    ])
    func isNone(text: String) {
        #expect(TimeRange(text, order: nil) == nil)
    }

    @Test func theTableTellsTheOrderOfTheDate() {
        #expect(TimeRange("6/7/2027 7:00 PM-9:00 PM", order: .dayFirst)?.start == "6/7/2027 7:00 PM")
    }
}
