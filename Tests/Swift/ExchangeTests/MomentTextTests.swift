import Bytes
import SookeModel
import Testing

@testable import Exchange

/// Dates and times as people write them.
@Suite struct MomentTextTests {
    /// The text, and what it says as `date time offset`.
    static let moments: [(text: String, says: String)] = [
        ("2027-06-01 19:00", "2027-06-01 19:00"), ("2027-06-01T19:00", "2027-06-01 19:00"),
        ("2027-06-01 19:00:30", "2027-06-01 19:00:30"), ("2027/6/1 7pm", "2027-06-01 19:00"),
        ("2027-6-1, 7:30 p.m.", "2027-06-01 19:30"), ("2027-06-01", "2027-06-01"), ("19:00", "19:00"),
        ("7pm", "19:00"), ("12am", "00:00"), ("12:15 PM", "12:15"), ("noon", "12:00"), ("19h", "19:00"),
        ("19h30", "19:30"), ("June 1, 2027 7pm", "2027-06-01 19:00"), ("June 1st 2027 at 7 pm", "2027-06-01 19:00"),
        ("Tue, Jun 1, 2027, 7:00 PM", "2027-06-01 19:00"), ("Tuesday 1 June 2027 19:00", "2027-06-01 19:00"),
        ("1 Sept. 2027 noon", "2027-09-01 12:00"), ("1-Jun-27 19:00", "2027-06-01 19:00"), ("the 1", ""),
        ("13. Juni 2027 19:30 Uhr", "2027-06-13 19:30"), ("13 juin 2027 19h00", "2027-06-13 19:00"),
        ("0.791666667", "19:00"), ("9:00pm\n", "21:00"), ("2027-06-01T19:00-07", "2027-06-01 19:00 -25200"),
        ("6/13/2027 7:00 PM", "2027-06-13 19:00"), ("13/6/2027 19:00", "2027-06-13 19:00"),
        ("13.06.2027 19:00", "2027-06-13 19:00"), ("01.06.2027 19:00", "2027-06-01 19:00"),
        ("6/6/2027 19:00", "2027-06-06 19:00"), ("6/13/27 19:00", "2027-06-13 19:00"),
        ("2027-06-01T19:00-07:00", "2027-06-01 19:00 -25200"), ("2027-06-01T19:00 -0700", "2027-06-01 19:00 -25200"),
        ("2027-06-01T19:00Z", "2027-06-01 19:00 0"), ("2027-06-01 19:00 UTC", "2027-06-01 19:00 0"),
        ("2027-06-01 19:00+0200", "2027-06-01 19:00 7200"), ("2027-06-30 24:00", "2027-07-01 00:00"),
        ("24:00", "24:00"),
    ]

    @Test(arguments: moments)
    func readsWhatPeopleWrite(text: String, says: String) throws {
        let read = try? MomentText(text)
        #expect(read.map(Self.text) ?? "" == says)
    }

    private static func text(_ moment: MomentText) -> String {
        let clock = moment.secondsOfDay.flatMap(ClockTime.init(seconds:))?.text
        let short = clock.map { $0.hasSuffix(":00") ? String($0.dropLast(3)) : $0 }
        return [moment.date?.text, short, moment.offset.map(String.init)].compactMap(\.self).joined(separator: " ")
    }

    private static func date(_ year: Int, _ month: Int, _ day: Int) -> CivilDate {
        CivilDate(year: year, month: month, day: day) ?? CivilDate(daysSinceEpoch: 0)
    }

    static let refused: [(text: String, error: MomentTextError)] = [
        ("6/7/2027 19:00", .ambiguous(date(2027, 6, 7), date(2027, 7, 6))),
        ("1-2-27", .ambiguous(date(2027, 1, 2), date(2027, 2, 1))), ("2027-02-30 19:00", .noSuchDate),
        ("31/31/2027", .noSuchDate), ("June 1, 7pm", .noYear), ("June 1", .noYear), ("6/1 7pm", .noYear),
        ("2027-06-01 19:00-21:00", .range), ("2027-06-01 10:00-12:00", .range), ("2027-06-01 7pm to 9pm", .range),
        ("2027-06-01 19:00 PST", .zone("PST")), ("Sunday, June 14, 2027 7pm", .weekday(date(2027, 6, 14))),
        ("0027-06-18 7pm", .year(27)), ("2207-06-18", .year(2207)),
        ("27-06-01", .ambiguous(date(2001, 6, 27), date(2027, 6, 1))), ("2027-06-01T19:00+99:59", .form),
        ("2027-06-01 19:00 +9999", .form), ("June 1, 2\u{FE0F}\u{20E3}7\u{FE0F}\u{20E3}", .noYear),
        ("46539.79", .serialNumber), ("46539", .serialNumber), ("tomorrow", .form), ("", .form),
        ("2027-06-01 25:00", .form), ("2027-06-01 13pm", .form), ("2027-06-01 19", .form), ("2027-06-01 19:60", .form),
        (String(repeating: "1", count: 101), .form), ("24:30", .form), ("24:00:30", .form),
    ]

    @Test(arguments: refused)
    func saysWhatIsWrong(text: String, error: MomentTextError) {
        #expect(throws: error) { try MomentText(text) }
    }

    @Test(
        arguments: [
            ("6/13/2027", MomentText.DayOrder.monthFirst), ("13/6/2027", .dayFirst), ("6/6/2027", nil),
            ("2027-06-13", nil), ("13.6.2027", nil),
        ] as [(String, MomentText.DayOrder?)])
    func someDatesTellTheOrderOfDayAndMonth(text: String, order: MomentText.DayOrder?) throws {
        #expect(try MomentText(text).order == order)
        #expect(try MomentText("6/7/2027", order: .dayFirst).date == Self.date(2027, 7, 6))
        #expect(try MomentText("6/7/2027", order: .monthFirst).date == Self.date(2027, 6, 7))
    }

    @Test func anAmbiguousDateShowsBothReadings() {
        let error = MomentTextError.ambiguous(Self.date(2027, 6, 7), Self.date(2027, 7, 6))
        #expect(
            error.message("6/7/2027")
                == "\"6/7/2027\" can be 2027-06-07 or 2027-07-06; write one of these, the year first")
    }
}
