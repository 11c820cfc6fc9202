import CSystem
import HTTP

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Wakes a poller at a moment, to the microsecond: waiting in whole milliseconds would make every request of an open
/// loop late by half of one.
///
/// Where the system has no such timer it does nothing, and the caller waits in milliseconds.
struct DueTimer: ~Copyable {
    #if os(Linux)
        private let number: Int32

        init() {
            number = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_NONBLOCK | TFD_CLOEXEC))
        }

        deinit {
            if number >= 0 { Socket.close(number) }
        }

        /// What to watch for reading.
        var descriptor: Int32? { number < 0 ? nil : number }

        /// Goes off at a moment of the monotonic clock.
        func set(_ moment: Int) {
            guard let descriptor else { return }
            var value = itimerspec()
            value.it_value = timespec(tv_sec: moment / 1_000_000_000, tv_nsec: moment % 1_000_000_000)
            timerfd_settime(descriptor, Int32(TFD_TIMER_ABSTIME), &value, nil)
        }

        /// Does not go off again until it is set.
        func clear() {
            var count: UInt64 = 0
            if let descriptor { _ = read(descriptor, &count, MemoryLayout.size(ofValue: count)) }
        }
    #else
        let descriptor: Int32? = nil

        func set(_ moment: Int) {}

        func clear() {}
    #endif
}
