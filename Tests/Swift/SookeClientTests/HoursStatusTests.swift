import Foundation
import SookeModel
import Testing

@testable import SookeClient

@Suite struct HoursStatusTests {
    /// Wednesday, 25 November 2026, at a time of day in UTC, or some days later.
    private static func moment(_ time: String, daysLater days: Int = 0) throws -> Date {
        let seconds = try #require(ClockTime(time)?.seconds)
        return Date(timeIntervalSince1970: TimeInterval(1_795_564_800 + days * 86_400 + seconds))
    }

    private static let utc = TimeZone(secondsFromGMT: 0) ?? .current

    private static func row(_ day: Int, _ opens: String, _ closes: String, isClosed: Bool = false) -> BusinessHour {
        BusinessHour(dayOfWeek: day, openTime: opens, closeTime: closes, isClosed: isClosed)
    }

    private static func business(_ rows: [BusinessHour]) -> BusinessDetails {
        decode(BusinessDetails.self, ["hours": try? JSONValue(encoding: rows), "menus": .array([])])
    }

    private static func decode<Value: Decodable>(_ type: Value.Type, _ members: [String: JSONValue?]) -> Value {
        let names = ["name", "slug", "address", "category_name", "category_slug"]
        var all = Dictionary(uniqueKeysWithValues: names.map { ($0, JSONValue.string("a")) })
        for name in ["id", "latitude", "longitude"] { all[name] = .integer(1) }
        all.merge(members.compactMapValues(\.self)) { $1 }
        do {
            return try JSONValue.object(all).decoded()
        } catch {
            preconditionFailure("\(error)")
        }
    }

    /// A pub that is open on Wednesday and Saturday until the early morning, and on Thursday from 00:30.
    private static let pub = business([
        row(3, "11:00:00", "01:30:00"), row(5, "00:00:00", "00:00:00", isClosed: true),
        row(6, "18:00:00", "02:00:00"),
    ])

    @Test(
        arguments: [
            ("10:00:00", 0, .opensSoon(opensAt: "11:00:00")), ("09:59:59", 0, .closed),
            ("11:00:00", 0, .open(closesAt: "01:30:00")), ("23:59:59", 0, .open(closesAt: "01:30:00")),
            ("00:00:00", 1, .open(closesAt: "01:30:00")), ("00:30:00", 1, .closingSoon(closesAt: "01:30:00")),
            ("01:30:00", 1, .closingSoon(closesAt: "01:30:00")), ("01:30:01", 1, .unknown), ("12:00:00", 2, .closed),
            ("23:00:00", 3, .open(closesAt: "02:00:00")), ("01:59:00", 4, .closingSoon(closesAt: "02:00:00")),
            ("02:01:00", 4, .unknown),
        ] as [(String, Int, HoursStatus)])
    func followsHoursPastMidnight(time: String, days: Int, status: HoursStatus) throws {
        #expect(Self.pub.hoursStatus(for: try Self.moment(time, daysLater: days), in: Self.utc) == status)
    }

    @Test(
        arguments: [
            (nil, "12:00:00", .unknown), (row(0, "00:00:00", "00:00:00", isClosed: true), "12:00:00", .closed),
            (row(3, "09:00:00", "17:00:00"), "16:30:00", .closingSoon(closesAt: "17:00:00")),
            (row(1, "09:00:00", "17:00:00"), "12:00:00", .open(closesAt: "17:00:00")),
            (row(3, "18:00:00", "02:00:00"), "23:00:00", .open(closesAt: "02:00:00")),
            (row(3, "18:00:00", "02:00:00"), "01:00:00", .closed),
        ] as [(BusinessHour?, String, HoursStatus)])
    func ofABusinessInAList(hours: BusinessHour?, time: String, status: HoursStatus) throws {
        let business = Self.decode(Business.self, ["today_hours": try? JSONValue(encoding: hours)])
        #expect(business.hoursStatus(for: try Self.moment(time), in: Self.utc) == status)
    }

    @Test(
        arguments: [
            (.open(closesAt: "17:00:00"), true, "Open - Closes at 5:00 PM"),
            (.closingSoon(closesAt: "00:30:00"), true, "Closing soon - 12:30 AM"),
            (.opensSoon(opensAt: "12:05:00"), false, "Opens soon - 12:05 PM"), (.closed, false, "Closed"),
            (.unknown, false, "Hours not available"),
        ] as [(HoursStatus, Bool, String)])
    func forPeople(status: HoursStatus, isOpen: Bool, text: String) {
        #expect(status.isOpen == isOpen)
        #expect(status.displayText == text)
    }
}
