import Bytes
import TestSupport
import Testing

@testable import SookeModel

@Suite struct OpeningHoursTests {
    /// Texts, and how they are written.
    @Test(
        arguments: [
            ("24/7", "24/7"), ("Mo-Fr 09:00-17:00", "Mo-Fr 09:00-17:00"), ("mo-fr 9:00 - 17:00", "Mo-Fr 09:00-17:00"),
            ("Monday-Friday 09:00-17:00", "Mo-Fr 09:00-17:00"),
            ("Mo-Fr: 09:00-17:00; Sa: 10:00-14:00", "Mo-Fr 09:00-17:00; Sa 10:00-14:00"),
            ("Mo-Fr 08:00-12:00,13:00-17:30", "Mo-Fr 08:00-12:00,13:00-17:30"),
            ("Mo-Fr 08:00-12:00, 13:00-17:30; Sa 08:00-12:00", "Mo-Fr 08:00-12:00,13:00-17:30; Sa 08:00-12:00"),
            ("Mo,We,Fr 10:00-12:00", "Mo,We,Fr 10:00-12:00"),
            ("Mo-Fr 09:00-17:00, Sa 10:00-14:00", "Mo-Fr 09:00-17:00, Sa 10:00-14:00"),
            ("Fr-Sa 22:00-02:00", "Fr-Sa 22:00-02:00"), ("Fr-Sa 22:00-26:00", "Fr-Sa 22:00-02:00"),
            ("Mo-Su 00:00-24:00", "Mo-Su 00:00-24:00"), ("Mo-Su,PH 10:00-20:00", "PH,Mo-Su 10:00-20:00"),
            ("Mo-Fr 09:00-17:00; PH off", "Mo-Fr 09:00-17:00; PH off"),
            ("Mo-Fr 09:00-17:00; PH closed", "Mo-Fr 09:00-17:00; PH off"), ("Mo 10:00+", "Mo 10:00+"),
            ("Mo 17:00-22:00+", "Mo 17:00-22:00+"),
            ("Jan-Mar 10:00-16:00; Apr-Dec 09:00-18:00", "Jan-Mar 10:00-16:00; Apr-Dec 09:00-18:00"),
            ("Jun-Aug: Mo-Su 08:00-20:00", "Jun-Aug Mo-Su 08:00-20:00"), ("Dec 25 off", "Dec 25 off"),
            ("Dec 24-26 off", "Dec 24-26 off"), ("Dec 24,25,31 off", "Dec 24,Dec 25,Dec 31 off"),
            ("Dec 24-Jan 02 off", "Dec 24-Jan 02 off"), ("2026 Dec 24-2027 Jan 02 off", "2026 Dec 24-2027 Jan 02 off"),
            ("2026 Dec 24 off", "2026 Dec 24 off"), ("2026-2028 Mo 10:00-12:00", "2026-2028 Mo 10:00-12:00"),
            ("week 01-26/2 Mo 10:00-12:00", "week 01-26/2 Mo 10:00-12:00"), ("We[1] 18:00-20:00", "We[1] 18:00-20:00"),
            ("We[1,3] 18:00-20:00; Fr[-1] off", "We[1,3] 18:00-20:00; Fr[-1] off"),
            ("Mo-Fr 09:00-12:00 \"by appointment\"", "Mo-Fr 09:00-12:00 unknown \"by appointment\""),
            ("Mo-Fr 09:00-12:00 open \"ring twice\"", "Mo-Fr 09:00-12:00 open \"ring twice\""),
            ("Aug 02-Aug Mo[1]", "Aug 02-Aug Mo[1]"),
            ("Jan 20-Jan Su[-1] 10:00-12:00", "Jan 20-Jan Su[-1] 10:00-12:00"),
            ("2027 Jan 20-2028 Mar Su[1]: Tu 10:00-12:00", "2027 Jan 20-2028 Mar Su[1] Tu 10:00-12:00"),
            ("Jan 20-Mar: Su[1] 10:00-12:00", "Jan 20-Mar: Su[1] 10:00-12:00"),
            ("Jan-Mar Su[1] 10:00-12:00", "Jan-Mar Su[1] 10:00-12:00"),
            ("Dec 20-Jan Su[1],Apr 1 off", "Dec 20-Jan Su[1],Apr 01 off"),
            ("\"by appointment\"", "unknown \"by appointment\""),
            ("Mo-Fr 09:00-17:00; Sa unknown", "Mo-Fr 09:00-17:00; Sa unknown"), ("off", "off"),
            ("Mo-Fr 09:00-17:00;", "Mo-Fr 09:00-17:00"),
            ("Mo-Fr 09:00-17:00; 12:00-13:00 off", "Mo-Fr 09:00-17:00; 12:00-13:00 off"),
            ("Dec 10:00-12:00", "Dec 10:00-12:00"),
            // Hours without minutes, dots, dashes and spaces of other kinds, signs twice.
            ("Mo-Fr 8-17", "Mo-Fr 08:00-17:00"),
            ("Mo-Fr 8-12,13-17:30; Sa 9-12", "Mo-Fr 08:00-12:00,13:00-17:30; Sa 09:00-12:00"),
            ("Mo-Fr 09.00-17.00", "Mo-Fr 09:00-17:00"), ("Mo–Fr 09:00–17:00", "Mo-Fr 09:00-17:00"),
            ("Mo\u{A0}—\u{A0}Fr\t09:00\u{2212}17:00", "Mo-Fr 09:00-17:00"),
            ("Mo-Fr 09:00-17:00 open \"a – b\"", "Mo-Fr 09:00-17:00 open \"a – b\""),
            ("Mo-Fr 09:00-17:00;; Sa 10:00-12:00 ;", "Mo-Fr 09:00-17:00; Sa 10:00-12:00"),
            ("May 01-Sep 30: Mo-Fr 08:00-16:00", "May 01-Sep 30 Mo-Fr 08:00-16:00"),
            ("week 1-53/2: Fr 09:00-12:00", "week 01-53/2 Fr 09:00-12:00"),
            // Holidays and dates in one list.
            ("Mo-Fr 09:00-17:00; PH,Dec 24,Dec 31 off", "Mo-Fr 09:00-17:00; PH off; Dec 24,Dec 31 off"),
            ("Jan 1, PH 9:00-12:00 \"ask\"", "Jan 01 09:00-12:00 unknown \"ask\"; PH 09:00-12:00 unknown \"ask\""),
            ("2026 Dec 24+ off", "2026 Dec 24+ off"),
            ("Feb-Feb 16 off; Feb 20-Feb 16 off", "Feb-Feb 16 off; Feb 20-Feb 16 off"),
            ("24/7 closed \"until further notice\"", "off \"until further notice\""),
            ("24/7 \"ring the bell\"", "unknown \"ring the bell\""),
            ("24/7 open \"ring the bell\"", "24/7 open \"ring the bell\""),
            ("Sa open \"by appointment\"", "Sa open \"by appointment\""),
            ("Mo-Sa 08:30-18:00, Su off", "Mo-Sa 08:30-18:00, Su off"), ("Jan-Mar,Nov-Dec off", "Jan-Mar,Nov-Dec off"),
            ("Apr-Oct: Mo-Su 10:00-18:00; Nov-Mar: Sa-Su", "Apr-Oct Mo-Su 10:00-18:00; Nov-Mar Sa-Su"),
            ("Th[1,3-4],Fr[-2] 10:00-12:00", "Th[1,3,4],Fr[-2] 10:00-12:00"),
            ("Sep-May: Mo-Fr 08:00-15:00; Jun-Aug off", "Sep-May Mo-Fr 08:00-15:00; Jun-Aug off"),
            ("10:00-14:00,18:00+", "10:00-14:00,18:00+"),
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
        "Mo-Fr 10:00-16:00/01:30", "2026-2030/2 10:00-12:00", "PH Mo 10:00-12:00",
        "Mar Su[-1]-Sep 30", "Mar Su[-1]-Oct Su[-1] 10:00-12:00", "Jan 01-31/8", "2020,8000-9000",
        "Dec 24 +1 day-Dec 31 off", "Jan 20-Jan Su[-1] +1 day", "Apr 19 -Su off", "\"summer\": Mo-Fr 10:00-12:00",
        "3000 Mo 10:00-12:00", "Mar Su[-1]+ 10:00-12:00", "Dec 24+ off", "SH,PH off", "Mo-Su sunset-sunrise",
        "Su[1] +1 day 10:00-12:00",
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
            ("Mo-Fr 9-5", "character 7: times with minutes, such as 09:00-17:00, is expected"),
            ("Mo-Fr 1-5", "character 7: times with minutes, such as 09:00-17:00, is expected"),
            ("Mo-Fr 08:00-5", "character 7: times with minutes, such as 09:00-17:00, is expected"),
            ("Mo-Fr 9am-5pm", "character 7: a time, \"off\", \";\" or the end is expected"),
            ("Mo-Fr 0900-1700", "character 7: a time, \"off\", \";\" or the end is expected"),
            ("Mo-Fr 09:00-17:00 Sa 10:00-14:00", "character 19: a time, \"off\", \";\" or the end is expected"),
            ("Mo-Fr, 10:00-12:00", "character 6: a time, \"off\" or \";\" is expected"),
            ("Jan-Mar, Mo 10:00-12:00", "character 8: a time, \"off\" or \";\" is expected"),
            ("Apr-Oct 10-18", "character 11: a time, \"off\", \";\" or the end is expected"),
            ("2025 Feb 29 off", "character 13: a day of that month before this is expected"),
            ("Dec 26-24 off", "character 11: a day from 26 before this is expected"),
            ("Feb 28,30 off", "character 11: a day of that month before this is expected"),
            ("Dec 24-2027 Jan 2 off", "character 19: a year of the first day, too, before this is expected"),
            ("2027 Jan 1-2026 Jan 2 off", "character 23: a last day that is not before the first one is expected"),
            ("Mo-Fr[1] 10:00-12:00", "character 6: a time, \"off\", \";\" or the end is expected"),
            ("summer 10:00-18:00", "character 1: a day, a month, a time, \"24/7\" or \"off\" is expected"),
            ("Mo–Fr 09:00–17:00 !", "character 19: a time, \"off\", \";\" or the end is expected"),
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
            "week", "Su", "Jan 20-Mar", "open",
            "[1]", "\"x\"", "||", "+", "24/7", ":", "SH", "sunset", "/", "5", "(", ")", "unknown",
        ]
        var read = 0
        for _ in 0..<Cases.count(3_000, of: 20_000) {
            let count = Int(random.next() % 8) + 1
            let text = (0..<count).map { _ in pieces[Int(random.next() % UInt64(pieces.count))] }.joined()
            guard let hours = try? OpeningHours(text), let rules = hours.rules else { continue }
            read += 1
            let written = OpeningHours(rules: rules).text
            #expect((try? OpeningHours(written))?.rules == rules, "\(text) is written as \(written)")
        }
        #expect(read > Cases.count(75, of: 500))
    }

