import Bytes
import HTTP
import SookeModel
import Store

package struct EventRange: Sendable {
    /// An occurrence is in it when it begins in it or is in progress at its start.
    package let range: Range<Timestamp>
    /// The last time when the same request means the same range.
    package let until: Timestamp

    package static let mostOccurrences = 100
    /// Writing one takes about a microsecond.
    package static let mostOccurrencesOfPage = 1_200
    /// Without a range.
    package static let mostOccurrencesByDefault = 10
}

extension Call {
    package func eventRange() throws(HTTPError) -> EventRange? {
        let (from, to) = (try momentOrDate("from"), try momentOrDate("to"))
        if let when = try parameter("when") {
            guard from == nil, to == nil else {
                throw .invalidParameter("when cannot be together with from or to; leave one of them out")
            }
            return try eventRange(when)
        }
        guard from != nil || to != nil else { return nil }
        let start = from?.first ?? now
        guard let end = to?.end else {
            return EventRange(range: start..<Timestamp.endOfCalendar, until: .endOfTime)
        }
        guard start < end else {
            let name = from == nil ? "now, because there is no from" : "from"
            throw .invalidParameter("to must be later than \(name)")
        }
        return EventRange(range: start..<end, until: from == nil ? end.justBefore : .endOfTime)
    }

    /// `weekend` is from Saturday to Sunday, the present one on these days; `week` is seven days from today on. They
    /// are in the town's time zone, without what is over already.
    private func eventRange(_ when: String) throws(HTTPError) -> EventRange {
        let today = townZone.localDate(at: now).date
        func start(in days: Int) -> Timestamp { townZone.start(of: today.advanced(by: days)) }
        let days: Range<Int>
        switch when {
        case "today": days = 0..<1
        case "week": days = 0..<7
        // On a Sunday it began the day before.
        case "weekend": days = today.dayOfWeek == 0 ? 0..<1 : (6 - today.dayOfWeek)..<(8 - today.dayOfWeek)
        default: throw .invalidParameter("when is one of today, weekend, week, not \"\(when.excerpt())\"")
        }
        let first = max(now, start(in: days.lowerBound))
        return EventRange(
            range: first..<max(first, start(in: days.upperBound)), until: start(in: 1).justBefore)
    }

    private func momentOrDate(_ name: String) throws(HTTPError) -> (first: Timestamp, end: Timestamp)? {
        guard let text = try parameter(name) else { return nil }
        if let moment = Timestamp(query: text) { return (moment, moment) }
        guard let date = CivilDate(text) else {
            throw .invalidParameter(
                "\(name) is a date like 2026-12-24 or a date and time like 2026-12-24T19:00:00-08:00, not"
                    + " \"\(text.excerpt())\"")
        }
        return (townZone.start(of: date), townZone.start(of: date.advanced(by: 1)))
    }
}

extension Call {
    package var visibleBusinesses: VisibleBusinesses { caller.visibleBusinesses(in: town) }

    package func eventQuery(in range: Range<Timestamp>?) throws(HTTPError) -> EventQuery {
        let types = try eventTypes()
        var query = EventQuery(
            search: try parameter("search"), eventTypes: types.isEmpty ? nil : types,
            business: try parameter("business").map(Slug.init(_:)), range: range, clock: eventClock)
        query.visible = visibleBusinesses
        (query.near, query.box) = (try near(), try boundingBox())
        query.series = version.upcomingSeries(at: query.clock)
        return query
    }

    /// From `event_type` or the app's newer name for it, `type`. An empty `event_type` is a type that no event has; an
    /// empty `type` counts as absent, like other parameters.
    package func eventTypes() throws(HTTPError) -> [Slug] {
        let names = try values("event_type") + values("type").filter { !$0.isEmpty }
        return names.map(Slug.init(_:))
    }
}

extension Timestamp {
    fileprivate var justBefore: Timestamp { Timestamp(microseconds: microseconds - 1) }
}
