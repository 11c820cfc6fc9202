/// One connection, with one request under way at most.
struct LoadConnection {
    enum Phase {
        case closed
        case opening
        case free
        case busy
    }

    private(set) var phase = Phase.closed
    /// When the phase began; of a closed connection, when it may be opened again.
    private(set) var since = 0
    /// The time from which the latency of the request counts.
    var due = 0
    var descriptor: CInt = -1
    /// What the system has not taken of the request.
    var unsent: [UInt8] = []
    var reader = ResponseReader()

    mutating func begin(_ phase: Phase, now: Int) {
        (self.phase, since) = (phase, now)
        if phase != .busy { unsent = [] }
    }
}
