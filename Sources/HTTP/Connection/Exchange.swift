/// A request from when it is whole (or refused) to when its answer is put into bytes.
struct Exchange: Sendable {
    /// What it is called in the response and in the log.
    let id: RequestID
    /// Counts the requests of a connection; wraps around.
    let number: UInt32
    /// Nil when the request could not be read so far.
    let method: Method?
    let isSafe: Bool
    var persistence: ResponseEncoder.Persistence
    /// When it was whole, in monotonic nanoseconds.
    let start: Int
    /// Who sent it: the peer of the connection, or the client that a proxy names.
    let peer: Peer
}
