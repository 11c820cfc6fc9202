import Bytes
import Testing

@testable import SookeModel

/// Rules as the `TZ` variable writes them.
@Suite struct POSIXZoneRuleTests {
    /// The offsets at 12:00 UTC of a day.
    @Test(arguments: [
        ("EST5", "2026-07-01", -18000), ("<+03>-3", "2026-07-01", 10800), ("<-0330>3:30", "2026-07-01", -12600),
        ("LMT-0:01:15", "2026-07-01", 75), ("UTC0", "2026-07-01", 0), ("PST8PDT,M3.2.0,M11.1.0", "2026-03-07", -28800),
        ("PST8PDT,M3.2.0,M11.1.0", "2026-03-08", -25200),
        // The first and the last Sunday of a month, which may be the fourth or the fifth.
        ("AAA0BBB,M2.5.0,M6.1.0", "2026-02-21", 0), ("AAA0BBB,M2.5.0,M6.1.0", "2026-02-22", 3600),
        ("AAA0BBB,M3.5.0,M6.1.0", "2026-03-28", 0), ("AAA0BBB,M3.5.0,M6.1.0", "2026-03-29", 3600),
        // J60 is the 1st of March in every year, 59 only in a common one.
        ("AAA0BBB,J60,J300", "2028-02-29", 0), ("AAA0BBB,J60,J300", "2028-03-01", 3600),
        ("AAA0BBB,J60,J300", "2027-03-01", 3600), ("AAA0BBB,59,300", "2028-02-28", 0),
        ("AAA0BBB,59,300", "2028-02-29", 3600), ("AAA0BBB,59,300", "2027-02-28", 0),
        ("AAA0BBB,59,300", "2027-03-01", 3600),
        // The southern summer.
        ("AAA-10BBB,M10.1.0,M4.1.0/3", "2026-01-01", 39600),
        ("AAA-10BBB,M10.1.0,M4.1.0/3", "2026-07-01", 36000),
        // Times before and after the day.
        ("AAA0BBB,M3.2.0/-24,M11.1.0", "2026-03-07", 3600), ("AAA0BBB,M3.2.0/-24,M11.1.0", "2026-03-06", 0),
        ("AAA0BBB,M3.2.0/26,M11.1.0", "2026-03-08", 0), ("AAA0BBB,M3.2.0/26,M11.1.0", "2026-03-09", 3600),
        ("AAA0BBB,M3.2.0,J365/167", "2027-01-06", 3600), ("AAA0BBB,M3.2.0,J365/167", "2027-01-07", 0),
        ("AAA0BBB,J1/-167,M3.2.0", "2026-12-26", 3600), ("AAA0BBB,J1/-167,M3.2.0", "2026-12-24", 0),
        // Daylight time all year round (RFC 9636, section 3.3.1).
        ("EST5EDT,0/0,J365/25", "2026-01-01", -14400), ("EST5EDT,0/0,J365/25", "2026-12-31", -14400),
        ("EST5EDT,0/0,J365/25", "2028-12-31", -14400),
    ])
    func offsetAtNoon(text: String, day: String, offset: Int) throws {
        let rule = try #require(POSIXZoneRule(Array(text.utf8)))
        let noon = try #require(Timestamp(rfc3339: "\(day)T12:00:00Z"))
        #expect(rule.period(containing: noon.seconds).offset == offset)
    }

    @Test(arguments: [
        "", "E5", "EST", "5", "<+03-3", "EST5EDT", "EST5EDT,M3.2.0", "EST5EDT,M3.2.0,", "EST5EDT,M13.1.0,M11.1.0",
        "EST5EDT,M0.1.0,M11.1.0", "EST5EDT,M3.6.0,M11.1.0", "EST5EDT,M3.0.0,M11.1.0", "EST5EDT,M3.2.7,M11.1.0",
        "EST5EDT,J0,J300", "EST5EDT,J366,J300", "EST5EDT,366,300", "EST5EDT,M3.2.0/168,M11.1.0", "EST5:60",
        "EST5EDT,M3.2.0,M11.1.0 ", "EST9999999999999999999", "EST5EDT,M3.2.0,M11.1.0,M11.1.0", "EST25", "EST-25",
    ])
    func refuses(text: String) {
        #expect(POSIXZoneRule(Array(text.utf8)) == nil)
    }
}
