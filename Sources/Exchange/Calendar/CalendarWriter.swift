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
            let start = observance.start.map { $0.advanced(bySeconds: observance.offsetBefore) } ?? Timestamp.epoch
            writer.line("DTSTART", LocalTime(clock: start).basicText)
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
    /// Section 3.6.1: also one `VEVENT` for each occurrence of its series that is moved, cancelled or renamed.
    mutating func event(_ event: JoinedEvent, in feed: CalendarFeed) {
        let (record, value) = (event.record, event.record.value)
        let form = TimeForm(zone: feed.clock.zone(of: value, at: event.business), isDay: value.allDay)
        guard let series = record.recurrence(at: feed.clock, event.business) else {
            return component("VEVENT") { writer in
                writer.identity(of: value, in: feed)
                writer.times(from: value.startsLocal, to: value.endsLocal, form)
                writer.rest(of: event, nil, in: feed)
            }
        }
        if series.isEmpty { return }
        component("VEVENT") { writer in
            writer.identity(of: value, in: feed)
            writer.series(value, series, form)
            writer.rest(of: event, nil, in: feed)
        }
        for occurrence in series.changed {
            guard let change = value.override(of: occurrence), let original = change.occurrence else { continue }
            component("VEVENT") { writer in
                writer.identity(of: value, in: feed)
                writer.time("RECURRENCE-ID", original, form)
                writer.times(
                    from: form.zone.localStart(of: occurrence), to: form.zone.localEnd(of: occurrence), form)
                writer.rest(of: event, change, in: feed)
            }
        }
    }

    private struct TimeForm {
        let zone: TimeZone
        let isDay: Bool

        func local(_ moment: Timestamp) -> LocalTime {
            let time = zone.localTime(at: moment)
            return isDay ? time.withoutTime : time
        }
    }

    private mutating func identity(of event: Event, in feed: CalendarFeed) {
        line("UID", "event-\(event.id)@\(feed.host)")
        // Without a method, the time of the last change (section 3.8.7.2).
        line("DTSTAMP", (event.times.updated ?? event.startsAt ?? Timestamp.epoch).basicText)
        if let created = event.times.created { line("CREATED", created.basicText) }
        if let updated = event.times.updated { line("LAST-MODIFIED", updated.basicText) }
    }

    /// The second of two times that clocks show, which has no local form, is an instant.
    private mutating func time(_ name: String, _ time: LocalTime, _ form: TimeForm) {
        let instant = form.zone.instant(of: time)
        if time.isDate {
            line(name + ";VALUE=DATE", time.basicText)
        } else if time.offset != nil, form.zone.instant(of: time.withoutOffset) != instant {
            line(name, instant.basicText)
        } else {
            line("\(name);TZID=\(form.zone.name)", time.withoutOffset.basicText)
        }
    }

    /// The end of whole days is the day after them.
    private mutating func times(from start: LocalTime?, to end: LocalTime?, _ form: TimeForm) {
        guard let start else { return }
        time("DTSTART", start, form)
        if start.isDate {
            time("DTEND", LocalTime((end ?? start).date.advanced(by: 1)), form)
        } else if let end {
            time("DTEND", end, form)
        }
    }

    /// The first one must be an occurrence, which the start of an event need not be.
    private mutating func series(_ event: Event, _ series: RecurrenceSeries, _ form: TimeForm) {
        guard let stored = event.startsLocal else { return }
        let first = series.firstOfRule ?? form.zone.instant(of: stored)
        let start = form.local(first) == stored.withoutOffset ? stored : form.local(first)
        let days = start.date.daysSinceEpoch - stored.date.daysSinceEpoch
        let end = event.endsLocal.map { end in
            let date = end.date.advanced(by: days)
            return days == 0 ? end : end.isDate ? LocalTime(date) : LocalTime(date, secondsOfDay: end.secondsOfDay)
        }
        times(from: start, to: end, form)
        if let rule = event.rrule.flatMap({ try? RecurrenceRule($0) }) {
            line("RRULE", rule.explicit(from: stored.date, in: series.zone, wholeDays: event.allDay).text)
        }
        for time in event.exdates { self.time("EXDATE", time, form) }
        for time in event.rdates { self.time("RDATE", time, form) }
    }

    private mutating func rest(of event: JoinedEvent, _ change: EventOverride?, in feed: CalendarFeed) {
        let value = event.record.value
        text("SUMMARY", change?.name ?? value.name)
        if let description = change?.description ?? value.description, !description.isEmpty {
            text("DESCRIPTION", description)
        }
        place(of: event, change?.location ?? value.location, in: feed)
        if let place = event.record.coordinates ?? event.business?.coordinates {
            line("GEO", "\(place.latitude);\(place.longitude)")
        }
        if let type = event.type?.value { texts("CATEGORIES", [type.name]) }
        let page = "\(feed.url)/events/\(PercentCoding.encode(value.slug.text.utf8))"
        line("URL", value.url ?? page)
        line("X-SOOKE-PAGE", page)
        if let price = value.price { text("X-SOOKE-PRICE", price) }
        // Dates have none, and that of a time may be that of its business.
        if let zone = value.timeZone { text("X-SOOKE-ZONE", zone) }
        if let name = event.host?.name ?? value.organizer {
            line("ORGANIZER;CN=\"\(Self.parameter(name))\"", page)
        }
        if let host = value.host { text("X-SOOKE-HOST", host.text) }
        switch value.status {
        case _ where change?.isCancelled == true || value.withdrawnAt != nil: line("STATUS", "CANCELLED")
        case .approved: line("STATUS", "CONFIRMED")
        case .draft, .pendingReview: line("STATUS", "TENTATIVE")
        case .cancelled, .rejected: line("STATUS", "CANCELLED")
        }
    }

    /// A quote and a line end are `^'` and `^n` (RFC 6868).
    private static func parameter(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "^": "^^"
            case "\"": "^'"
            case "\n": "^n"
            case "\0"..." ", "\u{7F}": " "
            default: String(scalar)
            }
        }.joined()
    }

    private mutating func place(of event: JoinedEvent, _ words: String?, in feed: CalendarFeed) {
        var parts = [words].compactMap(\.self)
        if let business = event.business {
            parts.append(business.name)
            let address = feed.visible.contains(business) ? business.addressOrArea : ""
            if !address.isEmpty { parts.append(address) }
            text("X-SOOKE-BUSINESS", business.slug.text)
            if let words { text("X-SOOKE-LOCATION", words) }
        }
        if !parts.isEmpty { text("LOCATION", parts.joined(separator: ", ")) }
    }
}
