import Bytes
import TestSupport
import Testing

@testable import SookeModel

/// The examples of RFC 5545, section 3.8.5.3.
@Suite struct RecurrenceExampleTests {
    /// New York until 2006.
    private static let newYork = TZifFixture.rule("EST5EDT,M4.1.0,M10.5.0")

    static let examples: [(start: String, rule: String, expected: String)] = [
        ("1997-09-02", "FREQ=DAILY;COUNT=10", "1997 Sep 2-11"),
        ("1997-09-02", "FREQ=DAILY;UNTIL=19971224T000000Z", "1997 Sep 2-30 Oct 1-31 Nov 1-30 Dec 1-23"),
        (
            "1997-09-02", "FREQ=DAILY;INTERVAL=2",
            "1997 Sep 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30 Oct 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30 Nov 1 3 …"
        ),
        ("1997-09-02", "FREQ=DAILY;INTERVAL=10;COUNT=5", "1997 Sep 2 12 22 Oct 2 12"),
        (
            "1998-01-01", "FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA",
            "1998 Jan 1-31 1999 Jan 1-31 2000 Jan 1-31"
        ),
        ("1998-01-01", "FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1", "1998 Jan 1-31 1999 Jan 1-31 2000 Jan 1-31"),
        ("1997-09-02", "FREQ=WEEKLY;COUNT=10", "1997 Sep 2 9 16 23 30 Oct 7 14 21 28 Nov 4"),
        (
            "1997-09-02", "FREQ=WEEKLY;UNTIL=19971224T000000Z",
            "1997 Sep 2 9 16 23 30 Oct 7 14 21 28 Nov 4 11 18 25 Dec 2 9 16 23"
        ),
        (
            "1997-09-02", "FREQ=WEEKLY;INTERVAL=2;WKST=SU",
            "1997 Sep 2 16 30 Oct 14 28 Nov 11 25 Dec 9 23 1998 Jan 6 20 Feb 3 17 …"
        ),
        (
            "1997-09-02", "FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH",
            "1997 Sep 2 4 9 11 16 18 23 25 30 Oct 2"
        ),
        ("1997-09-02", "FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH", "1997 Sep 2 4 9 11 16 18 23 25 30 Oct 2"),
        (
            "1997-09-01", "FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR",
            "1997 Sep 1 3 5 15 17 19 29 Oct 1 3 13 15 17 27 29 31 Nov 10 12 14 24 26 28 Dec 8 10 12 22"
        ),
        ("1997-09-02", "FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH", "1997 Sep 2 4 16 18 30 Oct 2 14 16"),
        (
            "1997-09-05", "FREQ=MONTHLY;COUNT=10;BYDAY=1FR",
            "1997 Sep 5 Oct 3 Nov 7 Dec 5 1998 Jan 2 Feb 6 Mar 6 Apr 3 May 1 Jun 5"
        ),
        ("1997-09-05", "FREQ=MONTHLY;UNTIL=19971224T000000Z;BYDAY=1FR", "1997 Sep 5 Oct 3 Nov 7 Dec 5"),
        (
            "1997-09-07", "FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU",
            "1997 Sep 7 28 Nov 2 30 1998 Jan 4 25 Mar 1 29 May 3 31"
        ),
        ("1997-09-22", "FREQ=MONTHLY;COUNT=6;BYDAY=-2MO", "1997 Sep 22 Oct 20 Nov 17 Dec 22 1998 Jan 19 Feb 16"),
        ("1997-09-28", "FREQ=MONTHLY;BYMONTHDAY=-3", "1997 Sep 28 Oct 29 Nov 28 Dec 29 1998 Jan 29 Feb 26 …"),
        (
            "1997-09-02", "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15",
            "1997 Sep 2 15 Oct 2 15 Nov 2 15 Dec 2 15 1998 Jan 2 15"
        ),
        (
            "1997-09-30", "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1",
            "1997 Sep 30 Oct 1 31 Nov 1 30 Dec 1 31 1998 Jan 1 31 Feb 1"
        ),
        (
            "1997-09-10", "FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15",
            "1997 Sep 10-15 1999 Mar 10-13"
        ),
        (
            "1997-09-02", "FREQ=MONTHLY;INTERVAL=2;BYDAY=TU",
            "1997 Sep 2 9 16 23 30 Nov 4 11 18 25 1998 Jan 6 13 20 27 Mar 3 10 17 24 31 …"
        ),
        (
            "1997-06-10", "FREQ=YEARLY;COUNT=10;BYMONTH=6,7",
            "1997 Jun 10 Jul 10 1998 Jun 10 Jul 10 1999 Jun 10 Jul 10 2000 Jun 10 Jul 10 2001 Jun 10 Jul 10"
        ),
        (
            "1997-03-10", "FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3",
            "1997 Mar 10 1999 Jan 10 Feb 10 Mar 10 2001 Jan 10 Feb 10 Mar 10 2003 Jan 10 Feb 10 Mar 10"
        ),
        (
            "1997-01-01", "FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200",
            "1997 Jan 1 Apr 10 Jul 19 2000 Jan 1 Apr 9 Jul 18 2003 Jan 1 Apr 10 Jul 19 2006 Jan 1"
        ),
        ("1997-05-19", "FREQ=YEARLY;BYDAY=20MO", "1997 May 19 1998 May 18 1999 May 17 …"),
        ("1997-05-12", "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO", "1997 May 12 1998 May 11 1999 May 17 …"),
        (
            "1997-03-13", "FREQ=YEARLY;BYMONTH=3;BYDAY=TH",
            "1997 Mar 13 20 27 1998 Mar 5 12 19 26 1999 Mar 4 11 18 25 …"
        ),
        (
            "1997-06-05", "FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8",
            """
            1997 Jun 5 12 19 26 Jul 3 10 17 24 31 Aug 7 14 21 28 1998 Jun 4 11 18 25 Jul 2 9 16 23 30 Aug 6 13 20 27 \
            1999 Jun 3 10 17 24 Jul 1 8 15 22 29 Aug 5 12 19 26 …
            """
        ),
        (
            "1997-09-02", "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13",
            "1998 Feb 13 Mar 13 Nov 13 1999 Aug 13 2000 Oct 13 …"
        ),
        (
            "1997-09-13", "FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13",
            "1997 Sep 13 Oct 11 Nov 8 Dec 13 1998 Jan 10 Feb 7 Mar 7 Apr 11 May 9 Jun 13 …"
        ),
        (
            "1996-11-05", "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8",
            "1996 Nov 5 2000 Nov 7 2004 Nov 2 …"
        ),
        ("1997-09-04", "FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3", "1997 Sep 4 Oct 7 Nov 6"),
        (
            "1997-09-29", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2",
            "1997 Sep 29 Oct 30 Nov 27 Dec 30 1998 Jan 29 Feb 26 Mar 30 …"
        ),
        ("1997-08-05", "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO", "1997 Aug 5 10 19 24"),
        ("1997-08-05", "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU", "1997 Aug 5 17 19 31"),
        ("2007-01-15", "FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5", "2007 Jan 15 30 Feb 15 Mar 15 30"),
    ]

