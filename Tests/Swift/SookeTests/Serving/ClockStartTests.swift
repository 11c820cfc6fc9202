import Bytes
import SookeModel
import Synchronization
import Testing

@testable import sooke

@Suite struct ClockStartTests {
    /// Eight hours behind UTC, seven from April 2027 on.
    private static let zone = TimeZone(
        name: "Test", firstOffset: -8 * 3600, changes: [(Timestamp(clampingSeconds: 1_806_573_600), -7 * 3600)])

    @Test(arguments: [
        ("2027-06-01", "2027-06-01T19:00:00Z"), ("2027-01-31", "2027-01-31T20:00:00Z"),
        ("2028-02-29", "2028-02-29T19:00:00Z"), ("2027-06-01T08:00:00-07:00", "2027-06-01T15:00:00Z"),
    ])
    func begins(text: String, moment: String) throws {
        let clock = try #require(ClockStart(text)).clock(in: ClockPlace(Self.zone), ticks: false)
        #expect(clock.wall().rfc3339 == moment)
    }

    @Test(arguments: [
        "2027-02-29", "2027-13-01", "2027-6-1", "27-06-01", "2027-06-01T", "2027-06-01T08:00:00", "", "tomorrow",
    ])
    func refuses(text: String) {
        #expect(ClockStart(text) == nil)
    }

    /// A time after the year 9999 could be written, but not read back.
    @Test(arguments: [
        ("9999-12-31T23:59:59Z", false, true), ("9999-12-31T23:59:59Z", true, false), ("9999-01-01", true, false),
        ("9998-12-01", true, true), ("9999-12-31", false, true),
    ])
    func staysInTheCalendar(text: String, ticks: Bool, isAccepted: Bool) throws {
        let start = try #require(ClockStart(text))
        let clock = try? start.clock(in: ClockPlace(Self.zone), ticks: ticks)
        #expect((clock != nil) == isAccepted)
    }

    @Test(arguments: [(false, "2027-06-01T19:00:00Z"), (true, "2027-06-01T20:00:00Z")])
    func runsOnOnlyIfItTicks(ticks: Bool, later: String) throws {
        let time = ManualTime()
        let clock = try #require(ClockStart("2027-06-01")).clock(in: ClockPlace(Self.zone), ticks: ticks) { time.now }
        #expect(clock.wall().rfc3339 == "2027-06-01T19:00:00Z")
        time.advance(seconds: 3600)
        #expect(clock.wall().rfc3339 == later)
    }
}

private final class ManualTime: Sendable {
    private let nanoseconds = Mutex(5_000_000_000)

    var now: Int { nanoseconds.withLock(\.self) }

    func advance(seconds: Int) {
        nanoseconds.withLock { $0 += seconds * 1_000_000_000 }
    }
}
