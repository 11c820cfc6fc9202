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
}
