import Platform

extension ConnectionState {
    struct Pending {
        enum Reply {
            case awaited
            case ready(Response)
            /// The head is in the output, and parts of `outgoing` follow. Only the first request has this state.
            case streaming
        }

        var exchange: Exchange
        let target: ArraySlice<UInt8>
        let userAgent: ArraySlice<UInt8>?
        var reply: Reply

        var isAwaited: Bool {
            if case .awaited = reply { true } else { false }
        }

        /// The source occupies memory, so no later request is processed meanwhile.
        var isStreamed: Bool {
            switch reply {
            case .awaited: false
            case .ready(let response): response.isStreamed
            case .streaming: true
            }
        }

        /// About, in bytes.
        var memory: Int {
            let own = 512 + target.count + (userAgent?.count ?? 0)
            return if case .ready(let response) = reply { own + response.body.count } else { own }
        }
    }

    /// To the current request or rejection.
    mutating func respond(_ response: consuming Response, _ encoder: borrowing ResponseEncoder) {
        if pending.isEmpty, !response.isStreamed {
            encode(exchange, response, encoder)
        } else {
            push(.ready(response))
            encodeReady(encoder)
        }
        releaseRequest()
    }

    mutating func deferResponse() {
        push(.awaited)
        releaseRequest()
    }

    private mutating func releaseRequest() {
        if parser.state == .complete, parser.keepsBody { parser.finish() }
    }

    func pendingRequest(
        numbered number: UInt32
    ) -> (exchange: Exchange, target: ArraySlice<UInt8>, userAgent: ArraySlice<UInt8>?)? {
        index(of: number).map { (pending[$0].exchange, pending[$0].target, pending[$0].userAgent) }
    }

    mutating func respond(
        numbered number: UInt32, _ response: consuming Response, _ encoder: borrowing ResponseEncoder
    ) {
        guard let index = index(of: number) else { return }
        pending[index].reply = .ready(response)
        encodeReady(encoder)
    }

    private mutating func push(_ reply: Pending.Reply) {
        if !exchange.isSafe { unsafePending += 1 }
        // It must not retain the head of the request, which may be long.
        let userAgent = headers.first("user-agent").map { Array($0)[...] }
        pending.append(Pending(exchange: exchange, target: Array(target)[...], userAgent: userAgent, reply: reply))
    }

    private func index(of number: UInt32) -> Int? {
        guard let first = pending.first else { return nil }
        let index = Int(number &- first.exchange.number)
        return index < pending.count && pending[index].isAwaited ? index : nil
    }

    /// All whose turn has come, up to the head of one with a streamed body.
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

extension ConnectionState {
    /// Unsent bytes below which the source is called for the next part.
    private var lowOutput: Int {
        settings.unsent.isScarce ? settings.limits.scarceOutput : OutputQueue.largeBody
    }

    enum PartOutcome {
        case appended
        case ended(Pending, OutgoingBody)
        /// The body cannot be completed: the connection must be closed.
        case failed
    }

    @inline(__always)
    var wantsPart: Bool {
        outgoing?.isPending == false && outgoing?.isQueued == false && output.count < lowOutput
    }

    var streamed: (request: Pending, body: OutgoingBody)? {
        guard let outgoing, let first = pending.first else { return nil }
        return (first, outgoing)
    }

    mutating func wakeStream(numbered number: UInt32) {
        if pending.first?.exchange.number == number { outgoing?.isPending = false }
    }

    mutating func queueStream() {
        outgoing?.isQueued = true
    }

    /// False when the body has ended meanwhile.
    mutating func takeTurn(numbered number: UInt32) -> Bool {
        guard pending.first?.exchange.number == number, outgoing?.isQueued == true else { return false }
        outgoing?.isQueued = false
        return true
    }

    /// To be called while `wantsPart`.
    mutating func appendPart(_ wakeup: BodyWakeup, _ encoder: borrowing ResponseEncoder) -> PartOutcome {
        switch outgoing?.stream.next(wakeup) {
        case .bytes(let bytes): return outgoing?.append(bytes, to: &output) == true ? .appended : .failed
        case .pending:
            if inputHasEnded || hasHungUp, outgoing?.stream.isEndless == true { return endStream(encoder) }
            outgoing?.isPending = true
            return .appended
        case .end: return endStream(encoder)
        case .failed, nil: return .failed
        }
    }

    /// False when the body is not a stream or not sent.
    private mutating func beginStream(_ index: Int, _ response: Response) -> Bool {
        let request = pending[index]
        guard case .stream(let stream) = response.content, request.exchange.sendsBody(of: response) else {
            return false
        }
        let framing = ResponseEncoder.framing(of: stream, isVersion10: request.exchange.isVersion10)
        outgoing = OutgoingBody(stream, framing, of: response)
        pending[index].reply = .streaming
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
        // No response can follow such a body.
        if body.framing == .untilClose { pending = [] }
        encodeReady(encoder)
        return .ended(request, body)
    }
}

/// A request from its end (or its rejection) until its response is encoded.
struct Exchange: Sendable {
    let id: RequestID
    /// Wraps around.
    let number: UInt32
    let method: Method?
    let isSafe: Bool
    let isVersion10: Bool
    var persistence: ResponseEncoder.Persistence
    /// When the request was complete.
    let start: Int
    /// The peer of the connection, or the client that a proxy names.
    let peer: Peer
    /// By which its work is limited; nil when it is exempt.
    let network: ClientNetwork?

    func sendsBody(of response: borrowing Response) -> Bool { method != .head && !response.status.forbidsBody }
}
