import Bytes
import SookeModel
import Store

/// The events of a town as an iCalendar (RFC 5545), in parts. The same events in the same version give the same bytes.
package struct CalendarFeed: Sendable {
    private(set) var clock: EventClock
    let url: String
    let host: String
    let visible: VisibleBusinesses
    private let name: String
    private let town: Town
    private let events: [EventRecord]
    private let since: Timestamp?
    private var nextIndex = 0
    private var isBegun = false
    private var isEnded = false

    /// In bytes.
    private static let partSize = 32 * 1024
    private static let mostChanges = 500
    private static let mostEvents = 128
    private static let refresh = "PT1H"

    /// - Parameter url: the web address of the town, without a trailing slash.
    package init(
        _ events: [EventRecord], since: Timestamp? = nil, in town: Town,
        among visible: VisibleBusinesses = .listed, at clock: EventClock, name: String, url: String
    ) {
        (self.events, self.since, self.town, self.clock) = (events, since, town, clock)
        (self.visible, self.name, self.url) = (visible, name, url)
        let authority = url.split(separator: "/", omittingEmptySubsequences: true).dropFirst().first ?? "localhost"
        host = String(authority.prefix { $0 != ":" })
    }

    /// Nil after the last part. No part takes longer than a list page.
    package mutating func next() -> [UInt8]? {
        if isEnded { return nil }
        var writer = CalendarWriter()
        if !isBegun {
            begin(&writer)
            isBegun = true
        }
        clock = clock.renewed()
        var changes = 0
        let end = min(events.count, nextIndex + Self.mostEvents)
        while nextIndex < end, writer.bytes.count < Self.partSize, changes < Self.mostChanges, clock.work.hasLeft {
            let event = JoinedEvent(events[nextIndex], in: town)
            nextIndex += 1
            guard since.map({ event.record.mayOccur(since: $0, at: clock, event.business) }) ?? true else { continue }
            writer.event(event, in: self)
            changes += event.record.value.overrides.count
        }
        if nextIndex == events.count {
            writer.line("END", "VCALENDAR")
            isEnded = true
        }
        return writer.bytes
    }

    private func begin(_ writer: inout CalendarWriter) {
        writer.line("BEGIN", "VCALENDAR")
        writer.line("VERSION", "2.0")
        writer.line("PRODID", "-//Sooke//Sooke//EN")
        writer.line("CALSCALE", "GREGORIAN")
        writer.text("NAME", name)
        writer.text("X-WR-CALNAME", name)
        writer.line("REFRESH-INTERVAL;VALUE=DURATION", Self.refresh)
        writer.line("X-PUBLISHED-TTL", Self.refresh)
        for (zone, start) in zones.values.sorted(by: { $0.zone.name < $1.zone.name }) {
            writer.timeZone(zone, from: start, to: clock.now.advanced(bySeconds: 20 * 366 * 86_400))
        }
    }

    private var zones: [String: (zone: TimeZone, start: Timestamp)] {
        var found: [String: (zone: TimeZone, start: Timestamp)] = [:]
        for event in events where !event.value.allDay {
            let business = town.business(of: event)
            guard let start = event.value.startsAt else { continue }
            let zone = clock.zone(of: event.value, at: business)
            // Added and moved occurrences may come before the start.
            let others = event.value.rdates + event.value.overrides.compactMap(\.startsLocal)
            let first = others.map(zone.instant).reduce(start, min)
            found[zone.name] = (zone, min(first, found[zone.name]?.start ?? first))
        }
        return found
    }
}
