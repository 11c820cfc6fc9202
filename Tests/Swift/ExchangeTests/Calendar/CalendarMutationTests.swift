import Bytes
import SookeModel
import TestSupport
import Testing

@testable import Exchange
@testable import Store

/// Calendars with odd events and random changes: each event comes in or is named.
@Suite struct CalendarMutationTests {
    /// The lines of an event, and whether it comes in.
    private static let kinds: [(lines: String, isRead: Bool)] = [
        ("DTSTART:20270412T190000Z", true), ("DTSTART;VALUE=DATE:20270412\nGEO:0;0", true), ("", false),
        ("DTSTART:tomorrow", false), ("DTSTART;TZID=Nowhere:20270412T190000", false),
        ("DTSTART:20270412T190000Z\nRRULE:FREQ=DAILY;UNTIL=20270401", false),
        ("DTSTART:20270412T190000Z\nRRULE:FREQ=DAILY;COUNT=3\nEXDATE:20270413T190000Z", true),
        ("DTSTART:20270412T190000Z\nRRULE:FREQ=DAILY;COUNT=1\nEXDATE:20270412T190000Z", false),
        ("DTSTART:20270412T190000Z\nRRULE:FREQ=SOMETIMES", false), ("DTSTART:20270412T190000Z\nHello", false),
        ("DTSTART:20270412T190000Z\nBEGIN:VALARM\nTRIGGER:-PT1H", true), ("DTSTART:20270412T190000Z\nSUMMARY:x", true),
        ("DTSTART:20270412T190000Z\nDURATION:-P1D", false), ("DTSTART:20270412T190000Z\n\n \n\tX-A:1", true),
    ]

    private static let options = ImportOptions { $0 == "Nowhere" ? nil : TimeZone(name: $0, fixedOffset: 0) }

    private static func calendar(_ random: inout SplitMix64) -> (text: String, read: Int, leftOut: Int) {
        var (lines, read, leftOut) = (["BEGIN:VCALENDAR"], 0, 0)
        for number in 0...random.below(12) {
            let kind = random.pick(kinds)
            let head = "BEGIN:VEVENT\nUID:\(number)\nSUMMARY:Event \(number)\nCATEGORIES:Live Music"
            let copies = random.below(4) == 0 ? 2 : 1
            for _ in 0..<copies { lines += [head, kind.lines, "END:VEVENT"] }
            if kind.isRead { read += 1 } else { leftOut += 1 }
        }
        return ((lines + ["END:VCALENDAR", ""]).joined(separator: "\n"), read, leftOut)
    }

    @Test(arguments: 0..<Cases.count(5, of: 50))
    func nothingIsLostWithoutAWord(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        let town = try TestTown.small()
        for _ in 0..<50 {
            let (text, read, leftOut) = Self.calendar(&random)
            let report = Result { () throws(ImportProblems) in
                var town = town
                return try town.take(text, as: "x.ics", Self.options)
            }
            switch report {
            case .success(let report):
                #expect(report[.event].created == read && report.leftOut == leftOut && read > 0, "\(text)")
                #expect(report.problems.problemCount == leftOut)
            case .failure(let problems):
                #expect(read == 0 && problems.findings.problemCount == leftOut, "\(text)")
            }
        }
    }

    @Test(arguments: 0..<Cases.count(5, of: 50))
    func changedBytesLoseNothingWithoutAWord(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        let town = try TestTown.small()
        for _ in 0..<50 {
            var bytes = Array(Self.calendar(&random).text.utf8)
            for _ in 0...random.below(6) { bytes[random.below(bytes.count)] = UInt8(random.below(256)) }
            let text = ContentLineReader.withWholeCharacters(bytes)
            let lines = ContentLineReader(text).filter { $0.value.trimmed.uppercased() == "VEVENT" }
            let (entries, warnings) = CalendarReader.read(text)
            let halves = entries.count { entry in
                entry.problems.contains { $0.message.contains("has no END:") || $0.message.contains("has no BEGIN:") }
            }
            let others = warnings.compactMap { Int($0.message.prefix { $0 != " " }) }.reduce(0, +)
            let read = entries.reduce(0) { $0 + $1.source.count } + halves + others
            for name in ["BEGIN", "END"] {
                #expect(read >= lines.count { $0.name == name }, "\(String(decoding: bytes, as: UTF8.self))")
            }
            var changed = town
            do throws(ImportProblems) {
                let file = ImportFile(name: "x.ics", format: .icalendar, bytes: bytes)
                let report = try changed.take([file], Self.options)
                let events = report[.event]
                #expect(events.created + events.updated + events.unchanged + report.leftOut == entries.count)
                #expect(report.problems.problemCount >= report.leftOut && report.records == entries.count)
            } catch {
                #expect(!error.all.isEmpty)
            }
        }
    }
}
