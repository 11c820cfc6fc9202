import Bytes
import Testing

@testable import SookeModel

/// The hours of a day, as pages show them in a table.
@Suite struct OpenDayTests {
    private static let utc = SookeModel.TimeZone(name: "UTC", fixedOffset: 0)

    /// A day as a text: its spans, then what is special, then the remark, such as `09:00-12:00 20:00-26:00 special party`.
    private static func text(_ day: OpenDay) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        func time(_ minute: Int) -> String { "\(two(minute / 60)):\(two(minute % 60))" }
        let spans = day.spans.map { "\(time($0.start))-\(time($0.end))\($0.isOpenEnded ? "+" : "")" }
        let hours = !day.isKnown ? ["unknown"] : spans.isEmpty ? ["closed"] : spans
        return (hours + (day.isSpecial ? ["special"] : []) + [day.comment].filter { !$0.isEmpty })
            .joined(separator: " ")
    }

    private static func date(_ text: String) throws -> CivilDate { try #require(CivilDate(text)) }

    private static func moment(_ text: String, in zone: SookeModel.TimeZone = utc) throws -> HoursMoment {
        HoursMoment(at: try #require(Timestamp(rfc3339: text)), in: zone, .britishColumbia)
    }

    /// Hours in the syntax of OpenStreetMap, a date, and its hours. 23 November 2026 is a Monday; Christmas a Friday.
    @Test(arguments: [
        ("Mo-Fr 09:00-17:00", "2026-11-23", "09:00-17:00"), ("Mo-Fr 09:00-17:00", "2026-11-28", "closed"),
        ("24/7", "2026-11-23", "00:00-24:00"), ("off", "2026-11-23", "closed"),
        ("Mo 09:00-12:00,13:00-17:00", "2026-11-23", "09:00-12:00 13:00-17:00"),
        ("Mo 13:00-17:00,09:00-12:00", "2026-11-23", "09:00-12:00 13:00-17:00"),
        ("Mo 09:00-12:00; Mo 13:00-17:00", "2026-11-23", "13:00-17:00"),
        ("Mo 09:00-12:00, Mo 13:00-17:00", "2026-11-23", "09:00-12:00 13:00-17:00"),
        // The night belongs to the day on which it begins.
        ("Mo 20:00-02:00", "2026-11-23", "20:00-26:00"), ("Mo 20:00-02:00", "2026-11-24", "closed"),
        ("Mo 18:00+", "2026-11-23", "18:00-24:00+"), ("Mo-Su 09:00-17:00; We off", "2026-11-25", "closed"),
        ("Mo-Su 09:00-17:00; Mo 12:00-13:00 off", "2026-11-23", "09:00-12:00 13:00-17:00"),
        // Nothing is known of a day with nothing but what is not known.
        ("Mo unknown", "2026-11-23", "unknown"), ("Mo 09:00-12:00 unknown", "2026-11-23", "unknown"),
        ("Mo 09:00-12:00, Mo 13:00-17:00 unknown", "2026-11-23", "09:00-12:00"),
        ("Mo 09:00-12:00 \"by appointment\"", "2026-11-23", "unknown by appointment"),
        ("Mo 09:00-12:00 open \"ring twice\"", "2026-11-23", "09:00-12:00 ring twice"),
        // A remark is of the rule that decides; a day that is closed as each week has none.
        ("Mo 09:00-12:00 open \"ring twice\"", "2026-11-24", "closed"),
        ("Mo-Su 09:00-17:00; We off \"day of rest\"", "2026-11-25", "closed"),
        // Holidays, with their names.
        ("Mo-Fr 09:00-17:00; PH off", "2026-12-25", "closed special Christmas Day"),
        ("Mo-Fr 09:00-17:00; PH 10:00-12:00", "2026-12-25", "10:00-12:00 special Christmas Day"),
        ("Mo-Fr 09:00-17:00; PH off \"at home\"", "2026-12-25", "closed special at home"),
        ("Mo-Fr 09:00-17:00", "2026-12-25", "09:00-17:00"), ("Mo-Fr 09:00-17:00; PH off", "2026-12-24", "09:00-17:00"),
        // Certain dates.
        ("Mo-Fr 09:00-17:00; 2026 Dec 24 09:00-12:00", "2026-12-24", "09:00-12:00 special"),
        ("Mo-Fr 09:00-17:00; 2026 Dec 24 off \"moving\"", "2026-12-24", "closed special moving"),
        ("Mo-Fr 09:00-17:00; 2026 Dec 24 off", "2027-12-24", "09:00-17:00"),
        ("Jun-Aug 10:00-18:00", "2026-07-01", "10:00-18:00 special"), ("Jun-Aug 10:00-18:00", "2026-09-01", "closed"),
    ])
    func ofAText(hours: String, date: String, shown: String) throws {
        let schedule = OpeningSchedule(base: try OpeningHours(hours))
        let day = schedule.day(try Self.date(date), around: try Self.moment("2026-11-23T16:12:00Z"))
        #expect(Self.text(day) == shown)
    }

    /// Special hours count instead of those of the week, for each of their days.
    @Test(arguments: [
        ("2026-11-23", "09:00-17:00"), ("2026-11-24", "closed special repairs"),
        ("2026-11-26", "closed special repairs"),
        ("2026-11-27", "09:00-17:00"), ("2026-12-24", "08:00-10:00 20:00-26:00 special brunch"),
        ("2026-12-25", "10:00-12:00 special"), ("2027-01-01", "closed special until further notice"),
        ("2099-01-01", "closed special until further notice"),
    ])
    func specialHours(date: String, shown: String) throws {
        func row(_ from: String, _ to: String?, _ hours: String?, _ reason: String?) throws -> SpecialHours {
            var row = SpecialHours()
            (row.from, row.to) = (try Self.date(from), try to.map(Self.date))
            (row.isClosed, row.reason) = (hours == nil, reason)
            if let times = hours?.split(separator: "-").map({ ClockTime(String($0)) }) {
                (row.opens, row.closes) = (try #require(times[0]), try #require(times[1]))
            }
            return row
        }
        let special = [
            try row("2026-11-24", "2026-11-26", nil, "repairs"),
            try row("2026-12-24", "2026-12-24", "20:00-02:00", "party"),
            try row("2026-12-24", "2026-12-24", "08:00-10:00", "brunch"),
            try row("2026-12-25", "2026-12-25", "10:00-12:00", nil),
            try row("2027-01-01", nil, nil, "until further notice"),
        ]
        let schedule = OpeningSchedule(week: [], text: "Mo-Su 09:00-17:00", special: special)
        let day = schedule.day(try Self.date(date), around: try Self.moment("2026-11-23T16:12:00Z"))
        #expect(Self.text(day) == shown)
    }

    /// Without any hours nothing is known, and neither is with a text that cannot be read any more; a week of rows is
    /// known for the days that it has.
    @Test func ofRows() throws {
        let monday = try Self.date("2026-11-23")
        let now = try Self.moment("2026-11-23T16:12:00Z")
        func day(_ rows: [DayHours], _ text: String?, _ offset: Int = 0) -> String {
            let date = monday.advanced(by: offset)
            return Self.text(OpeningSchedule(week: rows, text: text, special: []).day(date, around: now))
        }
        #expect(day([], nil) == "unknown" && day([], "Mo 25:99-") == "unknown")
        #expect(day([.closed(on: 1)], nil) == "closed" && day([.closed(on: 1)], nil, 1) == "unknown")
        #expect(day([.closed(on: 1)], "Mo 09:00-12:00") == "09:00-12:00")
    }

    /// It does not depend on what time it is.
    @Test(arguments: [
        "Mo-Fr 09:00-17:00; PH off", "Mo-Su 20:00-02:00; PH 10:00-12:00; 2026 Nov 23-25 off \"repairs\"",
        "PH 10:00-12:00",
    ])
    func isTheSameAtAllTimes(hours: String) throws {
        let schedule = OpeningSchedule(base: try OpeningHours(hours))
        for date in ["2026-11-11", "2026-11-12", "2026-11-23", "2026-11-24", "2026-12-25", "2026-12-26"] {
            let day = schedule.day(try Self.date(date), around: try Self.moment("2020-01-15T12:00:00Z"))
            for time in ["00:00:00", "11:30:00", "23:59:59"] {
                for today in ["2026-11-10", "2026-11-11", "2026-11-12", "2026-11-23", "2026-12-25", "2026-12-26"] {
                    #expect(schedule.day(try Self.date(date), around: try Self.moment("\(today)T\(time)Z")) == day)
                }
            }
        }
    }

    /// It is open at a time when it is within a span of its day, or of the night that began the day before.
    @Test(arguments: [
        "Mo-Fr 09:00-17:00; PH off", "Mo-Su 20:00-02:00",
        "Mo 09:00-12:00,13:00-17:00; Tu-We 22:00-24:00; Sa 00:00-04:00",
        "24/7; PH off", "Mo-Fr 08:00-12:00; 2026 Nov 10-14 10:00-11:00; PH 12:00-13:00", "Mo unknown; Tu 09:00-10:00",
        "Fr-Sa 18:00-03:00; Su off",
    ])
    func agreesWithTheState(hours: String) throws {
        let schedule = OpeningSchedule(base: try OpeningHours(hours))
        let first = try Self.date("2026-11-02").daysSinceEpoch
        let now = try Self.moment("2026-11-02T00:00:00Z")
        var openings = 0
        for number in first..<(first + 21) {
            let (date, before) = (CivilDate(daysSinceEpoch: number), CivilDate(daysSinceEpoch: number - 1))
            let (today, yesterday) = (schedule.day(date, around: now), schedule.day(before, around: now))
            for minute in stride(from: 0, to: 1440, by: 15) {
                let seconds = number * 86_400 + minute * 60
                let moment = HoursMoment(at: Timestamp(clampingSeconds: seconds), in: Self.utc, .britishColumbia)
                let isToday = today.spans.contains { $0.start <= minute && minute < $0.end }
                let isNight = yesterday.spans.contains { $0.start <= minute + 1440 && minute + 1440 < $0.end }
                // A day that is closed by its own rule ends the night before it.
                let isOpen = schedule.isOpen(at: moment)
                if isOpen { openings += 1 }
                #expect(isToday ? isOpen : !isOpen || isNight, "\(date.text) \(minute)")
            }
        }
        #expect(openings > 0)
    }
}
