import Bytes
import Testing

@testable import SookeModel

@Suite struct OpeningHoursTests {
    /// Texts, and how they are written.
    @Test(
        arguments: [
            ("24/7", "24/7"),
            ("Mo-Fr 09:00-17:00", "Mo-Fr 09:00-17:00"),
            ("mo-fr 9:00 - 17:00", "Mo-Fr 09:00-17:00"),
            ("Monday-Friday 09:00-17:00", "Mo-Fr 09:00-17:00"),
            ("Mo-Fr: 09:00-17:00; Sa: 10:00-14:00", "Mo-Fr 09:00-17:00; Sa 10:00-14:00"),
            ("Mo-Fr 08:00-12:00,13:00-17:30", "Mo-Fr 08:00-12:00,13:00-17:30"),
            ("Mo-Fr 08:00-12:00, 13:00-17:30; Sa 08:00-12:00", "Mo-Fr 08:00-12:00,13:00-17:30; Sa 08:00-12:00"),
            ("Mo,We,Fr 10:00-12:00", "Mo,We,Fr 10:00-12:00"),
            ("Mo-Fr 09:00-17:00, Sa 10:00-14:00", "Mo-Fr 09:00-17:00, Sa 10:00-14:00"),
            ("Fr-Sa 22:00-02:00", "Fr-Sa 22:00-02:00"),
            ("Fr-Sa 22:00-26:00", "Fr-Sa 22:00-02:00"),
            ("Mo-Su 00:00-24:00", "Mo-Su 00:00-24:00"),
            ("Mo-Su,PH 10:00-20:00", "PH,Mo-Su 10:00-20:00"),
            ("Mo-Fr 09:00-17:00; PH off", "Mo-Fr 09:00-17:00; PH off"),
            ("Mo-Fr 09:00-17:00; PH closed", "Mo-Fr 09:00-17:00; PH off"),
            ("Mo 10:00+", "Mo 10:00+"),
            ("Mo 17:00-22:00+", "Mo 17:00-22:00+"),
            ("Jan-Mar 10:00-16:00; Apr-Dec 09:00-18:00", "Jan-Mar 10:00-16:00; Apr-Dec 09:00-18:00"),
            ("Jun-Aug: Mo-Su 08:00-20:00", "Jun-Aug Mo-Su 08:00-20:00"),
            ("Dec 25 off", "Dec 25 off"),
            ("Dec 24-26 off", "Dec 24-26 off"),
            ("Dec 24,25,31 off", "Dec 24,Dec 25,Dec 31 off"),
            ("Dec 24-Jan 02 off", "Dec 24-Jan 02 off"),
            ("2026 Dec 24-2027 Jan 02 off", "2026 Dec 24-2027 Jan 02 off"),
            ("2026 Dec 24 off", "2026 Dec 24 off"),
            ("2026-2028 Mo 10:00-12:00", "2026-2028 Mo 10:00-12:00"),
            ("week 01-26/2 Mo 10:00-12:00", "week 01-26/2 Mo 10:00-12:00"),
            ("We[1] 18:00-20:00", "We[1] 18:00-20:00"),
            ("We[1,3] 18:00-20:00; Fr[-1] off", "We[1,3] 18:00-20:00; Fr[-1] off"),
            ("Mo-Fr 09:00-12:00 \"by appointment\"", "Mo-Fr 09:00-12:00 \"by appointment\""),
            ("\"by appointment\"", "unknown \"by appointment\""),
            ("Mo-Fr 09:00-17:00; Sa unknown", "Mo-Fr 09:00-17:00; Sa unknown"),
            ("off", "off"),
            ("Mo-Fr 09:00-17:00;", "Mo-Fr 09:00-17:00"),
            ("Mo-Fr 09:00-17:00; 12:00-13:00 off", "Mo-Fr 09:00-17:00; 12:00-13:00 off"),
            ("Dec 10:00-12:00", "Dec 10:00-12:00"),
        ])
    func isReadAndWritten(text: String, written: String) throws {
        let hours = try OpeningHours(text)
        #expect(hours.text == text)
        let rules = try #require(hours.rules)
        #expect(OpeningHours(rules: rules).text == written)
        #expect(try OpeningHours(written).rules == rules)
    }

