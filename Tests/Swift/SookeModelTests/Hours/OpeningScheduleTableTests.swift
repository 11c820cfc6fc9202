import Bytes
import Foundation
import TestSupport
import Testing

@testable import SookeModel

/// Tables of hours, times and what is expected: `Tests/Generators/Hours/cases.tsv` by an independent library, and `by-hand.tsv`.
@Suite struct OpeningScheduleTableTests {
    private static func rows(_ name: String) throws -> [[String]] {
        let file = ProjectFolder.file("Tests/Generators/Hours/\(name)")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            .filter { !$0.hasPrefix("#") }
            .map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
    }

    /// The time of a text such as `2026-11-23T08:00-08:00`; nil for `-`.
    private static func moment(_ text: String) throws -> Timestamp? {
        if text == "-" { return nil }
        let moment: Timestamp = try #require(
            Timestamp(rfc3339: "\(text.prefix(16)):00\(text.dropFirst(16))"), "\(text)")
        return moment
    }

    private static func text(_ moment: Timestamp?) -> String { moment?.rfc3339 ?? "-" }

    @Test(arguments: [("cases.tsv", 260), ("by-hand.tsv", 110)])
    func asExpected(file: String, count: Int) throws {
        let rows = try Self.rows(file)
        #expect(rows.count > count)
        for row in rows {
            let moment = try #require(try Self.moment(row[2]))
            let schedule = OpeningSchedule(base: try OpeningHours(row[0]))
            let state = schedule.state(at: moment, in: try TimeZoneTests.zone(row[1]), .britishColumbia)
            let name = row.joined(separator: " | ")
            #expect("\(state.status.rawValue) \(state.reason.rawValue)" == "\(row[3]) \(row[4])", "\(name)")
            #expect(Self.text(state.until) == Self.text(try Self.moment(row[5])), "until: \(name)")
            #expect(Self.text(state.nextOpening) == Self.text(try Self.moment(row[6])), "next opening: \(name)")
            if row.count > 7 { #expect(state.comment == row[7], "\(name)") }
        }
    }
}
