import Bytes

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Where the server takes its time from: the real clocks, or in tests and demonstrations others.
public struct TimeSource: Sendable {
    /// Nanoseconds since some moment in the past; never goes back. Decides every timeout.
    public let monotonic: @Sendable () -> Int
    /// The time of day, for `Date`. May jump.
    public let wall: @Sendable () -> Timestamp

    /// A source made of two functions.
    public init(monotonic: @escaping @Sendable () -> Int, wall: @escaping @Sendable () -> Timestamp) {
        (self.monotonic, self.wall) = (monotonic, wall)
    }

    /// The clocks of the system.
    public static let system = TimeSource(
        monotonic: {
            let now = read(CLOCK_MONOTONIC)
            return now.tv_sec * 1_000_000_000 + now.tv_nsec
        },
        wall: {
            let now = read(CLOCK_REALTIME)
            return Timestamp(microseconds: now.tv_sec * 1_000_000 + now.tv_nsec / 1_000)
        })

    private static func read(_ clock: clockid_t) -> timespec {
        var now = timespec()
        clock_gettime(clock, &now)
        return now
    }
}
