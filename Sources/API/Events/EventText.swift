import Bytes
import Dispatcher
import Service
import SookeModel
import Store

/// Events in responses.
struct EventText {
    let town: Town
    let clock: EventClock
    /// The requested range, whose occurrences are shown; nil for none.
    var range: Range<Timestamp>?
    var limit = EventRange.mostOccurrences
    /// Whether to include the reason of a rejection, which is not public.
    var hasReason = false

    func append(_ event: EventRecord, to body: inout [UInt8]) {
        append(
            event, type: town.eventTypes[event.eventTypeID], at: town.business(of: event), to: &body)
    }

    /// Appends an event; without coordinates of its own it has those of its business.
    func append(
        _ event: EventRecord, type: TermRecord<EventTypeVocabulary>?, at business: BusinessRecord?,
        to body: inout [UInt8]
    ) {
        body.append(contentsOf: event.head)
        if let type { body.append(contentsOf: type.reference) }
        body.append(event.coordinates ?? business?.coordinates)
        body.append(timesOf: event.representative(at: clock, business))
        body.append(contentsOf: event.middle)
        body.append(contentsOf: business?.reference ?? EventRecord.noBusiness)
        if hasReason, let text = event.value.reason {
            body.append(",\"reason\":")
            body.append(json: text)
        }
        if let range, let (found, isCut) = event.occurrences(in: range, limit: limit, at: clock, business) {
            body.append(occurrences: found, of: event.value.status)
            body.append(isCut ? ",\"has_more_occurrences\":true" : ",\"has_more_occurrences\":false")
        }
        body.append("}")
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ coordinates: Coordinates?) {
        append(",\"latitude\":")
        append(degrees: coordinates?.latitude)
        append(",\"longitude\":")
        append(degrees: coordinates?.longitude)
    }

    private mutating func append(degrees: Double?) {
        if let degrees { append(json: degrees) } else { append("null") }
    }

    /// Appends `starts_at` and `ends_at`, and their names in newer versions of the app, which require an end for each
    /// event.
    fileprivate mutating func append(timesOf occurrence: Occurrence) {
        append(",\"starts_at\":")
        append(moment: occurrence.startsAt)
        append(",\"ends_at\":")
        append(moment: occurrence.endsAt)
        append(",\"start_time\":")
        append(moment: occurrence.startsAt)
        append(",\"end_time\":")
        append(moment: occurrence.effectiveEnd)
    }

    /// Appends `occurrences`: of an event that is cancelled all are.
    fileprivate mutating func append(occurrences: [Occurrence], of status: Event.Status) {
        append(",\"occurrences\":[")
        for (index, occurrence) in occurrences.enumerated() {
            append(index == 0 ? "{\"starts_at\":" : ",{\"starts_at\":")
            append(moment: occurrence.startsAt)
            append(",\"ends_at\":")
            append(moment: occurrence.endsAt)
            append(",\"status\":\"")
            append(utf8: (occurrence.isCancelled ? .cancelled : status).rawValue)
            append("\",\"original_starts_at\":")
            append(moment: occurrence.isMoved ? occurrence.original : nil)
            append("}")
        }
        append("]")
    }

    private mutating func append(moment: Timestamp?) {
        guard let moment else { return append("null") }
        append("\"")
        append(rfc3339: moment)
        append("\"")
    }
}

extension JoinedEvent: RepresentedRecord {
    /// The event, as in the response to a read by the caller at this time.
    func body(for call: Call) -> [UInt8] {
        body(for: call, range: call.now..<Timestamp.endOfCalendar, limit: EventRange.mostOccurrencesByDefault)
    }

    /// The same, with the occurrences in a range.
    func body(for call: Call, range: Range<Timestamp>, limit: Int) -> [UInt8] {
        var body: [UInt8] = []
        EventText(
            town: call.town, clock: call.eventClock, range: range, limit: limit,
            hasReason: !record.isPublic
        ).append(record, type: type, at: business, to: &body)
        return body
    }
}
