import Bytes
import TestSupport
import Testing

@testable import SookeModel

/// The text of a day is read as the same times.
extension HoursNotationTests {
    @Test(arguments: [
        ([], "closed"), ([TimeSpan(0, 1440)], "24 hours"), ([TimeSpan(540, 1020)], "9 am - 5 pm"),
        ([TimeSpan(690, 840), TimeSpan(1020, 1320)], "11:30 am - 2 pm, 5 pm - 10 pm"),
        ([TimeSpan(960, 1500)], "4 pm - 1 am"), ([TimeSpan(720, 1440)], "noon - midnight"),
        ([TimeSpan(1020, 1440, isOpenEnded: true)], "5 pm - late"), ([TimeSpan(5, 725)], "12:05 am - 12:05 pm"),
    ])
    func textOfADay(_ times: [TimeSpan], _ text: String) throws {
        #expect(HoursNotation.text(of: times) == text)
        #expect(try HoursNotation.times(text) == times)
    }

    @Test func anyTimesAreReadAgain() throws {
        var random = SplitMix64(seed: 7)
        for _ in 0..<Cases.count(1_000, of: 5_000) {
            var (times, start) = ([TimeSpan](), Int.random(in: 0..<720, using: &random))
            while start < 1440, times.count < 4 {
                let end = min(start + Int.random(in: 1...700, using: &random), start + 1440)
                times.append(TimeSpan(start, end))
                start = end + Int.random(in: 1...400, using: &random)
            }
            // What would begin before the night of the first one is over overlaps it.
            if let last = times.last, last.end - 1440 > times[0].start { times.removeLast() }
            if times.isEmpty { continue }
            let text = HoursNotation.text(of: times)
            #expect(try HoursNotation.times(text) == times, "\(text)")
            let clock = HoursNotation.text(of: times, has24Hours: true)
            #expect(try HoursNotation.times(clock, has24Hours: true) == times, "\(clock)")
        }
    }

    /// Times with minutes are those of a clock with 24 hours there; without, people write as elsewhere.
    @Test(arguments: [
        ("10:00-11:00", TimeSpan(600, 660)), ("09:00 - 00:00", TimeSpan(540, 1440)),
        ("9-5", TimeSpan(540, 1020)), ("6 pm - 11 pm", TimeSpan(1080, 1380)), ("18:00 - late", TimeSpan(1080, 1440)),
    ])
    func aClockWith24Hours(_ text: String, _ span: TimeSpan) throws {
        let times = try HoursNotation.times(text, has24Hours: true)
        #expect(times.map(\.start) == [span.start] && times.map(\.end) == [span.end])
        // Neither 20 hours nor surely an afternoon.
        #expect(throws: OpeningHoursError.self) { try HoursNotation.times("9:30-5:30", has24Hours: true) }
    }

    @Test(arguments: [
        "Mo-Fr 09:00-17:00", "24/7", "Mo 09:00-12:00,13:00-17:00; Tu unknown; Sa,Su 10:00-14:00", "off", "Fr 17:00+",
        "Mo-Su 16:00-01:00",
    ])
    func aWeekHasDays(_ text: String) throws {
        let hours = try OpeningHours(text)
        let days = try #require(hours.days)
        #expect(OpeningHours(days: days).days == days)
    }

    @Test(arguments: [
        "Mo-Fr 09:00-17:00; PH off", "Jun-Sep Mo-Su 09:00-18:00; PH off", "Mo 09:00-17:00 \"by phone\"",
        "sunrise-sunset", "Mo[1] 09:00-12:00", "Mo-Fr 09:00-17:00; We off", "week 1-20 Mo 09:00-10:00",
    ])
    func otherHoursHaveNone(_ text: String) throws { #expect(try OpeningHours(text).days == nil) }
}
