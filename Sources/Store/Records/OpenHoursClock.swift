import Bytes
import SookeModel
import Synchronization

/// A moment at which the open states of businesses are evaluated, each in its own time zone.
///
/// Make one for a query: what is the same for all businesses of the town's zone is computed once.
package struct OpenHoursClock: Sendable {
    /// The moment, on the clocks of the town.
    package let moment: HoursMoment
    /// A number that other clocks of the town do not have: what was computed by them does not count for these.
    let generation: Int
    /// A number that no other clock of this process has.
    let number = last.wrappingAdd(1, ordering: .relaxed).newValue
    private let zone: @Sendable (String) -> TimeZone?

    /// - Parameter zone: finds the zone of a business that has its own by its name; nil when there is none.
    package init(
        _ moment: HoursMoment, generation: Int = 0, zone: @escaping @Sendable (String) -> TimeZone?
    ) {
        (self.moment, self.generation, self.zone) = (moment, generation, zone)
    }

    private static let last = Atomic<UInt64>(0)

    /// The moment on the clocks of a business, by the name of its own zone; nil when there is no such zone.
    @inline(__always)
    func moment(in name: String?) -> HoursMoment? {
        guard let name else { return moment }
        return zone(name).map { HoursMoment(at: moment.timestamp, in: $0, moment.holidays) }
    }
}

/// The time in a response with businesses, and what else of the town they depend on.
package struct ListTime: Sendable {
    /// Decides the open states.
    package let clock: OpenHoursClock
    /// Today, for the hours of today (0 is Sunday).
    package let dayOfWeek: Int
    /// Where businesses without a location are shown.
    package let center: Coordinates?
    /// The last moment at which the response is the same, as far as it depends on this.
    package var validUntil: Timestamp

    package init(_ clock: OpenHoursClock, dayOfWeek: Int, center: Coordinates? = nil, validUntil: Timestamp) {
        (self.clock, self.dayOfWeek, self.center, self.validUntil) = (clock, dayOfWeek, center, validUntil)
    }
}
