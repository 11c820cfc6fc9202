import Bytes
import SookeModel
import Testing

@testable import Exchange
@testable import Store

/// What an import makes of calendars of which something is odd.
@Suite struct CalendarRowsTests {
    private static func calendar(_ events: [String]) -> String {
        let all = events.map { "BEGIN:VEVENT\n\($0)\nCATEGORIES:Live Music\nEND:VEVENT" }
        return (["BEGIN:VCALENDAR"] + all + ["END:VCALENDAR", ""]).joined(separator: "\n")
    }

    private static let good = "UID:good\nSUMMARY:Good\nDTSTART:20270412T190000Z"

    private static func take(
        _ events: [String], isStrict: Bool = false
    ) throws -> (town: TestTown, report: ImportReport) {
        var town = try TestTown.small()
        var options = ImportOptions { $0 == "Nowhere" ? nil : TimeZone(name: $0, fixedOffset: 0) }
        options.isStrict = isStrict
        let report = try town.take(calendar(events), as: "x.ics", options)
        return (town, report)
    }

    private static func events(of town: TestTown) -> [Event] { Array(Event.all(in: town.town)) }

    @Test(
        arguments: [
            ("SUMMARY:\nDTSTART:20270412T190000Z", "x.ics:2: name: is missing; an event needs one"),
            ("SUMMARY:Odd", "x.ics:2: \"Odd\": start: is missing; an event needs a start"),
            ("SUMMARY:Odd\nDTSTART:x", "x.ics:2: \"Odd\": start: is \"x\"; write a date and time such as"),
            (
                "SUMMARY:Odd\nDTSTART:20270404T190000Z\nRRULE:FREQ=WEEKLY;UNTIL=20270403T065959Z",
                "x.ics:2: \"Odd\": has no date: its series ends before it begins, or all its dates are left out"
            ),
            (
                "SUMMARY:Odd\nDTSTART:20270404T190000Z\nRRULE:FREQ=DAILY;COUNT=2\n"
                    + "EXDATE:20270404T190000Z,20270405T190000Z",
                "x.ics:2: \"Odd\": has no date: its series ends before it begins, or all its dates are left out"
            ),
            (
                "SUMMARY:Odd\nDTSTART;TZID=Nowhere:20270404T190000\nRRULE:FREQ=DAILY",
                "x.ics:2: \"Odd\": time zone: unknown time zone \"Nowhere\""
            ),
            ("SUMMARY:Odd\nDTSTART:20270412T190000Z\nRRULE:FREQ=HOURLY", "x.ics:2: \"Odd\": repetition: "),
            ("SUMMARY:Odd\nDTSTART:20270412T190000Z\nGEO:here", "x.ics:2: \"Odd\": location: is not a place"),
            ("SUMMARY:Odd\nDTSTART:20270412T190000Z\nHello", "x.ics:2: \"Odd\": line 5 is not a valid iCalendar line"),
            (
                "SUMMARY:Odd\nCATEGORIES:Live Music\nDTSTART:20270412T190000Z\nEND:VEVENT",
                "x.ics:8: the event that ends here has no BEGIN"
            ),
            ("SUMMARY:Odd\nBEGIN:VEVENT\n\(good)", "x.ics:2: the event that begins here has no END:VEVENT"),
        ])
    func anOddEventLeavesOutOnlyItself(odd: String, line: String) throws {
        let isTwo = odd.contains("VEVENT")
        let (town, report) = try Self.take(isTwo ? [odd] : [odd, Self.good])
        #expect(report[.event].created == 1 && report.leftOut == 1 && report.records == 2)
        #expect(report.lines.count == 1 && report.lines[0].hasPrefix(line), "\(report.lines)")
        #expect(report.description == "events: 1 new; left out: 1 of 2 records")
        #expect(town.town.events.count == 2)
        // As a whole, as before.
        #expect(throws: ImportProblems.self) { try Self.take([odd, Self.good], isStrict: true) }
    }

    @Test func whereNothingCanBeReadNothingChanges() throws {
        let odd = "SUMMARY:Odd"
        let problems = #expect(throws: ImportProblems.self) { try Self.take([odd, odd]) }
        #expect(problems?.summary == "2 problems; nothing was imported")
        // A calendar may have no events.
        #expect(try Self.take([]).report.changedNothing)
    }

    @Test func aTableBesideItIsRefusedAsAWhole() throws {
        var town = try TestTown.small()
        let files = [
            ImportFile("a.ics", Self.calendar([Self.good, "SUMMARY:Odd"])), ImportFile("b.csv", "name,slug\n,pub\n"),
        ]
        #expect(throws: ImportProblems.self) { try town.take(files) }
        #expect(town.town.events.count == 1)
    }

