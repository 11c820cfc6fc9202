import Bytes
import Synchronization

/// A manual clock that starts at 2026-11-21T09:30:00Z.
public final class TestClock: Sendable {
    private let moment = Mutex(Timestamp(rfc3339: "2026-11-21T09:30:00Z") ?? Timestamp.epoch)
    /// The difference between the wall clock and the monotonic time, in seconds.
    private let delay = Mutex(0)

    /// The time of day.
    public var now: Timestamp { moment.withLock { $0 }.advanced(bySeconds: -delay.withLock { $0 }) }

    /// Advances both clocks.
    public func advance(bySeconds seconds: Int) {
        moment.withLock { $0 = $0.advanced(bySeconds: seconds) }
    }

    /// Advances both clocks to a time, or sets them back.
    public func set(_ moment: Timestamp) {
        self.moment.withLock { $0 = moment }
    }

    /// A clock at its first time.
    public init() {}

    /// Sets the wall clock back; the monotonic one continues.
    public func setBack(bySeconds seconds: Int) {
        delay.withLock { $0 += seconds }
    }

    /// Both clocks of the server, which advance together.
    public var source: TimeSource {
        TimeSource(monotonic: { self.moment.withLock { $0.microseconds * 1_000 } }, wall: { self.now })
    }
}