    /// Any bytes, and valid texts with some of their bytes changed, are refused or read; each in time that grows with
    /// their length only.
    @Test func anyBytes() {
        var random = SplitMix64(seed: 20)
        let texts = [
            "Mo-Fr 08:00-12:00,13:00-17:30; Sa[1,-1] 09:00-12:00; PH,Dec 24 off \"closed\"",
            "2026 Dec 24-2027 Jan 02,Mar 1+ off, week 01-53/2 10:00+ || (sunrise+01:00)-26:00",
        ]
        for _ in 0..<Cases.count(3_000, of: 20_000) {
            var bytes = Array(random.pick(texts).utf8)
            for _ in 0...random.below(6) {
                let (place, byte) = (random.below(bytes.count), UInt8(truncatingIfNeeded: random.next()))
                switch random.below(3) {
                case 0: bytes[place] = byte
                case 1: bytes.insert(random.pick(bytes), at: place)
                default: bytes.remove(at: place)
                }
            }
            guard let hours = try? OpeningHours(String(decoding: bytes, as: UTF8.self)), let rules = hours.rules else {
                continue
            }
            #expect((try? OpeningHours(OpeningHours(rules: rules).text))?.rules == rules, "\(hours.text)")
            _ = OpeningSchedule(base: hours)
        }
        for piece in [
            "Mo,", "PH Mo ", "2026,", "Jan 1,", "10:00-11:00,", "(", "\"", ";", "week 1,", "Mo[1,", "a", "–", "9",
        ] {
            let text = String(repeating: piece, count: 1000 / piece.utf8.count)
            _ = try? OpeningHours(text)
        }
        #expect(throws: OpeningHoursError.self) { try OpeningHours(String(repeating: "Mo,", count: 334)) }
    }
}