    /// Valid, but not understood: the text is stored, and the state is unknown.
    @Test(arguments: [
        "sunrise-sunset", "Mo-Fr 08:00-sunset", "(sunrise+01:00)-(sunset-00:30)", "Mo-Fr 09:00-17:00 || \"call us\"",
        "SH 10:00-12:00", "Mo-Fr 09:00-17:00; SH off", "PH +1 day off", "easter off", "easter -2 days off",
        "Mo-Fr 10:00-16:00/01:30", "2026-2030/2 10:00-12:00", "PH Mo 10:00-12:00", "Su[1] +1 day 10:00-12:00",
    ])
    func rareSyntaxIsStored(text: String) throws {
        let hours = try OpeningHours(text)
        #expect(hours.rules == nil)
        #expect(hours.text == text)
        let moment = try #require(Timestamp(rfc3339: "2026-11-23T20:00:00Z"))
        #expect(
            OpeningSchedule(base: hours).state(at: moment, in: TimeZone(name: "UTC", fixedOffset: 0), .none) == .unknown
        )
    }

    @Test(
        arguments: [
            ("", "character 1: a day, a month, a time, \"24/7\" or \"off\" is expected"),
            ("hello", "character 1: a day, a month, a time, \"24/7\" or \"off\" is expected"),
            ("Mo-Fr 9-5", "character 7: a time, \"off\", \";\" or the end is expected"),
            ("Mo-Fr 09:00", "character 12: \"-\" and the time of closing is expected"),
            ("Mo-Fr 09:00-", "character 13: a time such as 17:00 is expected"),
            ("Mo-Fr 09:70-10:00", "character 7: a time, \"off\", \";\" or the end is expected"),
            ("Mo-Fr 25:00-26:00", "character 12: a start before 24:00 is expected"),
            ("Mo- 09:00-17:00", "character 3: a day after \"-\" is expected"),
            ("Mo Tu 10:00-12:00", "character 4: a comma, a time or \"off\" is expected"),
            ("Mo[6] 10:00-12:00", "character 4: a number from 1 to 5 is expected"),
            ("Mo[1 10:00-12:00", "character 6: \"]\" is expected"),
            ("week 54 10:00-12:00", "character 6: a week from 1 to 53 is expected"),
            ("Feb 30 off", "character 8: a day of that month before this is expected"),
            ("Jan-5 10:00-12:00", "character 5: a month is expected"),
            ("Mo 10:00-12:00 \"open", "character 16: a remark that ends with '\"' is expected"),
            ("Mo 10:00-12:00 |", "character 17: a second \"|\" is expected"),
            ("Mo 10:00-12:00,", "character 16: a rule is expected"),
            ("Mö 10:00-12:00", "character 1: a day, a month, a time, \"24/7\" or \"off\" is expected"),
            ("10:00-12:00 é", "character 13: a time, \"off\", \";\" or the end is expected"),
        ])
    func isRefused(text: String, message: String) {
        let error = #expect(throws: OpeningHoursError.self) { try OpeningHours(text) }
        #expect(error?.description == message)
    }

    /// Random bytes of the syntax are refused or read; what is read is written and read as the same.
    @Test func anyText() {
        var random = SplitMix64(seed: 19)
        let pieces = [
            "Mo", "Fr", "-", ",", ";", " ", "PH", "off", "10:00", "12:00", "24:00", "26:00", "Jan", "Dec", "25", "2026",
            "week",
            "[1]", "\"x\"", "||", "+", "24/7", ":", "SH", "sunset", "/", "5", "(", ")", "unknown",
        ]
        var read = 0
        for _ in 0..<20_000 {
            let count = Int(random.next() % 8) + 1
            let text = (0..<count).map { _ in pieces[Int(random.next() % UInt64(pieces.count))] }.joined()
            guard let hours = try? OpeningHours(text), let rules = hours.rules else { continue }
            read += 1
            let written = OpeningHours(rules: rules).text
            #expect((try? OpeningHours(written))?.rules == rules, "\(text) is written as \(written)")
        }
        #expect(read > 500)
    }
}
