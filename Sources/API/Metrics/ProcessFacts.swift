import Bytes

/// What the process that serves the town knows of itself.
public struct ProcessFacts: Sendable {
    /// When it was started.
    public let startedAt: Timestamp
    /// For how long it has run, by a clock that nobody sets.
    public let uptimeSeconds: Int
    /// Its memory that is in the machine's, in bytes; nil where the system does not tell.
    public let residentBytes: Int?
    /// Connections of clients that are open; nil when it takes none.
    public let connections: Int?

    /// The facts of a process.
    public init(startedAt: Timestamp, uptimeSeconds: Int, residentBytes: Int?, connections: Int?) {
        (self.startedAt, self.uptimeSeconds) = (startedAt, uptimeSeconds)
        (self.residentBytes, self.connections) = (residentBytes, connections)
    }
}
