/// One connection of a load without its socket: it asks one request at a time and reads its answer.
struct LoadConnection: Sendable {
    enum Phase: Sendable, Equatable {
        case closed
        /// The system connects.
        case opening
        /// Open, and nothing is asked.
        case free
        /// A request is under way.
        case busy
    }

    /// What bytes of the server came to.
    enum Outcome: Equatable {
        case needsMore
        /// The request is answered; the connection may go on or not.
        case answered(status: Int, staysOpen: Bool)
    }

    private(set) var phase = Phase.closed
    /// When the phase began, in monotonic nanoseconds; of a closed connection, when it may be opened again.
    private(set) var since = 0
    /// The moment from which the time of the request counts.
    private(set) var due = 0
    private var reader = ResponseReader()

    /// The system begins to connect.
    mutating func open(now: Int) {
        (phase, since) = (.opening, now)
    }

    /// The connection is there.
    mutating func opened(now: Int) {
        (phase, since) = (.free, now)
    }

    /// Asks a request.
    mutating func ask(due: Int, now: Int, answersHead: Bool) {
        (phase, since, self.due) = (.busy, now, due)
        reader.reset(answersHead: answersHead)
    }

    /// Takes bytes of the server.
    ///
    /// - Throws: why they are no answer. Bytes that nobody asked for are none either.
    mutating func receive(_ input: Span<UInt8>, now: Int) throws(ResponseReader.Malformed) -> Outcome {
        guard phase == .busy else { throw ResponseReader.Malformed(description: "it answers what nobody asked") }
        var offset = 0
        while true {
            switch try reader.next(input, &offset) {
            case .head, .body: continue
            case .needsMore: return .needsMore
            case .end:
                guard offset == input.count else {
                    throw ResponseReader.Malformed(description: "it answers what nobody asked")
                }
                (phase, since) = (.free, now)
                return .answered(status: reader.status, staysOpen: reader.staysOpen)
            }
        }
    }

    /// The server sends nothing more: this ends an answer whose length was not told.
    mutating func inputEnded(now: Int) throws(ResponseReader.Malformed) -> Outcome {
        reader.close()
        let nothing: [UInt8] = []
        return try receive(nothing.span, now: now)
    }

    /// The connection is closed, to be opened again at a moment.
    mutating func close(until moment: Int) {
        (phase, since) = (.closed, moment)
    }
}
