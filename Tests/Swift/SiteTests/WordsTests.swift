import Bytes
import Testing

@testable import Site
@testable import SookeModel

@Suite struct WordsTests {
    /// Monday 23 November 2026, 4:12 pm.
    static let words = Words(
        at: moment("2026-11-23T16:12:00-08:00"), in: TimeZone(name: "Test", fixedOffset: -8 * 3600))

    static func moment(_ text: String) -> Timestamp { Timestamp(rfc3339: text) ?? Timestamp.epoch }

    @Test(arguments: [
        (0, "midnight"), (1, "12:01 am"), (60, "1 am"), (570, "9:30 am"), (605, "10:05 am"), (719, "11:59 am"),
        (720, "noon"), (750, "12:30 pm"), (780, "1 pm"), (1439, "11:59 pm"), (1440, "midnight"), (1500, "1 am"),
    ])
    func times(minute: Int, text: String) {
        #expect(Self.words.time(minute) == text)
    }

    @Test(arguments: [
        ((2026, 12, 24), (2026, 12, 26), "24–26 Dec"), ((2027, 1, 11), (2027, 1, 15), "11–15 Jan 2027"),
        ((2026, 11, 30), (2026, 12, 2), "30 Nov – 2 Dec"), ((2026, 12, 28), (2027, 1, 3), "28 Dec – 3 Jan 2027"),
        ((2027, 6, 28), (2027, 7, 3), "28 Jun – 3 Jul 2027"),
        ((2027, 12, 30), (2028, 1, 2), "30 Dec 2027 – 2 Jan 2028"),
    ])
    func someDays(first: (Int, Int, Int), last: (Int, Int, Int), text: String) throws {
        let dates = try [first, last].map { try #require(CivilDate(year: $0.0, month: $0.1, day: $0.2)) }
        #expect(Self.words.shortDates(dates[0], dates[1]).replacing("\u{A0}", with: " ") == text)
    }

    /// Rules of records continue the name of a field; forms write whole sentences.
    @Test(arguments: [
        ("must not be empty", "Name", "Enter the name"), ("is missing", "Your e-mail", "Enter your e-mail"),
        ("must be an e-mail address like name@example.org", "E-mail", "Enter an e-mail address like name@example.org"),
        ("is 300 characters long", "Name", "Name is 300 characters long"), ("is taken", nil, "Is taken"),
        ("Choose the day", "Day", "Choose the day"), ("“10am” is one time", "Hours", "“10am” is one time"),
        ("Give both times", "Monday:", "Monday: Give both times"), ("", nil, ""),
    ])
    func problems(message: String, field: String?, sentence: String) {
        #expect(Words.problem(message, of: field) == sentence)
    }

    /// What somebody types into a search.
    @Test(arguments: [
        ("Saturday 12 December", "2026-12-12", ""), ("quiz sat dec 12th", "2026-12-12", "quiz"),
        ("12. Dec quiz", "2026-12-12", "quiz"), ("3 Feb", "2027-02-03", ""), ("23 november", "2026-11-23", ""),
        ("22 nov", "2027-11-22", ""), ("carols 24 Dec. 2027, church", "2027-12-24", "carols church"),
        ("24 dec 2001", "2001-12-24", ""), ("2026-12-31 party", "2026-12-31", "party"), ("31 Sept", nil, ""),
        ("29 feb", nil, ""), ("december", nil, ""), ("12", nil, ""), ("de 12", nil, ""),
        ("unit 5th mar", "2027-03-05", "unit"), ("5thx mar", nil, ""), ("0 dec 13", "2026-12-13", "0"),
        ("", nil, ""), ("99999999999999999999 dec", nil, ""),
    ])
    func daysInTexts(text: String, date: String?, rest: String) {
        let found = Self.words.day(in: text)
        #expect(found?.date.text == date && found?.rest ?? "" == rest)
    }

    @Test(arguments: [
        (540, 1020, "9 am – 5 pm"), (1020, 1320, "5 – 10 pm"), (690, 840, "11:30 am – 2 pm"),
        (480, 690, "8 – 11:30 am"),
        (720, 1260, "noon – 9 pm"), (0, 360, "midnight – 6 am"), (540, 720, "9 am – noon"), (750, 780, "12:30 – 1 pm"),
        (960, 1500, "4 pm – 1 am"), (0, 1440, "24 hours"), (480, 1920, "24 hours"), (600, 1440, "10 am – midnight"),
        (1380, 1500, "11 pm – 1 am"), (1410, 2040, "11:30 pm – 10 am"), (660, 2100, "24 hours"),
    ])
    func spans(start: Int, end: Int, text: String) {
        #expect(Self.words.span(start, end) == text)
    }

    @Test(arguments: [
        (0, "00:00"), (1, "00:01"), (570, "09:30"), (720, "12:00"), (1439, "23:59"), (1440, "00:00"), (1500, "01:00"),
    ])
    func timesOfClocksWith24Hours(minute: Int, text: String) {
        let words = Words(at: Self.words.now, in: Self.words.zone, has24Hours: true)
        #expect(words.time(minute) == text)
        #expect(words.span(minute, minute + 60) == "\(text) – \(words.time(minute + 60))")
        #expect(words.span(minute, minute + 1440) == "24 hours")
    }

    @Test(arguments: [
        (2026, 11, 23, "Today", "Monday 23 November", "Mon 23 Nov"),
        (2026, 11, 24, "Tomorrow", "Tuesday 24 November", "Tue 24 Nov"),
        (2026, 11, 28, "Saturday", "28 November", "Sat 28 Nov"),
        (2026, 11, 22, "Sunday", "22 November", "Sun 22 Nov"),
        (2027, 1, 1, "Friday", "1 January 2027", "Fri 1 Jan 2027"),
    ])
    func days(year: Int, month: Int, day: Int, name: String, subtitle: String, short: String) throws {
        let date = try #require(CivilDate(year: year, month: month, day: day))
        #expect(Self.words.name(of: date) == name)
        #expect(Self.words.subtitle(of: date) == subtitle)
        #expect(Self.words.shortDate(date) == short)
    }

    @Test(arguments: [
        (OpenState.Status.open, "2026-11-24T01:00:00-08:00", "", "until 1 am", "Open until 1 am"),
        (.open, "2026-11-27T09:00:00-08:00", "", "until Fri 9 am", "Open until Fri 9 am"),
        (.open, "", "", "open", "Open"),
        (.closingSoon, "2026-11-23T17:00:00-08:00", "", "closes 5 pm", "Closes at 5 pm"),
        (.opensSoon, "2026-11-23T17:00:00-08:00", "", "opens 5 pm", "Opens at 5 pm"),
        (.closed, "2026-11-23T18:00:00-08:00", "", "opens 6 pm", "Closed. Opens 6 pm"),
        (.closed, "2026-11-24T07:00:00-08:00", "Picnic", "opens Tue 7 am", "Closed: Picnic. Opens Tue 7 am"),
        (.closed, "2026-12-04T07:00:00-08:00", "", "opens Fri 4 Dec", "Closed. Opens Fri 4 Dec"),
        (.closed, "", "Moved", "closed", "Closed: Moved"), (.unknown, "", "", "hours unknown", "Hours unknown"),
    ])
    func openStates(status: OpenState.Status, until: String, comment: String, short: String, sentence: String) {
        let words = Self.openWords(status, until, comment)
        #expect(words.short == short && words.sentence == sentence)
    }

    private static func openWords(
        _ status: OpenState.Status, _ until: String, _ comment: String, unconfirmed: String? = nil
    ) -> OpenWords {
        var state = OpenState(status: status, reason: .regular)
        (state.comment, state.unconfirmed) = (comment, unconfirmed)
        if !until.isEmpty {
            state.until = moment(until)
            if state.isOpen == false { state.nextOpening = state.until }
        }
        return OpenWords(state, words)
    }

    /// What is said of usual hours on a holiday that they do not name.
    @Test(arguments: [
        (OpenState.Status.open, "2026-11-23T21:00:00-08:00", "", "usually until 9 pm", "Usually open until 9 pm"),
        (.closingSoon, "2026-11-23T17:00:00-08:00", "", "usually until 5 pm", "Usually open until 5 pm"),
        (.open, "", "", "usually open", "Usually open"),
        (.closed, "2026-11-23T18:00:00-08:00", "", "usually opens 6 pm", "Closed. Usually opens 6 pm"),
        (.opensSoon, "2026-11-23T17:00:00-08:00", "Lunch", "usually opens 5 pm", "Closed: Lunch. Usually opens 5 pm"),
        (
            .closed, "2026-11-24T10:00:00-08:00", "", "usually opens tomorrow 10 am",
            "Closed. Usually opens tomorrow 10 am"
        ),
        (.closed, "2026-11-27T10:00:00-08:00", "", "usually opens Fri 10 am", "Closed. Usually opens Fri 10 am"),
    ])
    func unconfirmedStates(
        status: OpenState.Status, until: String, comment: String, short: String, sentence: String
    ) {
        let words = Self.openWords(status, until, comment, unconfirmed: "Feast")
        let doubt = " · not confirmed for Feast"
        #expect(words.short == short + doubt && words.sentence == sentence + doubt)
        #expect(words.style == .unconfirmed && words.unseen == nil)
    }

    @Test(arguments: [
        ("FREQ=DAILY", "every day"), ("FREQ=DAILY;INTERVAL=2", "every second day"), ("FREQ=WEEKLY", "every Monday"),
        ("FREQ=WEEKLY;BYDAY=SA;UNTIL=20261219", "every Saturday to 19 December"),
        ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "every Monday to Friday"),
        ("FREQ=WEEKLY;BYDAY=SU,MO,TU,WE,TH,FR,SA", "every day"),
        ("FREQ=WEEKLY;BYDAY=SU,TU", "every Tuesday and Sunday"),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=TU", "every second week on Tuesday"),
        ("FREQ=WEEKLY;INTERVAL=3", "every 3 weeks on Monday"), ("FREQ=MONTHLY", "the 23rd of every month"),
        ("FREQ=MONTHLY;BYMONTHDAY=1,15", "the 1st and 15th of every month"),
        ("FREQ=MONTHLY;BYMONTHDAY=-1", "the last day of every month"),
        ("FREQ=MONTHLY;BYDAY=2TU", "the second Tuesday of every month"),
        ("FREQ=MONTHLY;BYDAY=1FR,3FR;COUNT=8", "the first and third Friday of every month"),
        ("FREQ=MONTHLY;BYDAY=-1SU;INTERVAL=2", "the last Sunday of every second month"),
        ("FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=1", "on several dates"), ("FREQ=YEARLY", "every year on 23 November"),
        ("FREQ=YEARLY;BYMONTH=7;BYMONTHDAY=1", "every year on 1 July"),
        ("FREQ=YEARLY;BYWEEKNO=20", "on several dates"),
    ])
    func recurrences(rule: String, text: String) throws {
        let rule = try RecurrenceRule(rule)
        let start = try #require(CivilDate(year: 2026, month: 11, day: 23))
        #expect(Self.words.recurrence(rule, from: start) == text)
    }
}