    /// Each takes place at 9:00 on the clocks of New York.
    @Test(arguments: examples) func occurrences(start: String, rule: String, expected: String) throws {
        let zone = try TZifReader.read(Self.newYork.bytes, name: "America/New_York")
        let (days, goesOn) = try Self.days(expected)
        let local = try #require(Timestamp(rfc3339: start + "T09:00:00Z"))
        let moment = zone.moment(of: local.civil.date, secondsOfDay: 9 * 3600)
        let rule = try RecurrenceRule(rule)
        #expect(try RecurrenceRule(rule.text) == rule)
        let series = RecurrenceSeries(start: moment, end: nil, zone: zone, rule: rule, excluded: [])
        let found = series.occurrences(endingFrom: moment).prefix(days.count + 1).map(\.startsAt)
        #expect(found.prefix(days.count).map { zone.localDate(at: $0).date } == days)
        #expect(found.count == days.count + (goesOn ? 1 : 0))
        #expect(found.allSatisfy { zone.localDate(at: $0).secondsOfDay == 9 * 3600 })
        #expect(series.last?.startsAt == (goesOn ? nil : found.last))
        // From each occurrence on, and backwards.
        for (earlier, later) in zip(found, found.dropFirst()) {
            #expect(series.next(at: Timestamp(microseconds: earlier.microseconds + 1))?.startsAt == later)
            #expect(series.last(before: later)?.startsAt == earlier)
        }
    }

    @Test(arguments: [
        ("FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T170000Z", "FREQ=HOURLY"),
        ("FREQ=MINUTELY;INTERVAL=15;COUNT=6", "FREQ=MINUTELY"),
        ("FREQ=MINUTELY;INTERVAL=90;COUNT=4", "FREQ=MINUTELY"),
        ("FREQ=DAILY;BYHOUR=9,10,11,12,13,14,15,16;BYMINUTE=0,20,40", "BYHOUR"),
        ("FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10,11,12,13,14,15,16", "FREQ=MINUTELY"),
    ])
    func partsOfADay(rule: String, refused: String) {
        #expect {
            try RecurrenceRule(rule)
        } throws: {
            "\($0)".hasPrefix("has \(refused), which is not supported; ")
        }
    }

    /// Days such as `1997 Sep 2-11 Oct 2`, and whether there are more.
    private static func days(_ text: String) throws -> (days: [CivilDate], goesOn: Bool) {
        let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        var (year, month, days, goesOn) = (0, 0, [CivilDate](), false)
        for word in text.split(separator: " ") {
            if let name = names.firstIndex(of: String(word)) {
                month = name + 1
            } else if word == "…" {
                goesOn = true
            } else if word.count == 4, let number = Int(word) {
                year = number
            } else {
                let ends = word.split(separator: "-").compactMap { Int($0) }
                let (first, last) = (try #require(ends.first), try #require(ends.last))
                for day in first...last { days.append(try #require(CivilDate(year: year, month: month, day: day))) }
            }
        }
        return (days, goesOn)
    }
}
