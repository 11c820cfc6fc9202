import Bytes
import Foundation
import SookeModel

extension EventRecord {
    /// The most occurrences in the detail of an event, as in responses of the server.
    private static let mostOccurrences = 10

    /// The series with the next occurrences, as in the response with the detail of the event.
    func seriesWithOccurrences(at now: Timestamp, in zone: Foundation.TimeZone) -> EventSeries? {
        guard var series, let recurrence = series.recurrence(in: zone, at: now) else { return series }
        let range = now..<max(now, .endOfCalendar)
        let (found, isCut) = recurrence.occurrences(in: range, limit: Self.mostOccurrences)
        series.occurrences = found.map { occurrence in
            EventSeries.Occurrence(
                startsAt: occurrence.startsAt.rfc3339, endsAt: occurrence.endsAt?.rfc3339,
                status: occurrence.isCancelled ? "cancelled" : status,
                originalStartsAt: occurrence.isMoved ? occurrence.original.rfc3339 : nil)
        }
        series.hasMoreOccurrences = isCut
        return series
    }

    /// The times that stand for the event at a moment: of a series, those of the next occurrence or one in progress, else
    /// of the last one, as in the responses of the server.
    ///
    /// - Parameter zone: the zone of a series that has none of its own.
    func times(at now: Timestamp, in zone: Foundation.TimeZone) -> (start: String, end: String) {
        guard let series, let occurrence = series.recurrence(in: zone, at: now)?.representative(at: now) else {
            return (startTime, endTime)
        }
        return (occurrence.startsAt.rfc3339, occurrence.effectiveEnd.rfc3339)
    }
}

extension EventSeries {
    /// The occurrences; nil when the rule is not understood.
    fileprivate func recurrence(in zone: Foundation.TimeZone, at now: Timestamp) -> RecurrenceSeries? {
        var event = Event()
        (event.startsAt, event.rrule) = (Timestamp(rfc3339: startsAt), rule)
        event.endsAt = endsAt.flatMap(Timestamp.init(rfc3339:))
        event.exdates = exdates.compactMap(Timestamp.init(rfc3339:))
        event.rdates = rdates.compactMap(Timestamp.init(rfc3339:))
        event.overrides = overrides.map { row in
            var override = EventOverride()
            (override.occurrence, override.isCancelled) = (Timestamp(rfc3339: row.occurrence), row.isCancelled)
            override.startsAt = row.startsAt.flatMap(Timestamp.init(rfc3339:))
            override.endsAt = row.endsAt.flatMap(Timestamp.init(rfc3339:))
            return override
        }
        guard let start = event.startsAt else { return nil }
        let own = timeZone.flatMap(Foundation.TimeZone.init(identifier:)) ?? zone
        return event.recurrence(in: SookeModel.TimeZone(own, from: min(start, now), years: Self.yearsAhead, after: now))
    }

    /// How far the changes of clocks are known. Later occurrences keep the last offset.
    private static let yearsAhead = 12
}
