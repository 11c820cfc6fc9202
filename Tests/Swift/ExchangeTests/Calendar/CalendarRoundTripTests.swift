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
