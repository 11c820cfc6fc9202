/// The clocks of the server: those of the system, or others in tests and demonstrations.
public struct TimeSource: Sendable {
    /// Nanoseconds since an arbitrary moment; never goes back. All timeouts use it.
    public let monotonic: @Sendable () -> Int
    /// The time of day, for `Date` and for what expires. May jump, but always has a text form: what is stored with its
    /// time can be read again.
    public let wall: @Sendable () -> Timestamp

    /// A source made of two functions.
    public init(monotonic: @escaping @Sendable () -> Int, wall: @escaping @Sendable () -> Timestamp) {
        (self.monotonic, self.wall) = (monotonic, { wall().clamped })
    }
}
