import Bytes
import Synchronization

/// A clock that never goes back. It decides what has expired, so that setting the system clock back revives nothing.
///
/// While the system clock is behind the latest moment that was seen, time advances from that moment by the monotonic
/// clock.
public final class SteadyClock: Sendable {
    private let clock: TimeSource
    private let latest: Mutex<(moment: Timestamp, monotonic: Int)>

    /// A clock that does not go below a moment.
    public init(_ clock: TimeSource, notBefore moment: Timestamp) {
        self.clock = clock
        latest = Mutex((moment, clock.monotonic()))
    }

    /// The time.
    public func now() -> Timestamp {
        let (wall, monotonic) = (clock.wall(), clock.monotonic())
        return latest.withLock { latest in
            var moment = wall
            if wall < latest.moment {
                let passed = max(0, monotonic - latest.monotonic) / 1_000
                moment = Timestamp(microseconds: latest.moment.microseconds + passed)
            }
            latest = (moment, max(monotonic, latest.monotonic))
            return moment
        }
    }
}
