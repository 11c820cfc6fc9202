import Bytes
import TestSupport
import Testing

/// Times as numbers, as RFC 3339 and as IMF-fixdate.
@Suite struct TimestampTests {
    /// Microseconds since 1970 and the one text that is written for them.
    static let moments: [(microseconds: Int, text: String)] = [
        (0, "1970-01-01T00:00:00Z"), (1, "1970-01-01T00:00:00.000001Z"), (-1, "1969-12-31T23:59:59.999999Z"),
        (500_000, "1970-01-01T00:00:00.5Z"), (-500_000, "1969-12-31T23:59:59.5Z"), (1_000_000, "1970-01-01T00:00:01Z"),
        (86_399_999_999, "1970-01-01T23:59:59.999999Z"), (86_400_000_000, "1970-01-02T00:00:00Z"),
        (-86_400_000_000, "1969-12-31T00:00:00Z"), (120_000, "1970-01-01T00:00:00.12Z"),
        (123_456, "1970-01-01T00:00:00.123456Z"), (100, "1970-01-01T00:00:00.0001Z"),
        (1_795_253_400_000_000, "2026-11-21T09:30:00Z"), (951_782_400_000_000, "2000-02-29T00:00:00Z"),
        (4_107_542_400_000_000, "2100-03-01T00:00:00Z"), (-62_167_219_200_000_000, "0000-01-01T00:00:00Z"),
        (253_402_300_799_999_999, "9999-12-31T23:59:59.999999Z"),
    ]

    @Test(arguments: moments)
    func bothWays(microseconds: Int, text: String) {
        let moment = Timestamp(microseconds: microseconds)
        #expect(moment.rfc3339 == text)
        #expect(Timestamp(rfc3339: text) == moment)
        #expect(Timestamp(rfc3339: Array(text.utf8)) == moment)
        var bytes: [UInt8] = Array("at ".utf8)
        bytes.append(rfc3339: moment)
        #expect(bytes == Array("at \(text)".utf8))
    }

    @Test(arguments: [
        // Offsets.
        ("2035-06-01T19:00:00-07:00", "2035-06-02T02:00:00Z"), ("2026-01-01T00:00:00+14:00", "2025-12-31T10:00:00Z"),
        ("2026-12-31T23:59:59-00:01", "2027-01-01T00:00:59Z"), ("2026-11-21T09:30:00+00:00", "2026-11-21T09:30:00Z"),
        ("2026-11-21T09:30:00-00:00", "2026-11-21T09:30:00Z"), ("2026-11-21T09:30:00+23:59", "2026-11-20T09:31:00Z"),
        ("0000-01-01T01:00:00+01:00", "0000-01-01T00:00:00Z"),
        // Case, and the space that the standard allows.
        ("2026-11-21t09:30:00z", "2026-11-21T09:30:00Z"),
        ("2026-11-21 09:30:00Z", "2026-11-21T09:30:00Z"),
        // Fractions: any length, rounded to microseconds.
        ("2026-11-21T09:30:00.0Z", "2026-11-21T09:30:00Z"), ("2026-11-21T09:30:00.10Z", "2026-11-21T09:30:00.1Z"),
        ("2026-11-21T09:30:00.0000004Z", "2026-11-21T09:30:00Z"),
        ("2026-11-21T09:30:00.0000005Z", "2026-11-21T09:30:00.000001Z"),
        ("2026-11-21T09:30:00.9999995Z", "2026-11-21T09:30:01Z"),
        ("2026-11-21T09:30:00.99999949999999999999999999Z", "2026-11-21T09:30:00.999999Z"),
        ("2026-12-31T23:59:59.9999999Z", "2027-01-01T00:00:00Z"),
        // Leap seconds.
        ("1990-12-31T23:59:60Z", "1991-01-01T00:00:00Z"), ("1990-12-31T15:59:60-08:00", "1991-01-01T00:00:00Z"),
        ("2016-12-31T23:59:60.5Z", "2017-01-01T00:00:00.5Z"),
    ])
    func readsOtherSpellings(text: String, written: String) {
        #expect(Timestamp(rfc3339: text)?.rfc3339 == written)
    }

    @Test(arguments: [
        "", "2026", "2026-11-21", "2026-11-21T09:30:00", "2026-11-21T09:30Z", "2026-11-21T09:30:00Zx",
        " 2026-11-21T09:30:00Z",
        "2026-11-21T09:30:00 Z", "2026-11-21_09:30:00Z", "2026/11/21T09:30:00Z", "20261121T093000Z",
        "26-11-21T09:30:00Z",
        "2026-1-21T09:30:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-02-29T00:00:00Z",
        "2026-11-31T00:00:00Z",
        "2026-11-00T00:00:00Z", "2026-11-21T24:00:00Z", "2026-11-21T09:60:00Z", "2026-11-21T09:30:61Z",
        "2026-11-21T09:30:60Z",
        "2026-11-21T09:30:00.Z", "2026-11-21T09:30:00,5Z", "2026-11-21T09:30:00.5", "2026-11-21T09:30:00+0700",
        "2026-11-21T09:30:00+07", "2026-11-21T09:30:00+24:00", "2026-11-21T09:30:00+07:60", "2026-11-21T09:30:00+7:00",
        "2026-11-21T09:30:00*07:00", "-2026-11-21T09:30:00Z", "+2026-11-21T09:30:00Z", "12026-11-21T09:30:00Z",
        "2026-11-21T09:30:0٠Z", "2026-11-21T-9:30:00Z", "2026-11-21T09:30:00Z\0",
        "0000-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01", "9999-12-31T23:59:60Z",
        "9999-12-31T23:59:59.9999995Z",
    ])
    func refuses(text: String) {
        #expect(Timestamp(rfc3339: text) == nil)
    }

