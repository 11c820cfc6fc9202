import SookeModel
import Synchronization

/// The compiled hours of businesses: those with the same hours share them, because a town has far fewer different hours
/// than businesses, and compiling takes longer than a look-up.
final class SharedSchedules: Sendable {
    /// What the hours follow from, except for special hours, which no two businesses share.
    struct Key: Hashable, Sendable {
        /// The rows of a week, without their IDs.
        let rows: [DayHours]
        /// The hours in the syntax of OpenStreetMap.
        let text: String?

        init(_ business: Business) {
            rows = business.hours.map(\.withoutID)
            text = business.openingHours
        }
    }

    /// Those of all towns in this process. Each follows from its key alone.
    static let all = SharedSchedules()

    /// The most different hours that are stored; then they are collected anew.
    private static let limit = 10_000

    private let known = Mutex<[Key: Boxed<OpeningSchedule>]>([:])

    /// The schedule of a key, which `compile` makes the first time.
    func schedule(of key: Key, _ compile: () -> OpeningSchedule) -> Boxed<OpeningSchedule> {
        if let schedule = known.withLock({ $0[key] }) { return schedule }
        let schedule = Boxed(compile())
        known.withLock { known in
            if known.count >= Self.limit { known.removeAll() }
            known[key] = schedule
        }
        return schedule
    }
}
