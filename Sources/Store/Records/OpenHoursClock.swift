import Bytes
import SookeModel

/// An instant at which the open states of businesses are evaluated, each in its own time zone.
///
/// Make one for a query: what is the same for all businesses of the town's zone is computed once.
package struct OpenHoursClock: Sendable {
    package let moment: HoursMoment
    /// A number that other clocks of the town do not have: what was computed by them does not count for these.
    package let generation: Int
    private let zone: @Sendable (String) -> TimeZone?

    package init(_ moment: HoursMoment, generation: Int = 0, zone: @escaping @Sendable (String) -> TimeZone?) {
        (self.moment, self.generation, self.zone) = (moment, generation, zone)
    }

    @inline(__always)
    func moment(in name: String?) -> HoursMoment? {
        guard let name else { return moment }
        return zone(name).map { HoursMoment(at: moment.timestamp, in: $0, moment.holidays) }
    }
}

/// The time in a response with businesses, and what else of the town they depend on.
package struct ListTime: Sendable {
    package let clock: OpenHoursClock
    /// Today, for the hours of today (0 is Sunday).
    package let dayOfWeek: Int
    /// Where businesses without a location are shown.
    package let center: Coordinates?
    /// The last instant at which the response is the same, as far as it depends on this.
    package var validUntil: Timestamp

    package init(_ clock: OpenHoursClock, dayOfWeek: Int, center: Coordinates? = nil, validUntil: Timestamp) {
        (self.clock, self.dayOfWeek, self.center, self.validUntil) = (clock, dayOfWeek, center, validUntil)
    }
}

/// What is open, and for how long that is the same unless the town changes.
package struct OpenNow: Sendable {
    /// By name.
    package private(set) var businesses: [BusinessRecord] = []
    /// Those of them whose hours say nothing of the holiday on which they are usually open.
    package private(set) var unconfirmed: [BusinessRecord] = []
    package private(set) var holidays: Set<String> = []
    /// Until something opens or closes, or a day ends.
    package let time: Range<Timestamp>
    package let (ids, unconfirmedIDs, confirmedIDs): (Set<Int>, Set<Int>, Set<Int>)
    /// What is surely open first, then by name; all of them, and by their kinds.
    package let ranked: [BusinessRecord]
    package let byKind: [PlaceKind: [BusinessRecord]]
    /// How many listed businesses were confirmed in the seven days before.
    package private(set) var confirmedInWeek = 0

    package init(in town: Town, at clock: OpenHoursClock) {
        var minutes = clock.moment.minutesOfPeriod
        let weekAgo = clock.moment.timestamp.advanced(bySeconds: -7 * 86_400)
        for business in town.listedBusinesses {
            if let confirmed = business.confirmedAt, confirmed >= weekAgo { confirmedInWeek += 1 }
            guard let found = business.hours.openness(at: clock) else { continue }
            minutes = min(minutes, found.minutes)
            guard found.isOpen else { continue }
            businesses.append(business)
            guard let holiday = found.unconfirmed else { continue }
            unconfirmed.append(business)
            holidays.insert(holiday)
        }
        let now = clock.moment.timestamp
        // Hours have no seconds.
        let minute = now.seconds - now.seconds % 60
        time = now..<max(now, Timestamp(clampingSeconds: minute + 60 * minutes))
        (ids, unconfirmedIDs) = (Set(businesses.lazy.map(\.id)), Set(unconfirmed.lazy.map(\.id)))
        confirmedIDs = ids.subtracting(unconfirmedIDs)
        ranked = businesses.filter { [unconfirmedIDs] in !unconfirmedIDs.contains($0.id) } + unconfirmed
        byKind = town.byKind(ranked)
    }
}

extension Town {
    package var listedBusinesses: some Sequence<BusinessRecord> { self.businesses.listed.lazy.map(\.value) }

    package func byKind(_ places: [BusinessRecord]) -> [PlaceKind: [BusinessRecord]] {
        var kinds: [Int: PlaceKind] = [:]
        return Dictionary(grouping: places) { place in
            let id = place.categoryID ?? 0
            if let kind = kinds[id] { return kind }
            let kind = PlaceKind(of: category(of: place)?.value)
            kinds[id] = kind
            return kind
        }
    }
}
