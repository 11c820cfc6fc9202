import Bytes
import HTTP
import Synchronization

/// A clock that stands at 2026-11-21T09:30:00Z until it is told to go on.
final class TestClock: Sendable {
    private let moment = Mutex(Timestamp(rfc3339: "2026-11-21T09:30:00Z") ?? Timestamp(seconds: 0))

    var now: Timestamp { moment.withLock { $0 } }

    func advance(bySeconds seconds: Int) {
        moment.withLock { $0 = $0.advanced(bySeconds: seconds) }
    }

    /// Both clocks of the server, which go on together.
    var source: TimeSource {
        TimeSource(monotonic: { self.now.microseconds * 1_000 }, wall: { self.now })
    }
}
