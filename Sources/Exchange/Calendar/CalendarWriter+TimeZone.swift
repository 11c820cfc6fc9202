import Bytes
import SookeModel

extension CalendarWriter {
    /// Writes a `VTIMEZONE` (RFC 5545, section 3.6.5) that is right from one moment on.
    ///
    /// - Parameter end: how far changes are listed that do not follow a yearly rule.
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
