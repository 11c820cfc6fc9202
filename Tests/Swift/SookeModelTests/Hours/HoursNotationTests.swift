import Testing

import TestSupport
@testable import SookeModel

@Suite struct HoursNotationTests {
    @Test(arguments: [
        ("Mon-Fri 9-5", "Mo-Fr 09:00-17:00"), ("M-F 9-5", "Mo-Fr 09:00-17:00"), ("9am to noon", "Mo-Su 09:00-12:00"),
        ("9:00 AM – 5:00 PM", "Mo-Su 09:00-17:00"),
        ("Mon to Fri 9am-5pm, Sat 10-4, closed Sun", "Mo-Fr 09:00-17:00; Sa 10:00-16:00"), ("24 hours", "24/7"),
        ("Open 24 hrs", "24/7"), ("closed", "off"),
        ("Weekends 10-4", "Sa-Su 10:00-16:00"), ("daily 10-6", "Mo-Su 10:00-18:00"),
        ("7 days a week 8am-8pm", "Mo-Su 08:00-20:00"), ("9 am-5 pm every day", "Mo-Su 09:00-17:00"),
        ("9-12 & 1-5", "Mo-Su 09:00-12:00,13:00-17:00"), ("10–6 (closed Mon)", "Tu-Su 10:00-18:00"),
        ("Open daily 10am - 6pm", "Mo-Su 10:00-18:00"),
        ("Monday through Friday 8:30 a.m. to 4:30 p.m.", "Mo-Fr 08:30-16:30"),
        (
            "Tues-Thurs 11-7, Fri & Sat 11-9, Sun 12-5", "Tu-Th 11:00-19:00; Fr-Sa 11:00-21:00; Su 12:00-17:00"
        ),
        ("Mon, Wed, Fri 9-5", "Mo,We,Fr 09:00-17:00"), ("Mon/Wed/Fri 9-12", "Mo,We,Fr 09:00-12:00"),
        ("Mondays and Weds 9-12", "Mo,We 09:00-12:00"),
        ("Sunday closed; Monday to Saturday 9 to 5", "Mo-Sa 09:00-17:00"),
        ("closed Sunday, Monday 9-5", "Mo 09:00-17:00"),

        ("Mon-Fri 9-12, Mon-Fri 1-5", "Mo-Fr 09:00-12:00,13:00-17:00"),
        ("Mon 1pm-5pm\nMon 9am-noon", "Mo 09:00-12:00,13:00-17:00"),
        ("Mon 9-12, Mon 1-5, Tue 9-5", "Mo 09:00-12:00,13:00-17:00; Tu 09:00-17:00"),
        ("Mon-Fri 9-5, Fri 7pm-9pm", "Mo-Th 09:00-17:00; Fr 09:00-17:00,19:00-21:00"),
        ("Mon-Fri 9-5, holidays 9-12, holidays 1-3", "Mo-Fr 09:00-17:00; PH 09:00-12:00,13:00-15:00"),
        ("Open holidays, Mon-Fri 9-5", "Mo-Fr 09:00-17:00"),
        ("Mon-Fri 9-5, open holidays 10-2", "Mo-Fr 09:00-17:00; PH 10:00-14:00"),
        ("By appointment", "unknown \"by appointment\""),
        ("nach Vereinbarung", "unknown \"nach vereinbarung\""),
        ("Sun open", "Su unknown \"open\""), ("PH closed, Sun open", "Su unknown \"open\"; PH off"),
        ("open Sat, closed Sun; Mon-Fri 9-5", "Mo-Fr 09:00-17:00; Sa unknown \"open\""),
        ("Mon-Fri 9-5, Sat & Sun open", "Mo-Fr 09:00-17:00; Sa-Su unknown \"open\""),
        ("open Sat, 10-4", "Sa 10:00-16:00"),
        ("24 hours, 7 days a week", "24/7"),
        ("Mon-Fri 9-5, Sat by appointment", "Mo-Fr 09:00-17:00; Sa unknown \"by appointment\""),
        ("Mon-Fri 9-5; Sat & Sun: by appointment only", "Mo-Fr 09:00-17:00; Sa-Su unknown \"by appointment only\""),
        ("Mon-Fri 9-5 or by appointment", "unknown \"by appointment\", Mo-Fr 09:00-17:00"),
        ("Mon-Fri 9-5, closed Sun, other times by appointment", "Mo-Fr 09:00-17:00; Sa unknown \"by appointment\""),
        ("Mon-Fri 9-5, closed Sun, by appointment", "unknown \"by appointment\", Mo-Fr 09:00-17:00; Su off"),
        ("closed Wed, daily 9-5", "Mo-Tu,Th-Su 09:00-17:00"), ("Mon-Fri 24 hours", "Mo-Fr 00:00-24:00"),
        ("24 hours, closed Sun", "Mo-Sa 00:00-24:00"), ("Sat-Mon 10-4", "Mo,Sa-Su 10:00-16:00"),
        ("Mon-Fri 9-5, holidays closed", "Mo-Fr 09:00-17:00; PH off"),
        ("Mon-Fri 9-12, 1-5; Sat 9-12", "Mo-Fr 09:00-12:00,13:00-17:00; Sa 09:00-12:00"),
        ("Thu-Sat 5pm - close", "Th-Sa 17:00+"),
        (
            "Monday - Friday: 8:30 - 4:30, Saturday: 9:00 - 1:00", "Mo-Fr 08:30-16:30; Sa 09:00-13:00"
        ),
        ("Mon 9 - 5 & Tue 10 - 6", "Mo 09:00-17:00; Tu 10:00-18:00"), ("MWF 9-12", "Mo,We,Fr 09:00-12:00"),
        ("T/Th 1-4", "Tu,Th 13:00-16:00"), ("closed Sun. Mon-Fri 9-5", "Mo-Fr 09:00-17:00"),
        (
            "M-Th 10-6, F 10-8, S 10-5, Su 12-4",
            "Mo-Th 10:00-18:00; Fr 10:00-20:00; Sa 10:00-17:00; Su 12:00-16:00"
        ),
        (
            "Mon-Thurs 11:30am-9pm / Fri & Sat 11:30am-10pm / Sun 4pm-9pm",
            "Mo-Th 11:30-21:00; Fr-Sa 11:30-22:00; Su 16:00-21:00"
        ),
        ("Mon-Fri 9-5 except holidays", "Mo-Fr 09:00-17:00; PH off"),
        ("Mon-Fri 9-5, except holidays, Sat 10-4", "Mo-Fr 09:00-17:00; Sa 10:00-16:00; PH off"),
        ("Daily except Tuesday 10-5", "Mo,We-Su 10:00-17:00"), ("Closed Mondays, otherwise 10-5", "Tu-Su 10:00-17:00"),
        ("Sat 10-2, closed Sun, other days 9-5", "Mo-Fr 09:00-17:00; Sa 10:00-14:00"),
        ("Sun closed all day, all other days 9-5", "Mo-Sa 09:00-17:00"),
        ("Mon-Fri 9-12\n1-5\nSat 9-12", "Mo-Fr 09:00-12:00,13:00-17:00; Sa 09:00-12:00"),
        ("Lun-Ven 9h-17h", "Mo-Fr 09:00-17:00"),
        ("Lundi au vendredi de 9h00 à 17h30, fermé dimanche", "Mo-Fr 09:00-17:30"),
        ("Mo-Fr 9-18 Uhr, Sa 9-13 Uhr", "Mo-Fr 09:00-18:00; Sa 09:00-13:00"),
        ("Dienstag bis Sonntag 10-18 Uhr, Montag Ruhetag", "Tu-Su 10:00-18:00"),

    ])
    func weeks(text: String, hours: String) throws {
        #expect(try HoursNotation.hours(text).text == hours)
    }

