import Bytes
import Foundation
import SookeModel
import Store
import TestSupport
import Testing

@testable import Exchange

/// The calendar of a town, read again, has its events.
@Suite struct CalendarRoundTripTests {
    private static let home = "America/Vancouver"
    private static let zones: [String: SookeModel.TimeZone] = {
        let others: [String: TZifFixture] = [
            "America/New_York": .rule("EST5EDT,M3.2.0,M11.1.0"), "UTC": .rule("UTC0"),
        ]
        return Dictionary(
            uniqueKeysWithValues: TZifFixture.zones.merging(others) { first, _ in first }.compactMap { name, fixture in
                (try? TZifReader.read(fixture.bytes, name: name)).map { (name, $0) }
            })
    }()

    private static func clock() throws -> EventClock {
        let now = try #require(Timestamp(rfc3339: "2026-11-24T12:00:00Z"))
        return EventClock(now: now, zone: try #require(zones[home])) { zones[$0] }
    }

    /// The events of a town, as the calendar of all of them is read.
    private func reread(_ community: Town) throws -> [CalendarEntry] {
        let events = Event.all(in: community).compactMap { Event.stored($0.id, in: community) }
        var feed = CalendarFeed(
            events, in: community, at: try Self.clock(), name: "Events", url: "https://town.example")
        var bytes: [UInt8] = []
        while let part = feed.next() { bytes += part }
        return CalendarReader.read(bytes).entries
    }

    @Test func theTown() throws {
        var town = TestTown()
        try town.take(try SampleTests.files("data/sooke.json", "data/events.csv"))
        let home = try #require(Self.zones[Self.home])
        let entries = try reread(town.town)
        let events = Array(Event.all(in: town.town))
        #expect(entries.count == events.count)
        for (event, entry) in zip(events, entries) {
            #expect(entry.slugInURL == event.slug)
            #expect(entry.ignored.isEmpty)
            let read = try entry.patch(slug: entry.slugInURL, business: event.business, in: home) { Self.zones[$0] }
            #expect(read.applied(to: event) == read.values.merged(into: event))
            #expect(read.values.shown == event.shown)
            let place = event.business.flatMap { town.town.businesses[$0]?.value }
            let coordinates = Coordinates(
                latitude: place?.latitude ?? event.latitude, longitude: place?.longitude ?? event.longitude)
            #expect(entry.coordinates == coordinates)
            #expect(entry.location == place.map { "\($0.name), \($0.address)" })
            #expect(entry.categories == town.town.eventTypes[event.eventType].map { [$0.value.name] })
        }
        #expect(events.contains { !$0.overrides.isEmpty })
    }

    @Test(arguments: 0..<3) func randomSeries(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        let home = try #require(Self.zones[Self.home])
        let file = ProjectFolder.file("Tests/Generators/Recurrence/rules.tsv")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        var transaction = WriteTransaction(Town(), at: try Self.clock().now)
        var type = Patch<EventType>()
        (type.values.name, type.fields) = ("Fairs", ["name"])
        try transaction.create(type)
        for line in lines {
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard let zone = Self.zones[cells[0]], let event = random.event(cells, in: zone) else { continue }
            var patch = Patch<Event>()
            (patch.values, patch.fields) = (event, .all.subtracting(["id", "former_slugs", "pending_slug", "reason"]))
            _ = try? transaction.create(patch)
        }
        let events = Array(Event.all(in: transaction.town))
        #expect(events.count > 100)
        let entries = try reread(transaction.town)
        try #require(entries.count == events.count)
        var changed = 0
        for (event, entry) in zip(events, entries) {
            let read = try entry.patch(slug: entry.slugInURL, in: home) { Self.zones[$0] }.values
            let zone = try #require(Self.zones[event.timeZone ?? Self.home])
            let start = try #require(event.startsAt)
            let range = start..<start.advanced(bySeconds: 4 * 366 * 86_400)
            let expected = try #require(event.recurrence(in: zone)).occurrences(in: range, limit: 50).found
            let found = try #require(read.recurrence(in: Self.zones[read.timeZone ?? Self.home] ?? home))
                .occurrences(in: range, limit: 50).found
            let difference = zip(expected, found).first { $0 != $1 }
            #expect(
                found.count == expected.count && difference == nil,
                "\(event.rrule ?? "") from \(start.rfc3339) in \(zone.name): \(String(describing: difference))")
            #expect(read.exdates == event.exdates && read.rdates == event.rdates && read.timeZone == event.timeZone)
            #expect(read.overrides == event.overrides)
            let rules = [event, read].map { event in
                event.rrule.flatMap { try? RecurrenceRule($0) }?.explicit(
                    from: zone.localDate(at: start).date, in: zone)
            }
            #expect(rules[0] == rules[1])
            if !event.overrides.isEmpty { changed += 1 }
        }
        #expect(changed > 20)
    }
}

