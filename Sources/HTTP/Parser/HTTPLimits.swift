/// With defaults that suit a public server on a small machine. Sizes are in bytes, times in nanoseconds.
package struct HTTPLimits: Sendable {
    /// A longer one gets 414.
    package var target = 8 * 1024
    /// Name and value together; a longer one gets 431.
    package var field = 8 * 1024
    /// Of a request; more get 431.
    package var fields = 16 * 1024
    /// More get 431.
    package var fieldCount = 100
    /// Chunk extensions and trailers of one request; more get 400.
    package var chunkOverhead = 4 * 1024
    /// A body up to this size that arrives with its head needs no `Application.admitBody`; no route may allow less.
    package var smallBody = 8 * 1024
    /// Of all requests; beyond it 503 with `Retry-After`. Bodies over unix sockets, with a permit of their own or up to
    /// `smallBody` do not count.
    package var bodies = 64 * 1024 * 1024
    /// Of a refused body, to keep the connection open.
    package var drain = 64 * 1024
    /// Unsent output of one connection above which it reads no further request.
    package var output = 256 * 1024
    /// Unsent output of all connections, with the requests that wait behind it. Beyond half of it a connection
    /// processes its next request only when it has sent all responses, and buffers less of a streamed body; beyond all
    /// of it, a connection that occupies more than `scarceOutput` is closed when it needs more.
    package var allOutput = 64 * 1024 * 1024
    /// Of one connection, above which no part of a streamed body is made, beyond half of `allOutput`.
    package var scarceOutput = 8 * 1024
    /// Streamed bodies of all connections in bytes per second, except over unix sockets; beyond it networks take turns.
    package var streamRate = 32_000_000
    /// Pending requests of one connection above which it reads no further one.
    package var pipeline = 64

    /// From the first byte to the end of the header fields; longer gets 408.
    package var headTimeout = 10 * second
    /// Before `minimumRate` applies to a body.
    package var bodyTimeout = 20 * second
    /// Of a body in bytes per second; slower gets 408. A client that receives a response more slowly on average, after
    /// `writeTimeout`, is disconnected.
    package var minimumRate = 1024
    /// Over which the rate of a body is measured: a client that sent faster before may pause for as long.
    package var rateWindow = 10 * second
    package var idleTimeout = 60 * second
    /// When more than `crowdedPercent` of the connections are in use.
    package var crowdedIdleTimeout = 5 * second
    package var crowdedPercent = 80
    /// How long a client may receive nothing of its output before it is disconnected.
    package var writeTimeout = 30 * second
    /// How long the server discards input from a refused client, so that it receives its response.
    package var lingerTimeout = 2 * second
    package var linger = 8 * 1024 * 1024

    /// CPU time per second that a network may use while an event loop is more than half busy. A request beyond it waits
    /// up to `workWait`, then gets 429. Loopback is exempt unless it is a proxy.
    package var work = 200 * second / 1000
    /// Of all networks of a site, since one customer of a provider may have thousands. Two such sites leave the others
    /// more than half of a core, and one such network something to the others of its site.
    package var siteWork = 225 * second / 1000
    package var workWait = second

    /// Without those of unix sockets; beyond it 503. The number of descriptors of the process is another bound.
    package var connections = 4096
    /// Of one `ClientNetwork`, except loopback and proxies; beyond it 429.
    package var connectionsPerAddress = 256
    var connectionsPerSite: Int { 4 * connectionsPerAddress }
    /// Still accepted beyond `connections`, for a 503 or 429, or for a request with priority. When these are in use
    /// too, no connection is accepted until one of them is closed.
    package var overflowConnections = 64
    /// For the rest of the process (log, snapshots).
    package var reservedDescriptors = 20

    package init() {}
}

struct ParserLimits {
    let target, requestLine, field, fields, fieldCount, chunkOverhead: Int

    init(_ limits: HTTPLimits) {
        // Method, two spaces and version beside the target, with some reserve.
        requestLine = limits.target + 32
        (target, field, fields) = (limits.target, limits.field, limits.fields)
        (fieldCount, chunkOverhead) = (limits.fieldCount, limits.chunkOverhead)
    }
}

private let second = 1_000_000_000
