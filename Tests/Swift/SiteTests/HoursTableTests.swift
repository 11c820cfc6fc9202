import Bytes
import Foundation
import SookeModel
import Testing

@testable import Site

/// The table of hours on the page of a business. It is Monday 23 November, so the week ends with Sunday 29 November.
@Suite struct HoursTableTests {
    /// The class and the words of each row for a business with some fields.
    private func rows(_ fields: String, at moment: String? = nil) async throws -> [(style: String, words: String)] {
        let town = try await SiteTown()
        try await town.write([(.business, #"{"slug":"anchor",\#(fields)}"#)])
        if let moment { town.clock.set(try #require(Timestamp(rfc3339: moment))) }
        let rows = try await town.page("/businesses/anchor").main.parts(between: "<tr class=\"", and: "</tr>")
        return rows.map { row in
            let style = String(row.prefix { $0 != "\"" })
            let words = row.dropFirst(style.count).replacingOccurrences(of: "\u{A0}", with: " ")
            return (style, String(words.drop { $0 != ">" }.dropFirst()).words)
        }
    }

    private static let days = ["Today", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

    /// What the week says of hours in the syntax of OpenStreetMap: of today, of tomorrow and of Saturday.
    @Test(arguments: [
        ("Mo-Fr 09:00-17:00", "9 am – 5 pm", "9 am – 5 pm", "closed"), ("24/7", "24 hours", "24 hours", "24 hours"),
        ("Mo-Su off", "closed", "closed", "closed"),
        ("Mo 13:00-17:00,08:00-12:00; Sa 10:30-23:00", "8 am – noon 1 – 5 pm", "closed", "10:30 am – 11 pm"),
        ("Mo 18:00+; Tu 20:00-02:00", "from 6 pm", "8 pm – 2 am", "closed"),
        ("Mo unknown; Sa 09:00-12:00", "unknown", "closed", "9 am – noon"),
        (
            #"Mo,Sa 09:00-12:00 "by appointment"; Tu 10:00-11:00"#, "unknown by appointment", "10 – 11 am",
            "unknown by appointment"
        ),
        (#"Mo 09:00-12:00 open "ring <twice>""#, "9 am – noon ring &lt;twice&gt;", "closed", "closed"),
    ])
    func week(hours: String, today: String, tomorrow: String, saturday: String) async throws {
        let rows = try await rows(#""opening_hours":\#(SiteTown.json(hours))"#)
        #expect(rows.map(\.style) == ["today"] + [String](repeating: "usual", count: 6))
        let names = rows.map { $0.words.prefix { $0 != " " } }
        #expect(names == Self.days.map { $0[...] })
        let (first, second, sixth) = (rows[0].words, rows[1].words, rows[5].words)
        #expect([first, second, sixth] == ["Today \(today)", "Tuesday \(tomorrow)", "Saturday \(saturday)"])
    }

    /// A holiday of which the hours say nothing is marked; not one on which it is closed as usual, or always open.
    @Test(arguments: [
        ("Mo-Su 09:00-17:00", "usually 9 am – 5 pm not confirmed for Christmas Day", true),
        ("Mo-Su 09:00-17:00; Dec 20-31 10:00-12:00", "10 am – noon", false),
        ("Mo-Su 09:00-17:00; PH 10:00-12:00", "10 am – noon Christmas Day", false),
        ("Sa-Th 09:00-17:00", "closed", false), ("24/7", "24 hours", false),
    ])
    func aHoliday(hours: String, friday: String, isMarked: Bool) async throws {
        let fields = #""opening_hours":"\#(hours)""#
        let before = try await rows(fields, at: "2026-12-23T12:00:00-08:00")
        #expect(before[2].words == "Friday \(friday)")
        #expect(before[1].style == (hours.contains("Dec") ? "special" : "usual"))
        #expect(before[2].style == (isMarked || friday.contains("noon") ? "special" : "usual"))
        let today = try await rows(fields, at: "2026-12-25T12:00:00-08:00")
        #expect(today[0].words == "Today \(friday)" && today[0].style == (isMarked ? "today special" : "today"))
    }

    /// The day changes at midnight on the clocks of the town, though the night before is not over.
    @Test(arguments: [
        ("2026-11-23T23:59:59-08:00", "Today 8 pm – 2 am", "Tuesday closed"),
        ("2026-11-24T00:00:00-08:00", "Today closed", "Wednesday closed"),
        ("2026-11-30T00:00:00-08:00", "Today 8 pm – 2 am", "Tuesday closed"),
    ])
    func today(moment: String, first: String, second: String) async throws {
        let rows = try await rows(#""opening_hours":"Mo 20:00-02:00""#, at: moment)
        #expect(rows.count == 7 && rows[0].words == first && rows[1].words == second)
    }

    /// Special hours as JSON, from a text such as `2026-12-24..2026-12-26 09:00-12:00 why; 2027-01-01.. off`.
    private static func special(_ text: String) -> String {
        let rows = text.components(separatedBy: "; ").map { row in
            let words = row.split(separator: " ", maxSplits: 2).map(String.init)
            let (days, times) = (words[0].components(separatedBy: ".."), words[1].components(separatedBy: "-"))
            let to = days[1].isEmpty ? "" : #""to":"\#(days[1])","#
            let hours =
                times == ["off"] ? #""is_closed":true"# : #""open_time":"\#(times[0])","close_time":"\#(times[1])""#
            return #"{"from":"\#(days[0])",\#(to)\#(hours)\#(words.count > 2 ? #","reason":"\#(words[2])""# : "")}"#
        }
        return #""opening_hours":"Mo-Su 07:00-15:00","special_hours":[\#(rows.joined(separator: ","))]"#
    }

    /// Special hours, the rows of this week that they change, and those below the week.
    @Test(arguments: [
        ("2026-11-25..2026-11-25 off Party", ["Wednesday closed Party"], []),
        ("2026-11-23..2026-11-23 10:00-12:00", ["Today 10 am – noon"], []),
        ("2026-12-24..2026-12-24 09:00-12:00", [], ["Thu 24 Dec 9 am – noon"]),
        // Over the end of the week, and over that of the year.
        ("2026-11-28..2026-12-02 off", ["Saturday closed", "Sunday closed"], ["30 Nov – 2 Dec closed"]),
        ("2026-12-31..2027-01-01 off", [], ["31 Dec – 1 Jan 2027 closed"]),
        // Days in a row with other hours or another reason have rows of their own.
        (
            "2026-12-24..2026-12-24 off A; 2026-12-25..2026-12-25 off B", [],
            ["Thu 24 Dec closed A", "Fri 25 Dec closed B"]
        ),
        ("2026-12-24..2026-12-24 off; 2026-12-26..2026-12-26 off", [], ["Thu 24 Dec closed", "Sat 26 Dec closed"]),
        (
            "2026-12-24..2026-12-24 18:00-01:00; 2026-12-24..2026-12-24 08:00-12:00", [],
            ["Thu 24 Dec 8 am – noon 6 pm – 1 am"]
        ),
        // Ninety days ahead.
        ("2027-02-27..2027-02-27 off", [], ["Sat 27 Feb 2027 closed"]), ("2027-02-28..2027-02-28 off", [], []),
        ("2027-02-28.. off", [], []),
        // What is over.
        ("2026-11-01..2026-11-22 off", [], []),
        // No end is made up for what goes on.
        ("2027-01-10.. off Sold", [], ["From Sun 10 Jan 2027 closed Sold"]),
        ("2027-02-27.. off", [], ["From Sat 27 Feb 2027 closed"]),
        ("2027-02-20..2027-03-30 off", [], ["From Sat 20 Feb 2027 closed"]),
        ("2027-02-20..2027-02-27 off", [], ["20–27 Feb 2027 closed"]),
    ])
    func special(hours: String, thisWeek: [String], later: [String]) async throws {
        let rows = try await rows(Self.special(hours))
        #expect(rows.dropFirst(7).map(\.words) == later && rows.dropFirst(7).allSatisfy { $0.style == "special" })
        let (usual, changed) = (rows.prefix(7), rows.prefix(7).filter { !$0.words.hasSuffix(" 7 am – 3 pm") })
        #expect(changed.map(\.words) == thisWeek && usual.count == 7)
        #expect(changed.allSatisfy { $0.style == ($0.words.hasPrefix("Today") ? "today" : "special") })
    }
}
