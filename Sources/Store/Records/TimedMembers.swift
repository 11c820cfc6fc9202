import Bytes
import Synchronization

/// The members of a business in responses that depend on the clock, encoded for as long as they stay the same.
///
/// A list of a hundred businesses would evaluate the hours and write the moments of each; most of them stay the same for
/// hours.
struct TimedMembers: ~Copyable, Sendable {
    struct Entry {
        var from = Timestamp(microseconds: .max)
        /// The first moment at which they may be different.
        var until = Timestamp(microseconds: .min)
        /// The day of the week that is today, which depends on the zone of the client.
        var today = 0
        /// Each with a comma before it.
        var members: [UInt8] = []

        /// Appends the members.
        ///
        /// - Parameter validUntil: is lowered to the last moment at which they are the same.
        @inline(__always)
        func append(to object: inout [UInt8], _ validUntil: inout Timestamp) {
            object.append(contentsOf: members)
            validUntil = min(validUntil, Timestamp(microseconds: until.microseconds - 1))
        }
    }

    private let entry = Mutex(Entry())

    /// Appends the members of a moment; false when they are not known.
    @inline(__always)
    func append(
        to object: inout [UInt8], at moment: Timestamp, today: Int, _ validUntil: inout Timestamp
    ) -> Bool {
        entry.withLock { entry in
            if moment < entry.from || entry.until <= moment || entry.today != today { return false }
            entry.append(to: &object, &validUntil)
            return true
        }
    }

    /// Stores the members from a moment on.
    func store(_ entry: Entry) {
        self.entry.withLock { $0 = entry }
    }
}
