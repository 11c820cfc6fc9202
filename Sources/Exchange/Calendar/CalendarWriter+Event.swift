import Bytes
import SookeModel
import Store

extension CalendarWriter {
    /// Writes the `VEVENT` of an event (RFC 5545, section 3.6.1), and one for each occurrence of its series that is
    /// moved or cancelled.
    mutating func event(_ event: JoinedEvent, in feed: CalendarFeed) {
        let record = event.record
        guard let series = record.recurrence(at: feed.clock, event.business) else {
            let shown = record.representative(at: feed.clock, event.business)
            return component("VEVENT") { writer in
                writer.identity(of: record.value, in: feed)
                writer.times(shown) { (parameter: "", value: $0.basicText) }
                writer.rest(of: event, isCancelled: false, in: feed)
            }
        }
        let zone = series.zone
        let parameter = ";TZID=\(zone.name)"
        let local = { (moment: Timestamp) in (parameter: parameter, value: zone.localText(moment)) }
        component("VEVENT") { writer in
            writer.identity(of: record.value, in: feed)
            writer.series(record.value, series, local)
            writer.rest(of: event, isCancelled: false, in: feed)
        }
        for occurrence in series.changed {
            component("VEVENT") { writer in
                writer.identity(of: record.value, in: feed)
                writer.line("RECURRENCE-ID" + parameter, zone.localText(occurrence.original))
                writer.times(occurrence, local)
                writer.rest(of: event, isCancelled: occurrence.isCancelled, in: feed)
            }
        }
    }

    private typealias Form = (Timestamp) -> (parameter: String, value: String)

    private mutating func identity(of event: Event, in feed: CalendarFeed) {
        line("UID", "event-\(event.id)@\(feed.host)")
        // Without a method, the time of the last change (section 3.8.7.2).
        line("DTSTAMP", (event.times.updated ?? event.startsAt ?? Timestamp(seconds: 0)).basicText)
        if let created = event.times.created { line("CREATED", created.basicText) }
        if let updated = event.times.updated { line("LAST-MODIFIED", updated.basicText) }
    }

    private mutating func times(_ occurrence: Occurrence, _ form: Form) {
        let start = form(occurrence.startsAt)
        line("DTSTART" + start.parameter, start.value)
        if let end = occurrence.endsAt.map(form) { line("DTEND" + end.parameter, end.value) }
    }

    /// The times of a series. The first one must be an occurrence, which the start of an event need not be.
    private mutating func series(_ event: Event, _ series: RecurrenceSeries, _ form: Form) {
        guard let stored = event.startsAt else { return }
        let start = series.firstOfRule ?? stored
        let end = event.endsAt.map {
            Timestamp(microseconds: start.microseconds + $0.microseconds - stored.microseconds)
        }
        times(Occurrence(startsAt: start, endsAt: end), form)
        if let rule = event.rrule.flatMap({ try? RecurrenceRule($0) }) {
            line("RRULE", rule.explicit(from: series.zone.localDate(at: stored).date, in: series.zone).text)
        }
        for (name, moments) in [("EXDATE", event.exdates), ("RDATE", event.rdates)] {
            for moment in moments {
                let value = form(moment)
                line(name + value.parameter, value.value)
            }
        }
    }

    private mutating func rest(of event: JoinedEvent, isCancelled: Bool, in feed: CalendarFeed) {
        let value = event.record.value
        text("SUMMARY", value.name)
        if let description = value.description, !description.isEmpty { text("DESCRIPTION", description) }
        if let business = event.business {
            let address = feed.visible.contains(business) ? business.value.address : ""
            text("LOCATION", address.isEmpty ? business.name : "\(business.name), \(address)")
        }
        if let place = event.record.coordinates ?? event.business?.coordinates {
            line("GEO", "\(place.latitude);\(place.longitude)")
        }
        if let type = event.type?.value { texts("CATEGORIES", [type.name]) }
        line("URL", "\(feed.url)/api/v1/events/\(PercentCoding.encode(value.slug.text.utf8))")
        switch value.status {
        case .approved: line("STATUS", isCancelled ? "CANCELLED" : "CONFIRMED")
        case .draft, .pendingReview: line("STATUS", "TENTATIVE")
        case .cancelled, .rejected: line("STATUS", "CANCELLED")
        }
    }
}
