import Bytes
import Synchronization

/// The members of responses that tell whether a business is open, encoded for as long as they stay the same.
///
/// A list of a hundred businesses would evaluate the hours and write the moments of each; most of them stay the same for
/// hours.
struct OpenStateCache: ~Copyable, Sendable {
    struct Entry {
        var from = Timestamp(microseconds: .max)
        /// The first moment at which they may be different.
        var until = Timestamp(microseconds: .min)
        var members: [UInt8] = []
    }

    private let entry = Mutex(Entry())

    /// Appends the members at a moment.
    ///
    /// - Parameters:
    ///   - validUntil: is lowered to the last moment at which the members are the same.
    ///   - compute: returns the members, and the first moment at which they may be different; nil when they stay.
    @inline(__always)
    func append(
        to object: inout [UInt8], at moment: Timestamp, _ validUntil: inout Timestamp,
        _ compute: () -> (members: [UInt8], until: Timestamp?)
    ) {
        entry.withLock { entry in
            if moment < entry.from || entry.until <= moment {
                let computed = compute()
                entry.from = moment
                entry.until = computed.until ?? Timestamp(microseconds: .max)
                entry.members = computed.members
            }
            object.append(contentsOf: entry.members)
            validUntil = min(validUntil, Timestamp(microseconds: entry.until.microseconds - 1))
        }
    }
}