    @Test(
        arguments: [
            (
                "{\"message\":\"Group not found\"}",
                "\"{\"message\":\"Group not found\"}\" is an error of a service or a web page, not a calendar"
            ),
            ("<?xml version=\"1.0\"?><Error/>", "is an error of a service or a web page, not a calendar"),
            ("<!DOCTYPE html><p>Sign in", "is a web page, not a calendar"),
            ("Not found", "\"Not found\" is an error of a service or a web page, not a calendar"),
            ("BEGIN:VCALENDAR\nBEGIN:VTODO\nEND:VTODO\nEND:VCALENDAR", "1 task was left out"),
        ])
    func whatIsNoCalendar(text: String, message: String) throws {
        let problems = try TestTown.small().problems(with: text, as: "x.ics")
        #expect(problems.count == 1 && problems[0].contains(message), "\(problems)")
    }

    /// `SEQUENCE`, `LAST-MODIFIED` and `DTSTAMP` of two events of one identifier, and which of them counts.
    @Test(
        arguments: [
            (["SEQUENCE:2", ""], 0), (["", "SEQUENCE:1"], 1), (["SEQUENCE:10", "SEQUENCE:9"], 0),
            (["SEQUENCE:1\nDTSTAMP:20270101T000000Z", "DTSTAMP:20270102T000000Z"], 0),
            (["LAST-MODIFIED:20270102T000000Z", "LAST-MODIFIED:20270101T000000Z"], 0),
            (["LAST-MODIFIED:20270101T000000Z\nDTSTAMP:20270103T000000Z", "LAST-MODIFIED:20270102T000000Z"], 1),
            (["DTSTAMP:20270102T000000Z", "DTSTAMP:20270101T000000Z"], 0),
            (["DTSTAMP:20270101T000000Z", "DTSTAMP:20270102T000000Z"], 1),
        ])
    func theNewerVersionCounts(versions: [String], newer: Int) throws {
        let names = ["Former", "Later"]
        let event = "UID:1\nDTSTART:20270405T190000Z"
        let (town, report) = try Self.take(zip(names, versions).map { "SUMMARY:\($0)\n\(event)\n\($1)" })
        #expect(Self.events(of: town).map(\.name) == ["Concert", names[newer]])
        let older = "the older version of 1 event was left out: \"\(names[newer])\""
        #expect(report.lines.map { $0.contains(older) } == [true])
        // Also of a single date.
        let series = "UID:2\nSUMMARY:Jam\nDTSTART:20270501T100000Z\nRRULE:FREQ=WEEKLY;COUNT=3"
        let moves = versions.enumerated().map { index, version in
            "UID:2\nSUMMARY:Jam\nRECURRENCE-ID:20270508T100000Z\nDTSTART:2027050\(8 + index)T120000Z\n\(version)"
        }
        let (moved, _) = try Self.take([series] + moves)
        let jam = try #require(Self.events(of: moved).last)
        #expect(jam.overrides.map { $0.startsLocal?.text } == ["2027-05-0\(8 + newer)T12:00"])
        // Also where its start is written in another way.
        let other = moves[1].replacing("RECURRENCE-ID:20270508T100000Z", with: "RECURRENCE-ID;VALUE=DATE:20270508")
        let (written, _) = try Self.take([series, moves[0], other])
        #expect(try #require(Self.events(of: written).last).overrides == jam.overrides)
    }

    @Test func theSameTwiceIsOne() throws {
        let (town, report) = try Self.take([Self.good, Self.good])
        #expect(town.town.events.count == 2 && report.records == 1)
        #expect(report.lines == ["warning: x.ics:8: the older version of 1 event was left out: \"Good\""])
        // Nothing says which one is newer.
        let other = Self.good.replacing("T19", with: "T20")
        #expect(try Self.take([Self.good, other]).town.town.events.count == 3)
    }

