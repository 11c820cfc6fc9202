import Bytes
import JSON
import SookeModel
import Store

/// An event for search engines: schema.org's Event, as JSON-LD.
enum EventData {
    static func of(_ event: EventRecord, _ shown: Occurrence, _ view: View) -> HTML {
        let value = event.value
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("@context", "https://schema.org")
        writer.member("@type", "Event")
        writer.member("url", view.frame.url + Link.path(event: value.slug))
        writer.member("name", value.name)
        if let text = value.description.shown { writer.member("description", text) }
        writer.member("startDate", view.words.rfc3339(shown.startsAt))
        if let end = shown.endsAt { writer.member("endDate", view.words.rfc3339(end)) }
        let isCancelled = value.status == .cancelled || shown.isCancelled
        writer.member("eventStatus", "https://schema.org/" + (isCancelled ? "EventCancelled" : "EventScheduled"))
        writer.member("eventAttendanceMode", "https://schema.org/OfflineEventAttendanceMode")
        writer.key("location")
        writer.beginObject()
        writer.member("@type", "Place")
        let listed = view.place(of: event)
        writer.member("name", listed?.name ?? view.frame.town)
        writer.member("address", listed?.value.address ?? view.frame.town)
        if let place = event.coordinates ?? listed?.coordinates { BusinessData.write(place, &writer) }
        writer.endObject()
        writer.endObject()
        return .data(writer.bytes)
    }
}

extension Words {
    /// A moment with the offset of the town's clocks, as search engines want it.
    func rfc3339(_ moment: Timestamp) -> String {
        let offset = zone.offset(at: moment)
        let local = Timestamp(clampingSeconds: moment.seconds + offset)
        let minutes = abs(offset) / 60
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let text = local.rfc3339.prefix(19)
        return "\(text)\(offset < 0 ? "-" : "+")\(two(minutes / 60)):\(two(minutes % 60))"
    }
}
