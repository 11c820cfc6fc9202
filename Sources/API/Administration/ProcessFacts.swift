import Bytes

/// Facts about the process that serves the town.
public struct ProcessFacts: Sendable {
    /// The time of its start.
    public let startedAt: Timestamp
    /// The time since its start, by the monotonic clock.
    public let uptimeSeconds: Int
    /// Its resident memory, in bytes; nil if the system does not provide it.
    public let residentBytes: Int?
    /// The number of open connections; nil if it serves none.
    public let connections: Int?

    /// Facts about a process.
    public init(startedAt: Timestamp, uptimeSeconds: Int, residentBytes: Int?, connections: Int?) {
        (self.startedAt, self.uptimeSeconds) = (startedAt, uptimeSeconds)
        (self.residentBytes, self.connections) = (residentBytes, connections)
    }
}