extension Event {
    /// What a calendar shows of it.
    fileprivate var shown: Event {
        var event = self
        (event.id, event.eventType, event.submittedBy, event.times) = (0, Slug(""), nil, RecordTimes())
        (event.formerSlugs, event.pendingSlug) = ([], nil)
        if event.status == .pendingReview { event.status = .draft }
        return event
    }

    /// The same with what a calendar does not show of another.
    fileprivate func merged(into other: Event) -> Event {
        var event = self
        (event.id, event.eventType, event.submittedBy) = (other.id, other.eventType, other.submittedBy)
        (event.times, event.formerSlugs, event.pendingSlug) = (other.times, other.formerSlugs, other.pendingSlug)
        return event
    }
}

extension SplitMix64 {
    /// A random series by a line of `Tests/Generators/Recurrence/rules.tsv`: zone, start on the clocks, rule. Nil when it has no
    /// occurrence, or one whose time the clocks skip or show twice, which a calendar cannot tell.
    fileprivate mutating func event(_ cells: [String], in zone: SookeModel.TimeZone) -> Event? {
        guard let local = Timestamp(rfc3339: cells[1] + "Z") else { return nil }
        var event = Event()
        let start = zone.moment(of: local.civil.date, secondsOfDay: local.civil.microseconds / 1_000_000)
        (event.name, event.eventType, event.status) = ("Fair", Slug("fairs"), pick([.approved, .approved, .cancelled]))
        event.startsAt = start
        if below(3) > 0 { event.endsAt = start.advanced(bySeconds: 900 * (1 + below(30))) }
        event.rrule = cells[2]
        event.timeZone = zone.name == "America/Vancouver" ? nil : zone.name
        guard let series = event.recurrence(in: zone), let first = series.firstOfRule, zone.isClear(first),
            zone.localDate(at: first).secondsOfDay == zone.localDate(at: start).secondsOfDay
        else { return nil }
        let range = start..<start.advanced(bySeconds: 4 * 366 * 86_400)
        for occurrence in series.occurrences(in: range, limit: 20).found where zone.isClear(occurrence.startsAt) {
            switch below(8) {
            case 0: event.exdates.append(occurrence.startsAt)
            case 1:
                let row = change(of: occurrence, in: zone)
                // A calendar of a cancelled event does not tell which occurrences were cancelled before.
                if event.status == .approved || !row.isCancelled { event.overrides.append(row) }
            default: break
            }
        }
        for _ in 0..<below(3) {
            let added = start.advanced(bySeconds: 900 * below(100_000))
            if zone.isClear(added), !event.rdates.contains(added) { event.rdates.append(added) }
        }
        return event.recurrence(in: zone) == nil ? nil : event
    }

    private mutating func change(
        of occurrence: Occurrence, in zone: SookeModel.TimeZone
    ) -> EventOverride {
        var row = EventOverride()
        (row.occurrence, row.isCancelled) = (occurrence.startsAt, once(in: 3))
        let moved = occurrence.startsAt.advanced(bySeconds: 60 * (1 + below(5_000)))
        if zone.isClear(moved), once(in: 2) || !row.isCancelled { row.startsAt = moved }
        let end = (row.startsAt ?? occurrence.startsAt).advanced(bySeconds: 60 * (1 + below(10)) + 1)
        if once(in: 3), zone.isClear(end) { row.endsAt = end }
        if row.startsAt == nil, row.endsAt == nil { row.isCancelled = true }
        return row
    }
}

extension SookeModel.TimeZone {
    /// Whether its clocks show the time of an instant once.
    fileprivate func isClear(_ moment: Timestamp) -> Bool {
        let local = localDate(at: moment)
        return timestamps(of: local.date, secondsOfDay: local.secondsOfDay).count == 1
    }
}
