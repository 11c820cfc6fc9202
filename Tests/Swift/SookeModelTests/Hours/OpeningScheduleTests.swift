import Bytes
import Foundation
import TestSupport
import Testing

@testable import SookeModel

@Suite struct OpeningScheduleTests {
    private static let utc = SookeModel.TimeZone(name: "UTC", fixedOffset: 0)

    private static func moment(_ text: String) throws -> Timestamp { try #require(Timestamp(rfc3339: text)) }

    /// Without a zone: `2026-11-23 09:30`.
    private func state(
        _ hours: String, _ local: String, _ holidays: Holidays = .britishColumbia
    ) throws -> OpenState {
        let moment = try Self.moment(local.replacingOccurrences(of: " ", with: "T") + ":00Z")
        return try OpeningSchedule(base: OpeningHours(hours)).state(at: moment, in: Self.utc, holidays)
    }

    /// What an independent library says, half hour by half hour; `Tests/Generators/Hours/make.py` wrote it.
    @Test func agreesWithAnother() throws {
        let file = ProjectFolder.file("Tests/Generators/Hours/states.tsv")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        #expect(lines.count > 100)
        for line in lines {
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            let schedule = OpeningSchedule(base: try OpeningHours(cells[0]))
            let start = try Self.moment(cells[1] + "T00:00:00Z")
            var (found, last) = ([String](), "")
            for step in 0..<12 * 48 {
                let moment = Timestamp(clampingSeconds: start.seconds + step * 1800)
                let status = schedule.status(at: HoursMoment(at: moment, in: Self.utc, .none)).rawValue
                if status == last { continue }
                let text = moment.rfc3339
                found.append("\(text.dropFirst(5).prefix(5)) \(text.dropFirst(11).prefix(5)) \(status)")
                last = status
            }
            #expect(found.joined(separator: ", ") == cells[2], "\(cells[0]) from \(cells[1])")
        }
    }

    /// Clocks in Vancouver are set forward from 2:00 to 3:00 on 2026-03-08, and back from 2:00 to 1:00 on 2026-11-01; in
    /// Dublin on 2026-03-29 and 2026-10-25; on Lord Howe Island by half an hour, on 2026-10-04 and 2026-04-05.
    @Test(
        arguments: [
            ("America/Vancouver", "Mo-Su 01:00-02:30", "2026-03-08T09:00:00Z", "2026-03-08T10:00:00Z"),
            ("America/Vancouver", "Mo-Su 02:15-05:00", "2026-03-08T10:00:00Z", "2026-03-08T12:00:00Z"),
            ("America/Vancouver", "Mo-Su 02:10-02:50", "2026-03-09T09:10:00Z", "2026-03-09T09:50:00Z"),
            ("America/Vancouver", "Sa 22:00-01:30", "2026-11-01T05:00:00Z", "2026-11-01T08:30:00Z"),
            ("America/Vancouver", "Su 01:30-04:00", "2026-11-01T08:30:00Z", "2026-11-01T12:00:00Z"),
            ("America/Vancouver", "Su 00:00-24:00", "2026-11-01T07:00:00Z", "2026-11-02T08:00:00Z"),
            ("Europe/Dublin", "Mo-Su 00:00-02:00", "2026-03-29T00:00:00Z", "2026-03-29T01:00:00Z"),
            ("Europe/Dublin", "Sa 20:00-01:30", "2026-10-24T19:00:00Z", "2026-10-25T00:30:00Z"),
            ("Australia/Lord_Howe", "Mo-Su 01:00-02:15", "2026-10-03T14:30:00Z", "2026-10-03T15:30:00Z"),
            ("Australia/Lord_Howe", "Su 01:00-02:15", "2026-04-04T14:00:00Z", "2026-04-04T15:45:00Z"),
        ])
    func clockChanges(zone: String, hours: String, start: String, end: String) throws {
        let zone = try TimeZoneTests.zone(zone)
        let hours = OpeningSchedule(base: try OpeningHours(hours))
        let (start, end) = (try Self.moment(start), try Self.moment(end))
        let before = hours.state(at: Timestamp(clampingSeconds: start.seconds - 60), in: zone, .none)
        #expect(before.isOpen == false)
        #expect(before.nextOpening == start, "opens")
        let state = hours.state(at: start, in: zone, .none)
        #expect(state.isOpen == true)
        #expect(state.until == end, "closes")
        #expect(hours.state(at: end, in: zone, .none).isOpen == false)
    }

    /// The holiday for which this opening, or the next one, is not confirmed, and when that changes. Christmas Day is a
    /// Friday; in Ontario there is another holiday on Saturday.
    @Test(
        arguments: [
            ("Mo-Su 10:00-21:00", "2026-12-24 20:00", nil, nil),
            ("Mo-Su 10:00-21:00", "2026-12-24 21:00", "Christmas Day", nil),
            ("Mo-Su 10:00-21:00", "2026-12-25 12:00", "Christmas Day", nil),
            ("Mo-Su 10:00-21:00", "2026-12-25 21:00", "Boxing Day", nil),
            ("Sa-Th 10:00-21:00", "2026-12-24 21:00", "Boxing Day", nil),
            ("24/7", "2026-12-25 12:00", nil, nil), ("Mo-Su 00:00-24:00", "2026-12-25 12:00", nil, nil),
            ("Mo-Fr 00:00-24:00; Sa-Su 00:00-24:00; Dec 24 off", "2026-12-25 12:00", nil, nil),
            ("Mo-Su unknown", "2026-12-25 12:00", nil, nil),
            // What names the day, or a span of days.
            ("Mo-Su,PH 10:00-21:00", "2026-12-25 12:00", nil, nil),
            ("Mo-Su 10:00-21:00; PH 12:00-13:00", "2026-12-25 12:00", nil, nil),
            ("Mo-Su 10:00-21:00; Dec 20-Jan 5 11:00-14:00", "2026-12-25 12:00", nil, nil),
            ("Mo-Su 10:00-21:00; 2026 Dec 25 11:00-14:00", "2026-12-25 12:00", nil, nil),
            // What does not: seasons, years, weeks, other holidays and other days of the week.
            ("Nov-Mar 10:00-21:00", "2026-12-25 12:00", "Christmas Day", nil),
            ("2026 Mo-Su 10:00-21:00", "2026-12-25 12:00", "Christmas Day", nil),
            ("week 50-53 10:00-21:00", "2026-12-25 12:00", "Christmas Day", nil),
            ("Mo-Su 10:00-21:00; Jul PH off", "2026-12-25 12:00", "Christmas Day", nil),
            ("Mo-Su 10:00-21:00; Dec 20-31 Mo off", "2026-12-25 12:00", "Christmas Day", nil),
            // A span belongs to the day on which it began.
            ("Mo-Su 18:00-02:00", "2026-12-25 01:00", nil, nil),
            ("Mo-Su 18:00-02:00", "2026-12-25 02:00", "Christmas Day", nil),
            ("Mo-Su 18:00-02:00", "2026-12-26 01:00", "Christmas Day", nil),
            ("Mo-Su 18:00-02:00", "2026-12-26 20:00", "Boxing Day", nil),
            ("Mo-Su 18:00-02:00", "2026-12-27 01:00", "Boxing Day", nil),
            ("Mo-Su 18:00-02:00", "2026-12-27 20:00", nil, nil),
            // An opening that goes on over midnights.
            ("Th-Fr 00:00-24:00; Sa 00:00-03:00", "2026-12-24 20:00", nil, "12-25 00:00"),
            ("Th-Fr 00:00-24:00; Sa 00:00-03:00", "2026-12-25 20:00", "Christmas Day", "12-26 00:00"),
            ("Th-Fr 00:00-24:00; Sa 00:00-03:00", "2026-12-26 02:00", "Boxing Day", nil),
            ("Th-Sa 00:00-24:00; PH off", "2026-12-24 20:00", nil, nil),
        ] as [(String, String, String?, String?)])
    func holidaysThatHoursDoNotName(hours: String, local: String, holiday: String?, change: String?) throws {
        let state = try state(hours, local, .ontario)
        #expect(state.unconfirmed == holiday)
        let text = state.confirmationChange.map { String($0.rfc3339.dropFirst(5).prefix(11)) }
        #expect(text == change?.replacingOccurrences(of: " ", with: "T"))
        // None of it changes what is open.
        var (known, other) = (state, try self.state(hours, local, .none))
        guard !hours.contains("PH") else { return }
        (known.unconfirmed, known.confirmationChange, other.unconfirmed) = (nil, nil, nil)
        #expect(known == other)
    }

    /// The first and the last times that there are.
    @Test(arguments: [
        "Mo-Fr 09:00-17:00", "24/7; PH off", "Jan 1 10:00-12:00", "week 53 off", "9999 Dec 31 22:00-03:00",
    ])
    func extremes(hours: String) throws {
        let schedule = OpeningSchedule(base: try? OpeningHours(hours))
        for microseconds in [Int.min, -62_167_219_200_000_000, 253_402_300_799_999_999, Int.max] {
            let state = schedule.state(
                at: Timestamp(microseconds: microseconds), in: try TimeZoneTests.zone("America/Vancouver"),
                .britishColumbia)
            #expect(state.validUntil.map { $0.microseconds > -62_167_219_200_000_000 } ?? true)
        }
    }
}