    @Test func aTitleCancels() throws {
        let series = "UID:2\nSUMMARY:Jam\nDTSTART:20270501T100000Z\nRRULE:FREQ=WEEKLY;COUNT=3"
        let date = "UID:2\nSUMMARY:CANCELLED: Jam\nRECURRENCE-ID:20270508T100000Z\nDTSTART:20270508T100000Z"
        let (town, report) = try Self.take([
            Self.good.replacing("SUMMARY:Good", with: "SUMMARY:Good (cancelled)"), series, date,
            "UID:3\nSUMMARY:Why Subscriptions Get Cancelled\nDTSTART:20270412T190000Z",
        ])
        let events = Self.events(of: town).dropFirst()
        #expect(events.map(\.name) == ["Good", "Jam", "Why Subscriptions Get Cancelled"])
        #expect(events.map(\.status) == [.cancelled, .approved, .approved])
        #expect(events.map { $0.overrides.map(\.isCancelled) } == [[], [true], []])
        #expect(
            report.lines == [
                "warning: x.ics:2: \"Good\": \"Good (cancelled)\": says that it is cancelled; where it is not, put it back",
                "warning: x.ics:8: \"Jam\": \"CANCELLED: Jam\": says that a date of it is cancelled; where it is not, "
                    + "put it back",
            ])
    }

    @Test func whatIsLeftOutOfEventsIsSaidOnce() throws {
        let events = (1...15).map { number in
            "UID:\(number)\nSUMMARY:Walk \(number)\nDTSTART:20270412T190000Z\nORGANIZER:mailto:a@b.example"
        }
        let (_, report) = try Self.take([events[0] + "\nATTENDEE:x\nFOO:x"] + events.dropFirst())
        #expect(
            report.lines == [
                "warning: x.ics:2: the guests of 1 event were left out: \"Walk 1\"",
                "warning: x.ics:2: the foo of 1 event was left out: \"Walk 1\"",
                "warning: x.ics:2: the organiser of 15 events was left out: \"Walk 1\", \"Walk 2\", \"Walk 3\" and "
                    + "12 more",
            ])
    }

    @Test(
        arguments: [
            (["GEO:40.7448;-74.5523", "X-APPLE-STRUCTURED-LOCATION;VALUE=URI:geo:-74.5,40.7"], 40.7448),
            (["X-APPLE-STRUCTURED-LOCATION;VALUE=URI:geo:-74.5,40.7", "GEO:40.7448;-74.5523"], 40.7448),
            (["X-APPLE-STRUCTURED-LOCATION;VALUE=URI:geo:40.7,-74.5"], 40.7), (["GEO:0;0"], nil),
            (["X-APPLE-STRUCTURED-LOCATION;VALUE=URI:geo:0,0"], nil),
            (["GEO:0.0;0.0", "X-APPLE-STRUCTURED-LOCATION;VALUE=URI:geo:40.7,-74.5"], 40.7),
        ] as [([String], Double?)])
    func places(lines: [String], latitude: Double?) throws {
        let (town, _) = try Self.take([([Self.good] + lines).joined(separator: "\n")])
        #expect(try #require(Self.events(of: town).last).latitude == latitude)
    }

    @Test(
        arguments: [
            (#"DESCRIPTION:\n\n  \nFirst line\n\n\n\nlast\n\n"#, "First line\n\nlast"),
            (#"DESCRIPTION:\n \n"#, nil), (#"DESCRIPTION:  one\ntwo "#, "  one\ntwo "),
        ] as [(String, String?)])
    func texts(line: String, description: String?) throws {
        let (town, _) = try Self.take(["\(Self.good)\n\(line)"])
        #expect(try #require(Self.events(of: town).last).description == description ?? "")
    }

    @Test func aLinkWithEscapes() throws {
        let (town, _) = try Self.take([Self.good + "\n" + #"URL:https://town.example/view?a=b\;id=288"#])
        #expect(try #require(Self.events(of: town).last).url == "https://town.example/view?a=b;id=288")
    }

    @Test func linesThatAreNotUTF8() throws {
        var town = try TestTown.small()
        let text = Array(Self.calendar([Self.good, "SUMMARY:Bär\nDTSTART:20270412T190000Z"]).utf8)
        let broken = text.replacing(Array("Bär".utf8), with: Array("Caf".utf8) + [0xE9])
        let report = try town.take([ImportFile(name: "x.ics", bytes: broken)])
        #expect(Self.events(of: town).map(\.name) == ["Concert", "Good", "Café"])
        let warning = "warning: x.ics:9: is not UTF-8 text, and was read as Windows-1252; if letters are wrong, "
        #expect(report.lines.map { $0.hasPrefix(warning) } == [true])
    }

    @Test func blankLinesBeforeIt() throws {
        var town = try TestTown.small()
        let text = "\t\t\r\n\r\n\t\t" + Self.calendar([Self.good]).replacing("\n", with: "\r\n")
        #expect(try town.take(text, as: "x.ics")[.event].created == 1)
    }
}
