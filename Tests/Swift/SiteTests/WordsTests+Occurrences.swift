import Bytes
import SookeModel
import Testing

@testable import Site

/// The times of occurrences, seen on Monday 23 November 2026.
extension WordsTests {
    private static func occurrence(_ start: String, _ end: String) -> Occurrence {
        Occurrence(
            startsAt: moment("\(start):00-08:00"), endsAt: end.isEmpty ? nil : moment("\(end):00-08:00"))
    }

    /// A start, an end, the day of the row, and what stands beside and below the name.
    @Test(
        arguments: [
            ("2026-11-24T20:00", "", "2026-11-24", "8 pm", nil),
            ("2026-11-24T20:00", "2026-11-24T22:00", "2026-11-24", "8 pm", "until 10 pm"),
            // The night belongs to the day before it.
            ("2026-11-24T20:00", "2026-11-25T06:00", "2026-11-24", "8 pm", "until 6 am"),
            ("2026-11-24T20:00", "2026-11-25T06:01", "2026-11-24", "8 pm", "to Wednesday 25 November"),
            ("2026-11-24T10:00", "2026-11-24T12:00", "2026-11-24", "10 am", "until noon"),
            // Several days, from the first one.
            ("2026-11-23T20:00", "2026-11-24T07:00", "2026-11-23", "8 pm", "to Tuesday 24 November"),
            ("2026-11-23T20:00", "2026-11-25T07:00", "2026-11-23", "8 pm", "to Wednesday 25 November"),
            ("2026-11-25T10:00", "2026-11-29T16:00", "2026-11-25", "10 am", "to Sunday 29 November"),
            ("2026-12-30T10:00", "2027-01-02T16:00", "2026-12-30", "10 am", "to Saturday 2 January 2027"),
            // Still on.
            ("2026-11-20T10:00", "2026-11-25T16:00", "2026-11-23", "continues", "day 4 of 6"),
            ("2026-11-20T10:00", "2026-11-23T17:00", "2026-11-23", "until 5 pm", "day 4 of 4"),
            ("2026-11-22T20:00", "2026-11-23T02:00", "2026-11-23", "until 2 am", nil),
            ("2026-11-22T20:00", "", "2026-11-23", "continues", nil),
        ] as [(String, String, String, String, String?)])
    func rows(start: String, end: String, day: String, time: String, below: String?) throws {
        let (occurrence, date) = (Self.occurrence(start, end), try #require(CivilDate(day)))
        #expect(Self.words.start(of: occurrence, on: date) == time)
        #expect(Self.words.end(of: occurrence, startingOn: date)?.replacing("\u{A0}", with: " ") == below)
    }

    /// The first and the last of whole days, that of the row, and what stands below the name.
    @Test(
        arguments: [
            ("2026-11-24", "2026-11-24", "2026-11-24", nil), ("2026-11-24", "2026-11-26", "2026-11-24", "day 1 of 3"),
            ("2026-11-24", "2026-11-26", "2026-11-26", "day 3 of 3"),
            ("2026-11-24", "2026-11-30", "2026-11-24", "day 1 of 7"),
            ("2026-11-24", "2026-12-01", "2026-11-24", "to Tuesday 1 December"),
        ] as [(String, String, String, String?)])
    func wholeDays(first: String, last: String, day: String, below: String?) throws {
        let days = try #require(CivilDate(first)).advanced(by: 0)...(try #require(CivilDate(last)))
        let (start, date) = (Self.moment("\(first)T00:00:00-08:00"), try #require(CivilDate(day)))
        let occurrence = Occurrence(startsAt: start, endsAt: nil, days: days)
        #expect(Self.words.start(of: occurrence, on: date) == "all day")
        #expect(Self.words.end(of: occurrence, startingOn: date) == below)
    }

    @Test(arguments: [
        ("2026-11-28T10:00", "", "Saturday 28 November, 10 am"),
        ("2026-11-28T10:00", "2026-11-28T14:00", "Saturday 28 November, 10 am – 2 pm"),
        ("2026-11-28T20:00", "2026-11-29T01:30", "Saturday 28 November, 8 pm – 1:30 am"),
        ("2026-11-28T20:00", "2026-11-29T06:01", "Saturday 28 November, 8 pm to Sunday 29 November, 6:01 am"),
        ("2026-12-31T20:00", "2027-01-02T12:00", "Thursday 31 December, 8 pm to Saturday 2 January 2027, noon"),
        ("2027-01-01T00:00", "2027-01-02T00:00", "Friday 1 January 2027, 24 hours"),
    ])
    func sentences(start: String, end: String, text: String) {
        let sentence = Self.words.sentence(of: Self.occurrence(start, end))
        #expect(sentence.replacing("\u{A0}", with: " ") == text)
    }

    @Test(arguments: [
        (0.0, "0 m"), (24, "0 m"), (26, "50 m"), (949, "950 m"), (950, "1.0 km"), (1_240, "1.2 km"), (1_250, "1.3 km"),
        (9_949, "9.9 km"), (9_950, "10 km"), (14_400, "14 km"), (1_000_000, "1000 km"),
    ])
    func distances(metres: Double, text: String) {
        #expect(Words.distance(metres) == text)
    }
}
