import Bytes
import Synchronization

/// A clock that stands at 2026-11-21T09:30:00Z until it is told to go on.
final class TestClock: Sendable {
    private let moment = Mutex(Timestamp(rfc3339: "2026-11-21T09:30:00Z") ?? Timestamp(seconds: 0))
    /// How far the clock of the wall is behind the time that has passed, in seconds.
    private let delay = Mutex(0)

    var now: Timestamp { moment.withLock { $0 }.advanced(bySeconds: -delay.withLock { $0 }) }

    func advance(bySeconds seconds: Int) {
        moment.withLock { $0 = $0.advanced(bySeconds: seconds) }
    }

    /// Sets the clock of the wall back; the monotonic one goes on.
    func setBack(bySeconds seconds: Int) {
        delay.withLock { $0 += seconds }
    }

    /// Both clocks of the server, which go on together.
    var source: TimeSource {
        TimeSource(monotonic: { self.moment.withLock { $0.microseconds * 1_000 } }, wall: { self.now })
    }
}
