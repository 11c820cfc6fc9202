import Bytes
import Testing

@testable import SookeModel

/// What holds on Christmas Day 2026, a Friday, by the hours and by what a place says of all holidays.
@Suite struct PublicHolidaysTests {
    private static let zone = TimeZone(name: "UTC", fixedOffset: 0)

    /// Hours, special hours of the day, a standing answer, and what is said at 1 am and at noon.
    @Test(arguments: [
        ("Mo-Su 10:00-02:00", nil, nil, "open", "unconfirmed"),
        ("Mo-Su 10:00-02:00", nil, "ask", "open", "unconfirmed"),
        ("Mo-Su 10:00-02:00", nil, "as_usual", "open", "open"), ("Mo-Su 10:00-02:00", nil, "closed", "open", "closed"),
        ("24/7", nil, nil, "open", "open"), ("24/7", nil, "ask", "unconfirmed", "unconfirmed"),
        ("24/7", nil, "closed", "closed", "closed"),
        // What is said of the day, or of holidays, counts.
        ("Mo-Su 10:00-02:00", "11:00-15:00", "closed", "open", "open"),
        ("Mo-Su 10:00-02:00", "off", "as_usual", "open", "closed"),
        ("Mo-Su 10:00-02:00; PH off", nil, "as_usual", "open", "closed"),
        ("Mo-Su 10:00-02:00; PH 11:00-13:00", nil, "closed", "open", "open"),
        ("Mo-Su 10:00-02:00; Dec 25 11:00-13:00", nil, "closed", "open", "open"),
        ("Dec 24-26 11:00-13:00; Mo-Su 14:00-15:00", nil, "closed", "closed", "closed"),
        // A season says nothing of its holidays.
        ("Nov-Mar 10:00-02:00", nil, "closed", "open", "closed"),
        ("Nov-Mar 10:00-02:00", nil, nil, "open", "unconfirmed"),
        ("Mo-Th 10:00-20:00", nil, nil, "closed", "closed"),
    ])
    func christmas(hours: String, special: String?, answer: String?, night: String, noon: String) throws {
        let christmas = try #require(CivilDate("2026-12-25"))
        let times = special.map { $0 == "off" ? [] : [TimeSpan(660, 900)] }
        let rows = times.map { SpecialHours.rows(of: $0, from: christmas, to: christmas, reason: "") } ?? []
        let schedule = OpeningSchedule(
            base: try OpeningHours(hours), special: HoursRule.special(rows),
            holidays: answer.flatMap(Business.PublicHolidays.init(named:)))
        for (hour, said) in [(1, night), (12, noon)] {
            let time = Timestamp(clampingSeconds: christmas.daysSinceEpoch * 86_400 + hour * 3600)
            let moment = HoursMoment(at: time, in: Self.zone, .britishColumbia)
            let state = schedule.state(at: moment)
            let isOpen = state.isOpen == true
            #expect((isOpen ? state.unconfirmed == nil ? "open" : "unconfirmed" : "closed") == said, "\(hour)")
            #expect(schedule.openness(at: moment).isOpen == isOpen)
            #expect(schedule.openness(at: moment).unconfirmed == (isOpen ? state.unconfirmed : nil))
        }
        let now = HoursMoment(at: Timestamp(clampingSeconds: 0), in: Self.zone, .britishColumbia)
        #expect((schedule.day(christmas, around: now).unconfirmed != nil) == (noon == "unconfirmed"))
    }
}