    /// Times of one day.
    @Test(arguments: [
        ("9-5", "09:00-17:00"), ("9:30-5", "09:30-17:00"),
        ("1-5", "13:00-17:00"), ("12-5", "12:00-17:00"), ("12:30-1:30", "12:30-13:30"), ("9-12", "09:00-12:00"),
        ("12-12", "12:00-24:00"), ("5-9", "17:00-21:00"), ("5-2", "17:00-02:00"),
        ("9-12, 6-9", "09:00-12:00,18:00-21:00"), ("8-11 and 1-5", "08:00-11:00,13:00-17:00"), ("7-3", "07:00-15:00"),
        ("9am-5", "09:00-17:00"), ("9-5pm", "09:00-17:00"), ("11-3pm", "11:00-15:00"),
        ("10-12pm", "10:00-12:00"), ("9-11am", "09:00-11:00"), ("5-8am", "05:00-08:00"), ("11am-3", "11:00-15:00"),
        ("5pm-2am", "17:00-02:00"), ("8am-12", "08:00-12:00"), ("8am-12am", "08:00-24:00"),
        ("8am-midnight", "08:00-24:00"), ("noon-8pm", "12:00-20:00"), ("12 noon - 8", "12:00-20:00"),
        ("midnight-6am", "00:00-06:00"), ("9a-5p", "09:00-17:00"), ("6am-2am", "06:00-02:00"),
        ("22:00-02:00", "22:00-02:00"), ("09:00-17:00", "09:00-17:00"), ("8-17:30", "08:00-17:30"),
        ("10-18", "10:00-18:00"), ("0-24", "00:00-24:00"), ("12-18", "12:00-18:00"), ("17:00-24:00", "17:00-24:00"),
        ("24 hours", "00:00-24:00"), ("5pm-late", "17:00+"), ("closed", ""), ("Closed.", ""),
        ("from 9 until 5", "09:00-17:00"), ("9:00-5:00", "09:00-17:00"),
        ("12:00-4:00", "12:00-16:00"), ("11:30-1:30", "11:30-13:30"), ("11:30-01:30", "11:30-01:30"),
        ("10:00 - 2:00, 4:00 - 8:00", "10:00-14:00,16:00-20:00"), ("9h-17h", "09:00-17:00"),
        ("9h00 à 17h30", "09:00-17:30"), ("9 h - 17 h", "09:00-17:00"),
        ("0900-1700 hrs", "09:00-17:00"), ("930-530", "09:30-17:30"), ("11am-2pm; 5pm-9pm", "11:00-14:00,17:00-21:00"),
        ("11am-2pm\n5pm-9pm", "11:00-14:00,17:00-21:00"), ("11am-2pm 5pm-9pm", "11:00-14:00,17:00-21:00"),
        ("5pm-9pm, 11am-2pm", "11:00-14:00,17:00-21:00"), ("16:00-20:00, 10:00-14:00", "10:00-14:00,16:00-20:00"),
        ("closed all day", ""), ("9:00:00 AM - 5:00:00 PM", "09:00-17:00"), ("9:00:00-5:00:00", "09:00-17:00"),
        ("9:00 AM - 5:00 PM PST", "09:00-17:00"), ("09:00 - 17:00 Uhr", "09:00-17:00"),

    ])
    func days(text: String, times: String) throws {
        var rule = HoursRule()
        rule.times = try HoursNotation.times(text)
        #expect((rule.times.isEmpty ? "" : OpeningHours(rules: [rule]).text) == times)
    }

