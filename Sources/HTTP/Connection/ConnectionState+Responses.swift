/// Answers, in the order of their requests.
extension ConnectionState {
    /// A request that is not answered in full.
    struct Pending {
        /// What has become of the response.
        enum Reply {
            case awaited
            case ready(Response)
            /// The head is in the output, and parts of `outgoing` follow. The first request only.
            case streaming
        }

        var exchange: Exchange
        var target: ArraySlice<UInt8>
        var userAgent: ArraySlice<UInt8>?
        var reply: Reply

        var isAwaited: Bool {
            if case .awaited = reply { true } else { false }
        }
    }

    /// Answers the request or rejection at hand.
    mutating func respond(_ response: consuming Response, _ encoder: borrowing ResponseEncoder) {
        if pending.isEmpty, !response.isStreamed {
            encode(exchange, response, encoder)
        } else {
            push(.ready(response))
            encodeReady(encoder)
        }
        releaseRequest()
    }

    /// The request at hand is answered later.
    mutating func deferResponse() {
        push(.awaited)
        releaseRequest()
    }

    private mutating func releaseRequest() {
        if parser.state == .complete, parser.keepsBody { parser.finish() }
    }

    /// The unanswered request with this number, its target and its `User-Agent`; nil when there is none.
    func pendingRequest(
        numbered number: UInt32
    ) -> (exchange: Exchange, target: ArraySlice<UInt8>, userAgent: ArraySlice<UInt8>?)? {
        index(of: number).map { (pending[$0].exchange, pending[$0].target, pending[$0].userAgent) }
    }

    /// Answers an earlier request, and puts into bytes all whose turn has come.
    mutating func respond(
        numbered number: UInt32, _ response: consuming Response, _ encoder: borrowing ResponseEncoder
    ) {
        guard let index = index(of: number) else { return }
        pending[index].reply = .ready(response)
        encodeReady(encoder)
    }

    private mutating func push(_ reply: Pending.Reply) {
        if !exchange.isSafe { unsafePending += 1 }
        let userAgent = headers.first("user-agent")
        pending.append(Pending(exchange: exchange, target: target, userAgent: userAgent, reply: reply))
    }

    private func index(of number: UInt32) -> Int? {
        guard let first = pending.first else { return nil }
        let index = Int(number &- first.exchange.number)
        return index < pending.count && pending[index].isAwaited ? index : nil
    }

    /// Puts into bytes all responses whose turn has come, up to the head of one whose body is streamed.
    private mutating func encodeReady(_ encoder: borrowing ResponseEncoder) {
        var done = 0
        while done < pending.count, case .ready(let response) = pending[done].reply {
            if beginStream(done, response) {
                encode(pending[done].exchange, response, encoder)
                break
            }
            encode(pending[done].exchange, response, encoder)
            if !pending[done].exchange.isSafe { unsafePending -= 1 }
            done += 1
        }
        if done == pending.count { pending = [] } else { pending.removeFirst(done) }
    }

    private mutating func encode(
        _ exchange: Exchange, _ response: consuming Response, _ encoder: borrowing ResponseEncoder
    ) {
        encoder.encode(
            response, isHead: exchange.method == .head, isVersion10: exchange.isVersion10, exchange.persistence,
            exchange.id, into: &output)
    }
}

/// Bodies that are produced while they are sent.
extension ConnectionState {
    /// Below so many bytes of unsent output the source is asked for the next part.
    private static let lowOutput = OutputQueue.largeBody

    /// What came of asking a source for the next part of a body.
    enum PartOutcome {
        case appended
        /// The body is complete.
        case ended(Pending, OutgoingBody)
        /// The body cannot be completed: the connection must be closed.
        case failed
    }

    /// Whether there is room for the next part of a body whose source has one.
    @inline(__always)
    var wantsPart: Bool { outgoing?.isPending == false && output.count < Self.lowOutput }

    /// The request whose response is being streamed.
    var streamed: (request: Pending, body: OutgoingBody)? {
        guard let outgoing, let first = pending.first else { return nil }
        return (first, outgoing)
    }

    /// The source of a body has called.
    mutating func wakeStream(numbered number: UInt32) {
        if pending.first?.exchange.number == number { outgoing?.isPending = false }
    }

    /// Asks the source for the next part of the body that is being streamed; while `wantsPart`.
    mutating func appendPart(_ wakeup: BodyWakeup, _ encoder: borrowing ResponseEncoder) -> PartOutcome {
        switch outgoing?.stream.next(wakeup) {
        case .bytes(let bytes): return outgoing?.append(bytes, to: &output) == true ? .appended : .failed
        case .pending:
            outgoing?.isPending = true
            return .appended
        case .end: return endStream(encoder)
        case .failed, nil: return .failed
        }
    }

    /// Makes the response of a request the one that is streamed; false when its body is not streamed or not sent.
    private mutating func beginStream(_ index: Int, _ response: Response) -> Bool {
        let request = pending[index]
        guard case .stream(let stream) = response.content, request.exchange.sendsBody(of: response) else {
            return false
        }
        let framing = ResponseEncoder.framing(of: stream, isVersion10: request.exchange.isVersion10)
        outgoing = OutgoingBody(stream, framing, of: response)
        pending[index].reply = .streaming
        // The head of the request, which may be long, is not held for as long as the stream lasts.
        pending[index].target = Array(request.target)[...]
        pending[index].userAgent = request.userAgent.map { Array($0)[...] }
        if framing == .untilClose {
            hasEnded = true
            pending[index].exchange.persistence = .close
        }
        return true
    }

    private mutating func endStream(_ encoder: borrowing ResponseEncoder) -> PartOutcome {
        guard let (request, body) = streamed, body.finish(&output) else { return .failed }
        outgoing = nil
        if !request.exchange.isSafe { unsafePending -= 1 }
        pending.removeFirst()
        // Nothing can follow such a body.
        if body.framing == .untilClose { pending = [] }
        encodeReady(encoder)
        return .ended(request, body)
    }
}

/// A request from when it is whole (or refused) to when its answer is put into bytes.
struct Exchange: Sendable {
    /// What it is called in the response and in the log.
    let id: RequestID
    /// Counts the requests of a connection; wraps around.
    let number: UInt32
    /// Nil when the request could not be read so far.
    let method: Method?
    let isSafe: Bool
    let isVersion10: Bool
    var persistence: ResponseEncoder.Persistence
    /// When it was whole, in monotonic nanoseconds.
    let start: Int
    /// Who sent it: the peer of the connection, or the client that a proxy names.
    let peer: Peer

    /// Whether the body of a response is sent.
    func sendsBody(of response: borrowing Response) -> Bool { method != .head && !response.status.forbidsBody }
}
