import Bytes
import SookeModel
import Store

/// Writes content lines (RFC 5545, section 3.1).
struct CalendarWriter {
    private(set) var bytes: [UInt8] = []

    private static let lineLength = 75

    mutating func line(_ name: String, _ value: String) {
        append(Array("\(name):\(value)".utf8))
    }

    /// Special characters are escaped (section 3.3.11).
    mutating func text(_ name: String, _ value: String) { texts(name, [value]) }

    mutating func texts(_ name: String, _ values: [String]) {
        var line = Array("\(name):".utf8)
        for (index, value) in values.enumerated() {
            if index > 0 { line.append(",") }
            line.append(calendarText: value)
        }
        append(line)
    }

    mutating func component(_ name: String, _ lines: (inout CalendarWriter) -> Void) {
        line("BEGIN", name)
        lines(&self)
        line("END", name)
    }

    /// Folds it: each further part begins with a space. A character is never divided.
    private mutating func append(_ line: [UInt8]) {
        var rest = line[...]
        var room = Self.lineLength
        while rest.count > room {
            var end = rest.startIndex + room
            while rest[end] & 0xC0 == 0x80 { end -= 1 }
            bytes += rest[..<end]
            bytes.append("\r\n ")
            rest = rest[end...]
            room = Self.lineLength - 1
        }
        bytes += rest
        bytes.append("\r\n")
    }
}

extension [UInt8] {
    fileprivate mutating func append(calendarText text: String) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\\"), UInt8(ascii: ";"), UInt8(ascii: ","):
                append(UInt8(ascii: "\\"))
                append(byte)
            case ASCII.lineFeed: append("\\n")
            // Control characters are not allowed; the line feed represents a line end of Windows too.
            case 0..<0x20 where byte != 0x09, 0x7F: break
            default: append(byte)
            }
        }
    }
}

extension TimeZone {
    /// `20261124T190000`.
    func localText(_ moment: Timestamp) -> String {
        let (date, seconds) = localDate(at: moment)
        return "\(date.basicText)T\(Timestamp.basicClock(seconds))"
    }
}

extension CalendarWriter {
    /// Section 3.6.5. Changes that do not follow a yearly rule are listed until `end`.
    mutating func timeZone(_ zone: TimeZone, from start: Timestamp, to end: Timestamp) {
        component("VTIMEZONE") { writer in
            writer.text("TZID", zone.name)
            for observance in zone.observances(from: start, to: end) { writer.observance(observance) }
        }
    }

    private mutating func observance(_ observance: TimeZone.Observance) {
        component(observance.isDaylight ? "DAYLIGHT" : "STANDARD") { writer in
            // On the clocks before the change.
            let clocks = TimeZone(name: "", fixedOffset: observance.offsetBefore)
            writer.line("DTSTART", observance.start.map(clocks.localText) ?? "19700101T000000")
            writer.line("TZOFFSETFROM", Self.offset(observance.offsetBefore))
            writer.line("TZOFFSETTO", Self.offset(observance.offset))
            if let date = observance.yearly {
                var rule = RecurrenceRule(.yearly)
                rule.months = [date.month]
                rule.weekdays = [.init(date.dayOfWeek, ordinal: date.ordinal)]
                writer.line("RRULE", rule.text)
            }
        }
    }

    /// `+HHMM`, or `+HHMMSS` with seconds, which local mean times have.
    private static func offset(_ seconds: Int) -> String {
        let clock = Timestamp.basicClock(abs(seconds))
        return (seconds < 0 ? "-" : "+") + (clock.hasSuffix("00") ? String(clock.dropLast(2)) : clock)
    }
}

extension CalendarWriter {
    /// Section 3.6.1: also one `VEVENT` for each occurrence of its series that is moved or cancelled.
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
        line("DTSTAMP", (event.times.updated ?? event.startsAt ?? Timestamp.epoch).basicText)
        if let created = event.times.created { line("CREATED", created.basicText) }
        if let updated = event.times.updated { line("LAST-MODIFIED", updated.basicText) }
    }

    private mutating func times(_ occurrence: Occurrence, _ form: Form) {
        let start = form(occurrence.startsAt)
        line("DTSTART" + start.parameter, start.value)
        if let end = occurrence.endsAt.map(form) { line("DTEND" + end.parameter, end.value) }
    }

    /// The first one must be an occurrence, which the start of an event need not be.
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
        line("URL", "\(feed.url)/events/\(PercentCoding.encode(value.slug.text.utf8))")
        switch value.status {
        case .approved: line("STATUS", isCancelled ? "CANCELLED" : "CONFIRMED")
        case .draft, .pendingReview: line("STATUS", "TENTATIVE")
        case .cancelled, .rejected: line("STATUS", "CANCELLED")
        }
    }
}
