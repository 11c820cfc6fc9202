import Bytes
import SookeModel

/// What is open, and as long as that is the same unless the town changes.
package struct OpenNow: Sendable {
    /// By name.
    package private(set) var businesses: [BusinessRecord] = []
    /// Those of them whose hours say nothing of the holiday on which they are usually open.
    package private(set) var unconfirmed: [BusinessRecord] = []
    /// The names of those holidays.
    package private(set) var holidays: Set<String> = []
    /// From the moment that was asked for until something opens or closes, or a day ends.
    package let time: Range<Timestamp>
    /// The IDs of all, and of those that are unconfirmed.
    package let (ids, unconfirmedIDs): (IDSet, IDSet)

    package init(in town: Town, at clock: OpenHoursClock) {
        var minutes = clock.moment.minutesOfPeriod
        for business in town.listedBusinesses {
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
        (ids, unconfirmedIDs) = (IDSet(businesses.lazy.map(\.id)), IDSet(unconfirmed.lazy.map(\.id)))
    }
}

extension Town {
    /// The listed businesses, by name.
    package var listedBusinesses: some Sequence<BusinessRecord> { self.businesses.listed.lazy.map(\.value) }
}
