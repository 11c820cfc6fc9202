import Bytes
import Platform

extension TimeSource {
    /// The clocks of the system.
    public static let system = TimeSource(
        monotonic: { Clock.monotonic }, wall: { Timestamp(microseconds: Clock.wallMicroseconds) })
}
