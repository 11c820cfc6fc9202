import Bytes
import Dispatcher
import JSON
import Service
import SookeModel
import Store

struct EventText {
    let town: Town
    let clock: EventClock
    var range: Range<Timestamp>?
    var limit = EventRange.mostOccurrences
    var hasReason = false
    /// The date that is shown; nil for the next one.
    var occurrence: Occurrence?

    func write(_ event: EventRecord, matches: [SearchMatch]? = nil, to writer: inout JSONWriter) {
        writer.object { writer in
            writeMembers(of: event, type: town.eventTypes[event.eventTypeID], at: town.business(of: event), to: &writer)
            if let matches { writer.write(matches, .event) }
        }
    }

    /// Without coordinates of its own an event has those of its business.
    func writeMembers(
        of event: EventRecord, type: TermRecord<EventTypeVocabulary>?, at business: BusinessRecord?,
        to writer: inout JSONWriter
    ) {
        writer.members { $0.append(contentsOf: event.head) }
        if let type { writer.members { $0.append(contentsOf: type.reference) } }
        let coordinates = event.coordinates ?? business?.coordinates
        writer.member("latitude", coordinates?.latitude)
        writer.member("longitude", coordinates?.longitude)
        let shown = occurrence ?? event.representative(at: clock, business)
        let zone = clock.zone(of: event.value, at: business)
        writer.member("starts_at", shown.startsAt)
        writer.member("ends_at", shown.endsAt)
        if let start = event.value.startsLocal, !event.value.hasSeries {
            // As it is stored: asking the zone would take longer than the rest of the event.
            write(start, event.value.endsLocal, to: &writer)
        } else {
            write(zone.localStart(of: shown), zone.localEnd(of: shown), to: &writer)
        }
        writer.member("time_zone", zone.name)
        // The names in newer versions of the app, which require an end for each event.
        writer.member("start_time", shown.startsAt)
        writer.member("end_time", shown.effectiveEnd)
        writer.members { $0.append(contentsOf: event.middle) }
        writer.members { $0.append(contentsOf: business?.reference ?? EventRecord.noBusiness) }
        if let slug = event.value.host {
            writer.member("host_name", town.businesses[slug]?.name)
            writer.member("host_slug", slug.text)
        }
        if hasReason, let text = event.value.reason { writer.member("reason", text) }
        if let range, let (found, isCut) = event.occurrences(in: range, limit: limit, at: clock, business) {
            write(found, of: event.value, in: zone, to: &writer)
            writer.member("has_more_occurrences", isCut)
        }
    }

    /// What clocks show; dates of whole days.
    private func write(_ start: LocalTime, _ end: LocalTime?, to writer: inout JSONWriter) {
        writer.key("starts_local")
        start.write(to: &writer)
        writer.key("ends_local")
        end.write(to: &writer)
    }

    /// Of an event that is cancelled all are.
    private func write(_ occurrences: [Occurrence], of event: Event, in zone: TimeZone, to writer: inout JSONWriter) {
        writer.objects("occurrences", occurrences) { occurrence, writer in
            writer.member("starts_at", occurrence.startsAt)
            writer.member("ends_at", occurrence.endsAt)
            write(zone.localStart(of: occurrence), zone.localEnd(of: occurrence), to: &writer)
            writer.member("status", (occurrence.isCancelled ? .cancelled : event.status).rawValue)
            writer.member("original_starts_at", occurrence.isMoved ? occurrence.original : nil)
            if let change = event.override(of: occurrence) {
                if let name = change.name { writer.member("name", name) }
                if let description = change.description { writer.member("description", description) }
                if let location = change.location { writer.member("location", location) }
            }
        }
    }
}

extension JoinedEvent {
    func body(for call: Call) -> [UInt8] {
        body(for: call, range: call.now..<Timestamp.endOfCalendar, limit: EventRange.mostOccurrencesByDefault)
    }

    /// - Parameter occurrence: the date that is shown, without a list of those of a range.
    func body(
        for call: Call, range: Range<Timestamp>? = nil, limit: Int = 0, on occurrence: Occurrence? = nil
    ) -> [UInt8] {
        let text = EventText(
            town: call.town, clock: call.eventClock, range: range, limit: limit, hasReason: !record.isPublic,
            occurrence: occurrence)
        return JSONWriter.object(reservingCapacity: 1024) {
            text.writeMembers(of: record, type: type, at: business, to: &$0)
        }
    }
}
