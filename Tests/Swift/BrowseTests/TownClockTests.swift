import Foundation
import Testing

@testable import sooke_browse

@Suite struct TownClockTests {
    private func clock(_ zone: String) throws -> TownClock { TownClock(try #require(TimeZone(identifier: zone))) }

    @Test(arguments: [
        ("America/Vancouver", "Fri 1 Jun", "7:00 pm"), ("Europe/Berlin", "Sat 2 Jun", "4:00 am"),
        ("Asia/Kolkata", "Sat 2 Jun", "7:30 am"), ("Pacific/Honolulu", "Fri 1 Jun", "4:00 pm"),
    ])
    func timesAreThoseOfAZone(zone: String, day: String, time: String) throws {
        let date = try Date("2035-06-02T02:00:00Z", strategy: .iso8601)
        #expect(try clock(zone).day(date) == day && clock(zone).time(date) == time)
        #expect(try clock("Etc/UTC").of(zone).time(date) == time, "a business may have a zone of its own")
        #expect(try clock(zone).of(nil).time(date) == time)
    }

    @Test(arguments: [
        ("2035-06-02T20:30:00Z", "Sat 2 Jun 7:00 pm – 8:30 pm"),
        ("2035-06-03T00:00:00Z", "Sat 2 Jun 7:00 pm – Sun 3 Jun midnight"),
        ("2035-06-02T19:00:00Z", "Sat 2 Jun 7:00 pm"),
    ])
    func spans(end: String, text: String) throws {
        #expect(try clock("Etc/UTC").span("2035-06-02T19:00:00Z", end) == text)
    }
}