    @Test(arguments: [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (1_795_253_400, "Sat, 21 Nov 2026 09:30:00 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
        (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
    ])
    func httpDate(seconds: Int, text: String) {
        #expect(Timestamp(clampingSeconds: seconds).httpDate == text)
        #expect(Timestamp(microseconds: seconds * 1_000_000 + 999_999).httpDate == text)
    }

    @Test(arguments: [(0, 0), (999_999, 0), (1_000_000, 1), (-1, -1), (-1_000_000, -1), (-1_000_001, -2)])
    func secondsAreRoundedDown(microseconds: Int, seconds: Int) {
        #expect(Timestamp(microseconds: microseconds).seconds == seconds)
    }

    @Test func civilPartsAndArithmetic() {
        let moment = Timestamp(microseconds: -1)
        #expect(moment.civil.date == CivilDate(year: 1969, month: 12, day: 31))
        #expect(moment.civil.microseconds == 86_399_999_999)
        #expect(moment.advanced(bySeconds: 1) == Timestamp(microseconds: 999_999))
        #expect(moment.advanced(bySeconds: -1) < moment)
        #expect(Timestamp(clampingSeconds: 5) == Timestamp(microseconds: 5_000_000))
        #expect(Timestamp(CivilDate(daysSinceEpoch: 1), seconds: -1) == Timestamp(clampingSeconds: 86_399))
    }

    /// The sum and the difference of any two times are numbers: no input makes arithmetic trap.
    @Test(arguments: [Int.min, .min + 1, -4_000_000_000_000_000_001, 4_000_000_000_000_000_001, .max])
    func isClampedToWhatArithmeticAllows(number: Int) {
        let end = number < 0 ? Timestamp.beginningOfTime : .endOfTime
        #expect(Timestamp(microseconds: number) == end)
        #expect(Timestamp(clampingSeconds: number) == end)
        #expect(Timestamp(seconds: number) == nil)
        #expect(!end.microseconds.addingReportingOverflow(end.microseconds).overflow)
        #expect(CivilDate(daysSinceEpoch: number).year.magnitude < 128_000)
        #expect(end.civil.date.advanced(by: number).year.magnitude < 128_000)
        #expect(CivilDate(year: number, month: 1, day: 1) == nil)
    }

    @Test(arguments: [(4_000_000_000_000, true), (4_000_000_000_001, false), (-4_000_000_000_001, false), (0, true)])
    func onlySecondsInRangeMakeATime(seconds: Int, isTime: Bool) {
        #expect((Timestamp(seconds: seconds) != nil) == isTime)
    }

    @Test func aRangeThatEndsBeforeItsStartIsEmpty() throws {
        let (early, late) = (Timestamp.epoch, Timestamp(clampingSeconds: 1))
        #expect((late..<early).isEmpty)
        #expect((early..<late).contains(early))
        #expect((late...early) == late...late)
        let (first, last) = (CivilDate(daysSinceEpoch: 0), CivilDate(daysSinceEpoch: 1))
        #expect((last..<first).isEmpty)
        #expect((last...first) == last...last)
    }

    @Test(arguments: [
        (Double.nan, 0), (-.nan, 0), (.infinity, Int.max), (-.infinity, .min), (1e300, .max), (-1e300, .min), (0.9, 0),
        (-0.9, 0), (1e3, 1000), (0x1p63, .max), (-0x1p63, .min),
    ])
    func everyFloatingNumberHasAnInteger(value: Double, number: Int) {
        #expect(Int(clamping: value) == number)
    }

    /// An expiry beyond the year 9999 could be written, but not read back.
    @Test(arguments: [
        ("9999-12-31T23:50:00Z", 3600, "9999-12-31T23:59:59.999999Z"),
        ("9999-12-31T23:50:00Z", 599, "9999-12-31T23:59:59Z"),
        ("9999-12-31T23:50:00Z", Int.max, "9999-12-31T23:59:59.999999Z"),
        ("2026-11-21T09:30:00Z", Int.max / 1_000_000, "9999-12-31T23:59:59.999999Z"),
        ("0000-01-01T00:10:00Z", -3600, "0000-01-01T00:00:00Z"),
        ("0000-01-01T00:10:00Z", Int.min, "0000-01-01T00:00:00Z"),
        ("2026-11-21T09:30:00Z", -3600, "2026-11-21T08:30:00Z"),
    ])
    func advancesWithinWhatCanBeWritten(start: String, seconds: Int, end: String) throws {
        let moment = try #require(Timestamp(rfc3339: start)).advanced(bySeconds: seconds)
        #expect(moment.rfc3339 == end)
        #expect(Timestamp(rfc3339: end) == moment)
    }

    @Test(arguments: [
        (0, "00:00:00"), (59, "00:00:59"), (34_200, "09:30:00"), (86_399, "23:59:59"), (86_400, "24:00:00"),
    ])
    func clock(seconds: Int, text: String) {
        var bytes: [UInt8] = []
        bytes.append(clock: seconds)
        #expect(String(decoding: bytes, as: UTF8.self) == text)
    }
}

@Suite struct TimeSourceTests {
    /// A time of a clock beyond the calendar could be written, but not read back.
    @Test(arguments: [
        (Int.max, "9999-12-31T23:59:59.999999Z"), (253_402_300_800_000_000, "9999-12-31T23:59:59.999999Z"),
        (Int.min, "0000-01-01T00:00:00Z"), (0, "1970-01-01T00:00:00Z"),
    ])
    func everyTimeHasAText(microseconds: Int, text: String) {
        let clock = TimeSource(monotonic: { 0 }, wall: { Timestamp(microseconds: microseconds) })
        #expect(clock.wall().rfc3339 == text)
    }
}
