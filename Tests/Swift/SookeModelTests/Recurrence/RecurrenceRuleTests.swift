import Bytes
import Testing

@testable import SookeModel

@Suite struct RecurrenceRuleTests {
    @Test(arguments: [
        ("freq=weekly;byday=tu,th", "FREQ=WEEKLY;BYDAY=TU,TH"), ("BYDAY=-1FR;FREQ=MONTHLY", "FREQ=MONTHLY;BYDAY=-1FR"),
        ("FREQ=MONTHLY;BYDAY=+2TU", "FREQ=MONTHLY;BYDAY=2TU"), ("FREQ=DAILY;INTERVAL=1;WKST=MO", "FREQ=DAILY"),
        ("FREQ=DAILY;COUNT=10000;INTERVAL=1000", "FREQ=DAILY;INTERVAL=1000;COUNT=10000"),
        ("FREQ=WEEKLY;UNTIL=20261231;WKST=SU", "FREQ=WEEKLY;UNTIL=20261231;WKST=SU"),
        ("FREQ=WEEKLY;UNTIL=20261231T235959Z", "FREQ=WEEKLY;UNTIL=20261231T235959Z"),
        ("FREQ=WEEKLY;UNTIL=20261231T190000", "FREQ=WEEKLY;UNTIL=20261231T190000"),
        (
            "FREQ=YEARLY;BYMONTH=1,12;BYWEEKNO=1,-1;BYYEARDAY=1,-366;BYMONTHDAY=31,-31;BYDAY=MO;BYSETPOS=1,-366",
            "FREQ=YEARLY;BYMONTH=1,12;BYWEEKNO=1,-1;BYYEARDAY=1,-366;BYMONTHDAY=31,-31;BYDAY=MO;BYSETPOS=1,-366"
        ),
    ])
    func reading(text: String, written: String) throws {
        #expect(try RecurrenceRule(text).text == written)
        #expect(try RecurrenceRule(written) == RecurrenceRule(text))
    }

    @Test(arguments: [
        ("", "has \"\"; a rule has the form"), ("weekly", "has \"WEEKLY\"; a rule has the form"),
        ("RRULE:FREQ=DAILY", "is missing FREQ, which is DAILY, WEEKLY, MONTHLY or YEARLY"),
        ("FREQ=DAILY;", "has \"\"; a rule has the form"), ("FREQ=DAILY;COUNT=", "has \"COUNT=\"; a rule has the form"),
        ("INTERVAL=2", "is missing FREQ"), ("FREQ=DAILY;FREQ=DAILY", "has FREQ twice"),
        ("FREQ=SECONDLY", "has FREQ=SECONDLY, which is not supported; FREQ is DAILY,"),
        ("FREQ=FORTNIGHTLY", "has FREQ=FORTNIGHTLY, which is not supported"),
        ("FREQ=DAILY;BYHOUR=9", "has BYHOUR, which is not supported; its parts are FREQ,"),
        ("FREQ=DAILY;BYMINUTE=9", "has BYMINUTE, which is not supported"),
        ("FREQ=DAILY;BYSECOND=9", "has BYSECOND, which is not supported"),
        ("FREQ=YEARLY;RSCALE=HEBREW", "has RSCALE, which is not supported"),
        ("FREQ=MONTHLY;SKIP=FORWARD", "has SKIP, which is not supported"),
        ("FREQ=YEARLY;BYEASTER=0", "has BYEASTER, which is not supported"),
        ("FREQ=DAILY;INTERVAL=0", "has INTERVAL=0; INTERVAL is a number from 1 to 1000"),
        ("FREQ=DAILY;INTERVAL=1001", "has INTERVAL=1001; INTERVAL is a number from 1 to 1000"),
        ("FREQ=DAILY;COUNT=0", "has COUNT=0; COUNT is a number from 1 to 10000"),
        ("FREQ=DAILY;COUNT=1000000", "has COUNT=1000000; COUNT is a number from 1 to 10000"),
        ("FREQ=DAILY;COUNT=99999999999999999999", "has COUNT=99999999999999999999; COUNT is"),
        ("FREQ=DAILY;COUNT=3;UNTIL=20261231", "has both COUNT and UNTIL"),
        ("FREQ=DAILY;UNTIL=2026-12-31", "has UNTIL=2026-12-31; UNTIL is"),
        ("FREQ=DAILY;UNTIL=20260230", "has UNTIL=20260230; UNTIL is"),
        ("FREQ=DAILY;UNTIL=20261231T250000Z", "has UNTIL=20261231T250000Z; UNTIL is"),
        ("FREQ=MONTHLY;BYMONTHDAY=32", "has \"32\" in BYMONTHDAY; its numbers are from 1 to 31, or from -1 to -31"),
        ("FREQ=MONTHLY;BYMONTHDAY=0", "has \"0\" in BYMONTHDAY"),
        ("FREQ=MONTHLY;BYMONTHDAY=1,,2", "has \"\" in BYMONTHDAY"),
        ("FREQ=YEARLY;BYMONTH=-1", "has \"-1\" in BYMONTH; its numbers are from 1 to 12"),
        ("FREQ=YEARLY;BYMONTH=5L", "has \"5L\" in BYMONTH"), ("FREQ=YEARLY;BYYEARDAY=367", "has \"367\" in BYYEARDAY"),
        ("FREQ=YEARLY;BYWEEKNO=54", "has \"54\" in BYWEEKNO"),
        ("FREQ=WEEKLY;BYDAY=XX", "has \"XX\" in BYDAY; a day is one of SU, MO, TU, WE, TH, FR, SA"),
        ("FREQ=MONTHLY;BYDAY=0MO", "has \"0MO\" in BYDAY"), ("FREQ=MONTHLY;BYDAY=54MO", "has \"54MO\" in BYDAY"),
        ("FREQ=WEEKLY;WKST=1", "has WKST=1; WKST is one of SU, MO"),
        ("FREQ=WEEKLY;BYDAY=2TU", "has BYDAY with a number before the day; it needs FREQ=MONTHLY or YEARLY"),
        ("FREQ=YEARLY;BYWEEKNO=20;BYDAY=2TU", "has BYDAY with a number before the day; it cannot be with BYWEEKNO"),
        ("FREQ=MONTHLY;BYWEEKNO=20", "has BYWEEKNO; it needs FREQ=YEARLY"),
        ("FREQ=MONTHLY;BYYEARDAY=20", "has BYYEARDAY; it needs FREQ=YEARLY"),
        ("FREQ=WEEKLY;BYMONTHDAY=20", "has BYMONTHDAY; it needs FREQ=DAILY, MONTHLY or YEARLY"),
        ("FREQ=MONTHLY;BYSETPOS=1", "has BYSETPOS; it needs another part"),
        ("FREQ=DAILY;BYDAY=" + String(repeating: "MO,", count: 400) + "MO", "must have at most 1000 characters"),
    ])
    func refusing(text: String, message: String) {
        #expect {
            try RecurrenceRule(text)
        } throws: {
            "\($0)".hasPrefix(message)
        }
    }
}
