import Bytes
import Foundation
import SookeModel
import TestSupport
import Testing

@testable import Exchange
@testable import Store

/// Random events of all fields go through each format, and come back equal.
@Suite struct EventRoundTripTests {
    private static let zones: [String: SookeModel.TimeZone] = {
        let others: [String: TZifFixture] = [
            "America/New_York": .rule("EST5EDT,M3.2.0,M11.1.0"), "UTC": .rule("UTC0"),
            "Europe/Berlin": .rule("CET-1CEST,M3.5.0,M10.5.0/3"),
        ]
        return Dictionary(
            uniqueKeysWithValues: TZifFixture.zones.merging(others) { first, _ in first }.compactMap { name, fixture in
                (try? TZifReader.read(fixture.bytes, name: name)).map { (name, $0) }
            })
    }()
    static let home = zones["America/Vancouver"] ?? .utc
    static let options = ImportOptions(zone: home) { zones[$0] }

    static func calendar(of town: Town) -> String {
        let events = Event.all(in: town).compactMap { Event.stored($0.id, in: town) }
        let clock = EventClock(now: Timestamp(clampingSeconds: 1_795_000_000), zone: home) { zones[$0] }
        var feed = CalendarFeed(events, in: town, at: clock, name: "Events", url: "https://town.example")
        var bytes: [UInt8] = []
        while let part = feed.next() { bytes += part }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// More by hand: `SOOKE_ROUND_TRIPS=10000`.
    private static let count = ProcessInfo.processInfo.environment["SOOKE_ROUND_TRIPS"].flatMap { Int($0) } ?? 200

    @Test func aRandomEventComesBackEqual() throws {
        var town = try TestTown.small()
        try town.take(
            #"""
            {"businesses":[{"id":7,"name":"Berlin Bar","address":"2","latitude":1,"longitude":2,
            "time_zone":"Europe/Berlin"},{"id":8,"name":"Hall, the","slug":"hall-the","address":"3","latitude":3,"longitude":4}]}
            """#, as: "x.json", Self.options)
        try town.removeEvents()
        let empty = town
        var (random, problems) = (SplitMix64(seed: 47), [String]())
        for number in 1...Self.count {
            let event = Self.event(number, in: town.town, &random)
            try town.put(event)
            guard number % 20 == 0 || number == Self.count else { continue }
            for (name, text) in [
                ("x.json", town.text(.json)), ("x.ndjson", town.text(.ndjson)),
                ("x.csv", town.text(.csv, table: .events)), ("x.ics", Self.calendar(of: town.town)),
            ] {
                var copy = empty
                let report = try copy.take([ImportFile(name, text)], Self.options)
                problems += report.warnings.lines.filter { !$0.contains("from the rest of the town") }
                for event in Event.all(in: town.town) {
                    let lost = try event.difference(from: copy.event(event.slug.text)).names
                        .filter { !Self.missing(in: name, of: event).contains($0) }
                    let found = try copy.event(event.slug.text)
                    if !lost.isEmpty { problems.append("\(name): \(lost): \(event.json)\n\(found.json)") }
                }
            }
            town = empty
        }
        #expect(problems.isEmpty, "\(problems.count): \(problems.prefix(3).joined(separator: "\n"))")
    }

    /// What a format does not hold.
    private static func missing(in file: String, of event: Event) -> [String] {
        switch file {
        case "x.csv": ["exdates", "rdates", "overrides"]
        case "x.ics": ["id"]
        default: []
        }
    }
}

// MARK: - Random events

extension EventRoundTripTests {
    private static func event(_ number: Int, in town: Town, _ random: inout SplitMix64) -> Event {
        var event = Event()
        (event.id, event.slug, event.eventType) = (number, Slug("e\(number)"), Slug("live-music"))
        (event.name, event.status) = (text(&random, lines: false), random.pick([.approved, .draft, .cancelled]))
        event.description = random.pick([nil, text(&random, lines: true)])
        event.location = random.pick([nil, "Pub", "Room 2", "Pub, 1 Wharf St", text(&random, lines: false)])
        event.url = random.pick([nil, "https://a.example/x?a=1,2&b=\"3\"", "http://town.example/events/other"])
        event.price = random.pick([nil, "free", "$5 at the door, or \"more\""])
        switch random.below(3) {
        case 0: event.host = random.pick([Slug("pub"), Slug("hall-the")])
        case 1: event.organizer = random.pick(["Pub", "Friends of the \"Park\"^n; all", text(&random, lines: false)])
        default: break
        }
        switch random.below(3) {
        case 0: event.business = random.pick([Slug("pub"), Slug("berlin-bar"), Slug("hall-the")])
        case 1: (event.latitude, event.longitude) = (48.25, -123.5)
        default: break
        }
        event.timeZone = random.pick([nil, nil, "Europe/Berlin", "Australia/Lord_Howe", "UTC"])
        setTimes(of: &event, &random)
        let zone = event.zoneName(in: town).flatMap { zones[$0] } ?? home
        // With its offset where clocks show it twice.
        if let end = event.endsLocal, !end.isDate { event.endsLocal = zone.localTime(at: zone.instant(of: end)) }
        if random.below(2) == 0 { setSeries(of: &event, in: zone, &random) }
        var problems = FieldProblems()
        event.settle(after: nil, in: zone, &problems)
        #expect(problems.isEmpty, "\(problems.all)")
        return event
    }

    private static func setTimes(of event: inout Event, _ random: inout SplitMix64) {
        // Days around the changes of clocks, and others.
        let day = random.pick(["2027-03-12", "2027-11-05", "2027-10-29", "2027-06-01", "2028-02-28"])
        let date = (CivilDate(day) ?? CivilDate(daysSinceEpoch: 0)).advanced(by: random.below(4))
        if random.below(2) == 0 {
            event.allDay = true
            (event.startsLocal, event.endsLocal) = (
                LocalTime(date), LocalTime(date.advanced(by: random.pick([0, 2, 41])))
            )
            return
        }
        let start = LocalTime(date, secondsOfDay: random.pick([0, 5 * 3600, 12 * 3600 + 15, 19 * 3600, 86_340]))
        event.startsLocal = start
        switch random.below(5) {
        case 0: break
        case 1: event.endsLocal = LocalTime(date.advanced(by: 2), secondsOfDay: 17 * 3600)
        default: event.endsLocal = LocalTime(clock: start.clock.advanced(bySeconds: 5400))
        }
        guard random.below(6) == 0 else { return }
        // In the hour that clocks of Vancouver show twice.
        (event.timeZone, event.business) = (nil, nil)
        let offset = random.pick([-7, -8]) * 3600
        let night = CivilDate("2027-11-07") ?? date
        event.startsLocal = LocalTime(night, secondsOfDay: 5400, offset: offset)
        if event.endsLocal != nil { event.endsLocal = LocalTime(night, secondsOfDay: 4 * 3600) }
    }

    private static func setSeries(of event: inout Event, in zone: SookeModel.TimeZone, _ random: inout SplitMix64) {
        guard let start = event.startsLocal, start.offset == nil else { return }
        if random.below(8) == 0 {
            event.rdates = [1, 9].map { start.advanced(byDays: $0) }
        } else {
            let day = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"][start.date.dayOfWeek]
            event.rrule = random.pick([
                "FREQ=WEEKLY", "FREQ=DAILY;INTERVAL=3;COUNT=20", "FREQ=WEEKLY;UNTIL=20280601", "FREQ=MONTHLY;COUNT=9",
                "FREQ=WEEKLY;BYDAY=\(day)", "FREQ=DAILY;COUNT=400",
            ])
        }
        var problems = FieldProblems()
        event.settle(after: nil, in: zone, &problems)
        guard let series = event.recurrence(in: zone) else { return }
        let range = Timestamp.beginningOfTime..<Timestamp.endOfTime
        let found = series.occurrences(in: range, limit: 12).found.map(zone.localStart)
        // A time that clocks skip or repeat has no name of its own in a series.
        let starts = found.filter { $0.offset == nil && $0.secondsOfDay == start.secondsOfDay }
        for (index, occurrence) in starts.dropFirst().enumerated() {
            var row = EventOverride()
            row.occurrence = occurrence
            switch (index, random.below(3)) {
            case (0, 0): event.exdates.append(occurrence)
            case (1, 0) where event.status != .cancelled: row.isCancelled = true
            case (2, 0): row.startsLocal = occurrence.advanced(byDays: 1)
            case (3, 0):
                row.startsLocal = occurrence.advanced(byDays: 2)
                row.endsLocal = occurrence.advanced(byDays: 3)
            case (4, 0): (row.name, row.description) = (text(&random, lines: false), text(&random, lines: true))
            case (5, 0): row.location = text(&random, lines: false)
            case (6, 0) where event.rdates.isEmpty: event.rdates = [occurrence.advanced(byDays: 400)]
            default: continue
            }
            if row != EventOverride(),
                row.isCancelled || row.startsLocal != nil || row.name != nil || row.location != nil
            {
                event.overrides.append(row)
            }
        }
    }

    private static func text(_ random: inout SplitMix64, lines: Bool) -> String {
        let parts = ["a", "Z", "é", "🌊", "本", "\"", "'", ",", ";", ":", "\\", "^", "-", "+", " b", lines ? "\n" : "x"]
        return "a" + (0...random.below(30)).map { _ in random.pick(parts) }.joined() + "z"
    }
}

extension TestTown {
    mutating func removeEvents() throws {
        var transaction = WriteTransaction(town)
        for event in Array(Event.all(in: town)) { transaction.append(.delete(.event, id: event.id)) }
        replace(with: transaction.town)
    }

    mutating func put(_ event: Event) throws {
        var transaction = WriteTransaction(town)
        transaction.append(.put(AnyRecord(event)))
        replace(with: transaction.town)
    }
}

extension Event {
    fileprivate var json: String { String(decoding: written, as: UTF8.self) }
}
