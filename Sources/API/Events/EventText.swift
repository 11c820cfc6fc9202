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

    func write(_ event: EventRecord, matches: [SearchMatch]? = nil, to writer: inout JSONWriter) {
        writer.beginObject()
        writeMembers(of: event, type: town.eventTypes[event.eventTypeID], at: town.business(of: event), to: &writer)
        if let matches { writer.write(matches, .event) }
        writer.endObject()
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
        let shown = event.representative(at: clock, business)
        writer.member("starts_at", shown.startsAt)
        writer.member("ends_at", shown.endsAt)
        // The names in newer versions of the app, which require an end for each event.
        writer.member("start_time", shown.startsAt)
        writer.member("end_time", shown.effectiveEnd)
        writer.members { $0.append(contentsOf: event.middle) }
        writer.members { $0.append(contentsOf: business?.reference ?? EventRecord.noBusiness) }
        if hasReason, let text = event.value.reason { writer.member("reason", text) }
        if let range, let (found, isCut) = event.occurrences(in: range, limit: limit, at: clock, business) {
            write(found, of: event.value.status, to: &writer)
            writer.member("has_more_occurrences", isCut)
        }
    }

    /// Of an event that is cancelled all are.
    private func write(_ occurrences: [Occurrence], of status: Event.Status, to writer: inout JSONWriter) {
        writer.key("occurrences")
        writer.beginArray()
        for occurrence in occurrences {
            writer.beginObject()
            writer.member("starts_at", occurrence.startsAt)
            writer.member("ends_at", occurrence.endsAt)
            writer.member("status", (occurrence.isCancelled ? .cancelled : status).rawValue)
            writer.member("original_starts_at", occurrence.isMoved ? occurrence.original : nil)
            writer.endObject()
        }
        writer.endArray()
    }
}

extension JoinedEvent {
    /// The event, as in the response to a read by the caller at this time.
    func body(for call: Call) -> [UInt8] {
        body(for: call, range: call.now..<Timestamp.endOfCalendar, limit: EventRange.mostOccurrencesByDefault)
    }

    func body(for call: Call, range: Range<Timestamp>, limit: Int) -> [UInt8] {
        let text = EventText(
            town: call.town, clock: call.eventClock, range: range, limit: limit, hasReason: !record.isPublic)
        var writer = JSONWriter(reservingCapacity: 1024)
        writer.beginObject()
        text.writeMembers(of: record, type: type, at: business, to: &writer)
        writer.endObject()
        return writer.bytes
    }
}
