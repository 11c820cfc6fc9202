/// Every bound the server holds a client to, with defaults that suit a public server on a small machine.
///
/// Sizes are in bytes.
public struct HTTPLimits: Sendable {
    /// Longest request target; a longer one answers 414.
    public var target = 8 * 1024
    /// Longest header field, name and value together; a longer one answers 431.
    public var field = 8 * 1024
    /// All header fields of a request together; more answers 431.
    public var fields = 16 * 1024
    /// The number of header fields of a request; more answers 431.
    public var fieldCount = 100
    /// Chunk extensions and trailers of one request together; more answers 400.
    public var chunkOverhead = 4 * 1024
    /// A body up to this size that arrives together with its head is taken without asking
    /// `Application.admitBody`; no route may allow less.
    public var smallBody = 8 * 1024
    /// The bodies of all requests together; beyond it 503 with `Retry-After`. Those of unix sockets, those with a permit
    /// of their own and those of `smallBody` come beside them.
    public var bodies = 64 * 1024 * 1024
    /// How much of a body nobody wants is read and thrown away to keep the connection; more closes it.
    public var drain = 64 * 1024
    /// Unsent output of one connection above which it reads no further request.
    public var output = 256 * 1024
    /// Unanswered requests of one connection above which it reads no further one.
    public var pipeline = 64

    /// From the first byte of a request to the end of its header fields; longer answers 408.
    public var headTimeout = Duration.seconds(10)
    /// What a body is given before `minimumRate` counts.
    public var bodyTimeout = Duration.seconds(20)
    /// Bytes a second that a body must arrive at, after `bodyTimeout`; slower answers 408.
    /// A client that takes its answer more slowly than this in the mean, after `writeTimeout`, is let go too.
    public var minimumRate = 1024
    /// The time over which the rate of a body is measured: a client that sent faster before may pause for as long.
    public var rateWindow = Duration.seconds(10)
    /// How long a connection is kept without a request.
    public var idleTimeout = Duration.seconds(60)
    /// The same when more than `crowdedPercent` of the connections are in use.
    public var crowdedIdleTimeout = Duration.seconds(5)
    /// Share of `connections` above which idle ones are kept for a shorter time.
    public var crowdedPercent = 80
    /// How long a client may take nothing of what is waiting for it, before it is let go.
    public var writeTimeout = Duration.seconds(30)
    /// How long the server goes on reading what a refused client still sends, so that it can see its answer.
    public var lingerTimeout = Duration.seconds(2)
    /// How much it reads of that at most.
    public var linger = 8 * 1024 * 1024

    /// Connections in all, those of unix sockets beside them; beyond it 503. Also bounded by the descriptors the
    /// process may open.
    public var connections = 4096
    /// Connections of one address (IPv6: of one /64 network), loopback and proxies exempt; beyond it 429.
    public var connectionsPerAddress = 256
    /// Connections beyond `connections` that are still accepted, to be told 503 or 429, or to be served when their
    /// request has priority. When they are taken too, nothing more is accepted until one of them is free.
    public var overflowConnections = 64
    /// Descriptors left to the rest of the process (log, snapshots) when the connections are counted.
    public var reservedDescriptors = 20

    /// The defaults.
    public init() {}
}

extension Duration {
    /// The duration in whole nanoseconds.
    var nanoseconds: Int {
        let (seconds, attoseconds) = components
        return Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    }
}
