import Glibc

package enum Clock {
    /// Never goes back.
    package static var monotonic: Int {
        let now = read(CLOCK_MONOTONIC)
        return now.tv_sec * 1_000_000_000 + now.tv_nsec
    }

    /// May jump.
    package static var wallMicroseconds: Int {
        let now = read(CLOCK_REALTIME)
        return now.tv_sec * 1_000_000 + now.tv_nsec / 1_000
    }

    /// A system call, unlike the others.
    package static var threadCPU: Int {
        let time = read(CLOCK_THREAD_CPUTIME_ID)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    private static func read(_ clock: clockid_t) -> timespec {
        var now = timespec()
        clock_gettime(clock, &now)
        return now
    }
}
