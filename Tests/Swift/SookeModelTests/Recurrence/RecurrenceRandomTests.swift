import Bytes
import Foundation
import TestSupport
import Testing

@testable import SookeModel

/// Random rules have the occurrences that python-dateutil finds; `Tests/Generators/Recurrence/make.py` wrote them.
@Suite struct RecurrenceRandomTests {
    /// The zones with their rules since 2007.
    private static let zones: [String: TZifFixture] = [
        "America/New_York": .rule("EST5EDT,M3.2.0,M11.1.0"), "Europe/Berlin": .rule("CET-1CEST,M3.5.0,M10.5.0/3"),
        "Australia/Lord_Howe": .rule("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0"), "UTC": .rule("UTC0"),
    ]

    /// A file of other rules; `Tests/Generators/Recurrence/run` makes one of 10,000.
    private static let file =
        ProcessInfo.processInfo.environment["SOOKE_RECURRENCE_RULES"]
        ?? ProjectFolder.file("Tests/Generators/Recurrence/rules.tsv").path

    @Test func agreesWithAnother() throws {
        let last = try #require(Timestamp(rfc3339: "2120-01-01T00:00:00Z"))
        let zones = try Self.zones.mapValues { try TZifReader.read($0.bytes, name: "") }
        let lines = try String(contentsOfFile: Self.file, encoding: .utf8).split(separator: "\n")
        #expect(lines.count >= 300)
        var withOccurrences = 0
        for line in lines {
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            try #require(cells.count == 4)
            let zone = try #require(zones[cells[0]])
            let local = try #require(Timestamp(rfc3339: cells[1] + "Z"))
            let start = zone.moment(of: local.civil.date, secondsOfDay: local.seconds - local.seconds / 86_400 * 86_400)
            // Where the start itself is a time that clocks skip, its time on the clocks is another.
            guard zone.localDate(at: start).secondsOfDay == local.seconds % 86_400 else { continue }
            let rule = try RecurrenceRule(cells[2])
            #expect(try RecurrenceRule(rule.text) == rule)
            let series = RecurrenceSeries(start: LocalTime(clock: local), end: nil, zone: zone, rule: rule)
            let found = series.occurrences(endingFrom: start).prefix(11).map(\.startsAt).filter { $0 < last }
            let text = found.prefix(10).map(\.rfc3339) + (found.count > 10 ? ["…"] : [])
            #expect(text.joined(separator: " ") == cells[3], "\(cells[2]) from \(cells[1]) in \(cells[0])")
            for (earlier, later) in zip(found, found.dropFirst()) {
                #expect(series.next(at: Timestamp(microseconds: later.microseconds - 1))?.startsAt == later)
                #expect(series.last(before: later)?.startsAt == earlier)
            }
            if !found.isEmpty { withOccurrences += 1 }
        }
        #expect(withOccurrences * 2 > lines.count)
    }
}
