/// Answers, in the order of their requests.
extension ConnectionState {
    /// Answers the request or rejection at hand.
    mutating func answer(_ response: consuming Response, _ encoder: borrowing ResponseEncoder) {
        if pending.isEmpty { encode(exchange, response, encoder) } else { push(response) }
        releaseRequest()
    }

    /// The request at hand is answered later.
    mutating func deferAnswer() {
        push(nil)
        releaseRequest()
    }

    private mutating func releaseRequest() {
        if parser.state == .complete, parser.keepsBody { parser.finish() }
    }

    /// The unanswered request with this number, its target and its `User-Agent`; nil when there is none.
    func unanswered(
        numbered number: UInt32
    ) -> (exchange: Exchange, target: ArraySlice<UInt8>, userAgent: ArraySlice<UInt8>?)? {
        index(of: number).map { (pending[$0].exchange, pending[$0].target, pending[$0].userAgent) }
    }

    /// Answers an earlier request, and puts into bytes all whose turn has come.
    mutating func answer(
        numbered number: UInt32, _ response: consuming Response, _ encoder: borrowing ResponseEncoder
    ) {
        guard let index = index(of: number) else { return }
        pending[index].response = response
        var done = 0
        while done < pending.count, let response = pending[done].response {
            encode(pending[done].exchange, response, encoder)
            if !pending[done].exchange.isSafe { unsafePending -= 1 }
            done += 1
        }
        if done == pending.count { pending = [] } else { pending.removeFirst(done) }
    }

    private mutating func push(_ response: Response?) {
        if !exchange.isSafe { unsafePending += 1 }
        let userAgent = headers.first("user-agent")
        pending.append(Pending(exchange: exchange, target: target, userAgent: userAgent, response: response))
    }

    private func index(of number: UInt32) -> Int? {
        guard let first = pending.first else { return nil }
        let index = Int(number &- first.exchange.number)
        return index < pending.count && pending[index].response == nil ? index : nil
    }

    private mutating func encode(
        _ exchange: Exchange, _ response: consuming Response, _ encoder: borrowing ResponseEncoder
    ) {
        encoder.encode(
            response, isHead: exchange.method == .head, exchange.persistence, exchange.id, into: &output)
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
    var persistence: ResponseEncoder.Persistence
    /// When it was whole, in monotonic nanoseconds.
    let start: Int
    /// Who sent it: the peer of the connection, or the client that a proxy names.
    let peer: Peer
}
