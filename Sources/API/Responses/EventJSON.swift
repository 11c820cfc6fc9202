import Bytes
import JSON
import SookeModel
import Store

extension [UInt8] {
    /// Appends an event as in responses; without coordinates of its own it has those of its business.
    ///
    /// - Parameter reason: whether to include the reason of a rejection, which is not public.
    mutating func append(_ event: EventRecord, in community: Community, reason: Bool = false) {
        append(
            event, type: community.eventTypes[event.eventTypeID],
            at: event.businessID.flatMap { community.businesses[$0] }, reason: reason)
    }

    fileprivate mutating func append(
        _ event: EventRecord, type: TermRecord<EventTypeVocabulary>?, at business: BusinessRecord?, reason: Bool
    ) {
        append(contentsOf: event.head)
        if let type { append(contentsOf: type.reference) }
        append(event.coordinates ?? business?.coordinates)
        append(contentsOf: event.middle)
        append(contentsOf: business?.reference ?? EventRecord.noBusiness)
        if reason, let text = event.value.reason {
            append(",\"reason\":")
            append(json: text)
        }
        append("}")
    }

    private mutating func append(_ coordinates: Coordinates?) {
        append(",\"latitude\":")
        append(degrees: coordinates?.latitude)
        append(",\"longitude\":")
        append(degrees: coordinates?.longitude)
    }

    private mutating func append(degrees: Double?) {
        if let degrees { append(json: degrees) } else { append("null") }
    }
}

extension Call {
    /// An event, as in the response to a read by the caller at this time.
    func detail(
        of event: EventRecord, type: TermRecord<EventTypeVocabulary>?, at business: BusinessRecord?
    ) -> [UInt8] {
        var body: [UInt8] = []
        body.append(event, type: type, at: business, reason: !event.value.status.isPublic)
        return body
    }
}
