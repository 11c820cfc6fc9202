import Bytes
import JSON
import SookeModel

/// An event in a version of the town, with the parts of responses encoded once.
///
/// The members of an event in a response are `head`, its type's `reference`, its coordinates or those of its business,
/// its times, `middle`, and the reference of its business.
package final class EventRecord: Sendable {
    package let value: Event
    package let eventTypeID: Int
    package let businessID: Int?
    /// The members from `id` to `description`, without braces.
    package let head: [UInt8]
    /// The members of its series, from `series_starts_at` on, if it is in one, and `status`, without braces.
    package let middle: [UInt8]
    package let foldedName: [UInt8]
    let startsAt: Timestamp
    private let series: EventSeries?
    private let lazyDigest = LazyDigest()

    /// Nil for an event without start, which validation rejects.
    init?(_ value: Event, eventTypeID: Int, businessID: Int?) {
        guard let startsAt = value.startsAt else { return nil }
        self.value = value
        self.eventTypeID = eventTypeID
        self.businessID = businessID
        self.startsAt = startsAt
        series = value.hasSeries ? EventSeries() : nil
        foldedName = CaseFolding.fold(value.name)
        head = Self.encodeHead(value)
        middle = Self.encodeMiddle(value)
    }

    package var digest: UInt64 { lazyDigest.get { value.digest } }

    package var coordinates: Coordinates? {
        Coordinates(latitude: value.latitude, longitude: value.longitude)
    }

    package static let noBusiness = referenceMembers(of: "business", name: nil, slug: nil)

    private static func encodeHead(_ value: Event) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("id", value.id)
        writer.member("name", value.name)
        writer.member("slug", value.slug.text)
        writer.member("description", value.description)
        return Array(writer.bytes.dropFirst())
    }

    private static func encodeMiddle(_ value: Event) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("all_day", value.allDay)
        if let location = value.location { writer.member("location", location) }
        if let url = value.url { writer.member("url", url) }
        if let organizer = value.organizer { writer.member("organizer", organizer) }
        if let price = value.price { writer.member("price", price) }
        if value.hasSeries {
            writer.member("series_starts_at", value.startsAt)
            writer.member("series_ends_at", value.endsAt)
            writer.member("series_starts_local", value.startsLocal?.text)
            writer.member("series_ends_local", value.endsLocal?.text)
            writer.member("rrule", value.rrule)
            for (name, times) in [("exdates" as StaticString, value.exdates), ("rdates", value.rdates)] {
                writer.key(name)
                times.write(to: &writer)
            }
            writer.key("overrides")
            value.overrides.write(to: &writer)
        }
        writer.member("status", value.status.rawValue)
        if let time = value.withdrawnAt { writer.member("withdrawn_at", time) }
        return Array(writer.bytes.dropFirst())
    }
}

extension EventRecord {
    var isSeries: Bool { series != nil }

    package var single: Occurrence { value.first ?? Occurrence(startsAt: startsAt, endsAt: nil) }

    /// Whether it is at some time: a series may have no date that is left.
    package func hasDates(at clock: EventClock, _ business: BusinessRecord?) -> Bool {
        recurrence(at: clock, business)?.isEmpty != true
    }

    package func recurrence(at clock: EventClock, _ business: BusinessRecord?) -> RecurrenceSeries? {
        series?.recurrence(of: value, in: clock.zone(of: value, at: business), work: clock.work)
    }

    /// The occurrence whose times stand for the event: the only one, or of a series the next one or one in progress,
    /// else the last one.
    package func representative(at clock: EventClock, _ business: BusinessRecord?) -> Occurrence {
        series?.representative(
            of: value, in: clock.zone(of: value, at: business), at: clock.now, work: clock.work) ?? single
    }

    /// The occurrences in a range of an event in a series, by start, cancelled ones included, and whether there are
    /// more; nil when it takes place once.
    package func occurrences(
        in range: Range<Timestamp>, limit: Int, at clock: EventClock, _ business: BusinessRecord?
    ) -> (found: [Occurrence], isCut: Bool)? {
        series?.occurrences(
            of: value, in: clock.zone(of: value, at: business), range, limit: limit, now: clock.now, work: clock.work)
    }

    package func isFuture(at clock: EventClock, in town: Town) -> Bool {
        guard isListed else { return false }
        let business = businessID.flatMap { town.businesses[$0] }
        return representative(at: clock, business).overAt >= clock.now
    }

    /// - Parameter business: finds its business, which an event that takes place once does not need.
    func hasOccurrence(
        in range: Range<Timestamp>, at clock: EventClock, _ business: @autoclosure () -> BusinessRecord?
    ) -> Bool {
        // One that is more than none: a second one may be years away.
        guard isSeries, let (_, hasAny) = occurrences(in: range, limit: 0, at: clock, business()) else {
            return single.isIn(range)
        }
        return hasAny && !clock.work.isBounded
    }

    /// Whether an occurrence is in progress at an instant or begins later; true where that takes too long to find out:
    /// a client would take an event that is missing as deleted.
    package func mayOccur(since moment: Timestamp, at clock: EventClock, _ business: BusinessRecord?) -> Bool {
        hasOccurrence(in: moment..<Timestamp.endOfTime, at: clock, business) || clock.work.isBounded
    }

    var startKey: MomentKey { MomentKey(moment: startsAt, id: value.id) }
}

struct MomentKey: Comparable, Sendable {
    let moment: Timestamp
    let id: Int

    static func < (left: MomentKey, right: MomentKey) -> Bool {
        left.moment == right.moment ? left.id < right.id : left.moment < right.moment
    }

    static func start(of moment: Timestamp) -> MomentKey {
        MomentKey(moment: moment, id: .min)
    }
}
