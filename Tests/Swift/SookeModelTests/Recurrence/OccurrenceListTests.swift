import Bytes
import TestSupport
import Testing

@testable import SookeModel

@Suite struct OccurrenceListTests {
    private static let start = Timestamp(clampingSeconds: 1_767_744_000)

    private func series(_ rule: String, in zone: String = "America/Vancouver") throws -> RecurrenceSeries {
        let zone = try TZifReader.read(try #require(TZifFixture.zones[zone]).bytes, name: zone)
        let day = 86_400
        return RecurrenceSeries(
            start: zone.localTime(at: Self.start), end: Self.start.advanced(bySeconds: 30 * day), zone: zone,
            rule: try RecurrenceRule(rule),
            excluded: [Self.start.advanced(bySeconds: 7 * day)],
            added: (0..<5).map { Self.start.advanced(bySeconds: $0 * 400 * day + 10) },
            changes: [
                .init(of: Self.start, startsAt: Self.start.advanced(bySeconds: 3_000 * day)),
                .init(of: Self.start.advanced(bySeconds: 800 * day + 10), isCancelled: true),
            ])
    }

    /// Made in parts of a few steps each, a list is the same as at once.
    @Test(arguments: [
        "FREQ=DAILY", "FREQ=DAILY;INTERVAL=40;BYDAY=MO", "FREQ=DAILY;BYMONTHDAY=13;BYDAY=FR;BYMONTH=2,3",
        "FREQ=WEEKLY;INTERVAL=5;BYMONTH=1", "FREQ=MONTHLY;BYDAY=5WE", "FREQ=YEARLY;BYWEEKNO=53", "FREQ=DAILY;COUNT=9",
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29",
    ])
    func isTheSameInParts(rule: String) throws {
        for zone in ["America/Vancouver", "Pacific/Apia"] {
            let series = try series(rule, in: zone)
            for days in [-4_000, 0, 100, 2_000] {
                let from = Self.start.advanced(bySeconds: days * 86_400)
                let whole = Array(series.occurrences(endingFrom: from).prefix(30))
                var list = series.list(endingFrom: from, steps: 400) { _ in false }
                while list.occurrences.count < 30, list.through < Timestamp.endOfTime {
                    let before = list.through
                    var count = 0
                    list = series.list(endingFrom: from, after: list, steps: 1_000) { _ in
                        count += 1
                        return count == 2
                    }
                    #expect(list.through >= before && list.steps < 2_000)
                    for occurrence in whole where occurrence.startsAt < list.through {
                        #expect(list.occurrences.contains(occurrence))
                    }
                }
                #expect(Array(list.occurrences.prefix(30)) == whole, "\(rule), \(days), \(zone)")
            }
        }
    }

    @Test func answersWhatItKnows() throws {
        let series = try series("FREQ=DAILY")
        let from = Self.start.advanced(bySeconds: 100 * 86_400)
        var count = 0
        let list = series.list(endingFrom: from, steps: .max) { _ in
            count += 1
            return count == 50
        }
        for (first, last, limit) in [(0, 5, 100), (0, 5, 3), (3, 4, 10), (0, 5_000, 40), (10, 11, 0)] {
            let range = from.advanced(bySeconds: first * 86_400)..<from.advanced(bySeconds: last * 86_400)
            let expected = series.occurrences(in: range, limit: limit)
            let known = try #require(list.occurrences(in: range, limit: limit))
            #expect(known.found == expected.found && known.isCut == expected.isCut)
        }
        #expect(list.occurrences(in: from..<from.advanced(bySeconds: 100 * 86_400), limit: 1_000) == nil)
        #expect(list.occurrences(in: Self.start..<from, limit: 1) == nil)
        #expect(list.prefix(5).occurrences(in: from..<from.advanced(bySeconds: 86_400), limit: 100) == nil)
        #expect(list.prefix(100).occurrences.count == 50)
    }
}