    @Test(arguments: [
        ("7-11", "character 1: \"am\" or \"pm\" at times that can be both, is expected"),
        ("Mon 6-10pm", "character 5: \"am\" or \"pm\" at times that can be both, is expected"),
        ("9am-11", "character 1: \"am\" or \"pm\" at times that can be both, is expected"),
        ("9-late", "character 1: \"am\" or \"pm\" at times that can be both, is expected"),
        ("08:00-05:00", "character 1: \"am\" or \"pm\" at times that can be both, is expected"),
        ("9-5, 4-6", "character 1: \"am\" or \"pm\" at times that can be both, is expected"),
        ("9:00-9:00", "character 1: \"am\" or \"pm\" at times that can be both, is expected"),
        ("closed Mondays", "character 15: the times of the other days is expected"),
        ("Closed Sun-Mon", "character 15: the times of the other days is expected"),
        ("holidays closed", "character 16: the times of the other days is expected"),
        ("Tue-Sat", "character 8: a time, such as 9am, noon or 17:30, is expected"),
        ("Mon-Fri all day", "character 9: a time, such as 9am, noon or 17:30, is expected"),
        ("9-12; 1-5 Sat", "character 5: the days of these times is expected"),
        ("Daily except Mon, Tue 10-5", "character 17: \"and\" between the days that are closed is expected"),
        ("Mon except Mon 9-5", "character 16: a day that is not closed is expected"),
        ("S 9-5", "character 1: a day, a time or \"closed\" is expected"),
        ("9:00:30-10:00", "character 8: a time without seconds is expected"),
        ("250-555", "character 1: a time, such as 9am, noon or 17:30, is expected"),
        ("1234-1300", "character 1: a time, such as 9am, noon or 17:30, is expected"),
        (
            "Mon-Fri 9-5, Fri 9-3",
            "Friday has two times that overlap, 09:00-17:00 and 09:00-15:00; write each day once"
        ),
        (
            "Mon-Fri 9-5, Wed 9-12",
            "Wednesday has two times that overlap, 09:00-17:00 and 09:00-12:00; write each day once"
        ),
        ("Mon 9-5, Mon closed", "09:00-17:00 is on days that are closed as well; write each day once"),
        ("closed Tue; Tue 9-5; Wed 9-5", "09:00-17:00 is on days that are closed as well; write each day once"),
        ("Mon 9-5, PH 9-1, PH closed", "09:00-13:00 is on days that are closed as well; write each day once"),
        ("Permanently closed", "leave this empty and say “by appointment” in the description"),
        (
            "Mon-Fri 9-5, Dec 25 closed",
            "hours of a season go into opening_hours in the syntax of OpenStreetMap, such as "
                + "May-Sep Mo-Su 09:00-17:00; Oct-Apr Sa-Su 10:00-16:00"
        ),
        ("PH open", "character 8: the times of the other days is expected"),
        ("Call for hours", "leave this empty and say “by appointment” in the description"),
        ("varies", "leave this empty and say “by appointment” in the description"),
        ("Seasonal", "leave this empty and say “by appointment” in the description"),
        ("Mon-Fri 9-5, Sat call ahead", "write days and times only; say the rest in the description"),
        (
            "5-Sep",
            "this is a date; write the hours again, such as 9-5, in a spreadsheet as text"
        ),
        (
            "2026-09-05 00:00:00",
            "this is a date; write the hours again, such as 9-5, in a spreadsheet as text"
        ),
        (
            "May-Sept: daily 9-5; Oct-Apr: Sat-Sun 10-4",
            "hours of a season go into opening_hours in the syntax of OpenStreetMap, such as "
                + "May-Sep Mo-Su 09:00-17:00; Oct-Apr Sa-Su 10:00-16:00"
        ),
        ("T-F 9-5", "character 1: a day, a time or \"closed\" is expected"),
        ("closed Sun, Mon, Tue 9-5", "character 16: \";\" between the days that are closed and the others is expected"),
        ("25-26", "character 1: a time up to 24:00 is expected"),
        ("9:75-10", "character 5: minutes from 00 to 59 is expected"),
        ("9-", "character 3: a time, such as 9am, noon or 17:30, is expected"),
        ("9", "character 2: \"-\" and the time of closing is expected"),
        ("13pm-14", "character 1: an hour from 1 to 12 is expected"),
        ("Mon-Fri", "character 8: a time, such as 9am, noon or 17:30, is expected"),
        ("Mon 9-5, 10-6 Tue", "character 18: a time, such as 9am, noon or 17:30, is expected"),
        ("hello", "character 1: a day, a time or \"closed\" is expected"),
        (
            "summer 9-5",
            "hours of a season go into opening_hours in the syntax of OpenStreetMap, such as "
                + "May-Sep Mo-Su 09:00-17:00; Oct-Apr Sa-Su 10:00-16:00"
        ),
        ("", "character 1: a time, such as 9am, noon or 17:30, is expected"),
        ("9-5 £", "character 5: a day, a time or \"closed\" is expected"),
    ])
    func isRefused(text: String, message: String) {
        let error = #expect(throws: OpeningHoursError.self) { try HoursNotation.hours(text) }
        #expect(error?.description == message)
    }

    /// What is read can be written; the rest is refused.
    @Test func anyText() {
        var random = SplitMix64(seed: 4)
        let pieces = [
            "Mon", "-", "Fri", " ", ",", "9", "5", "am", "pm", "closed", "&", "24 hours", "noon", ";", "(", ")",
            "10:30",
            "daily", "PH", "open", "by appointment", "or by appointment", "late", ":", "/", "7 days", "é", "12",
            "except", "otherwise", "T", "S", "h", "0930", "all day", ".", "Sun",
        ]
        var read = 0
        for _ in 0..<Cases.count(3_000, of: 20_000) {
            let text = (0...random.below(8)).map { _ in random.pick(pieces) }.joined()
            _ = try? HoursNotation.times(text)
            guard let hours = try? HoursNotation.hours(text) else { continue }
            read += 1
            #expect((try? OpeningHours(hours.text))?.rules == hours.rules, "\(text)")
        }
        #expect(read > Cases.count(30, of: 200))
    }
}
