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
    /// When something opens or closes, or a day ends.
    package let until: Timestamp

    package init(in town: Town, at clock: OpenHoursClock) {
        var minutes = clock.moment.minutesOfPeriod
        let hours = OpenHours(at: clock)
        for business in town.listedBusinesses {
            guard let found = hours.openness(of: business) else { continue }
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
        until = Timestamp(clampingSeconds: minute + 60 * minutes)
    }
}

extension Town {
    /// The listed businesses, by name.
    package var listedBusinesses: some Sequence<BusinessRecord> { self.businesses.listed.lazy.map(\.value) }
}
