/// One connection without its socket: bytes in, requests out; answers in, bytes out.
///
/// It keeps answers in the order of their requests, holds input back while too much waits, and knows when the
/// client's time is over. The shell around it (`EventLoop`) moves bytes and tells the time (monotonic nanoseconds).
///
/// 1. Bytes arrive: call `step` until it needs more or waits; answer each request with `answer` or `deferAnswer`.
/// 2. Send what `output` holds and tell by `sent`.
/// 3. When `isFinished`, close; when `deadline` is past, call `timeOut`.
struct ConnectionState {
    /// What comes next.
    enum Step {
        /// All input was taken.
        case needInput
        /// A whole request wants an answer.
        case respond(Request, Exchange)
        /// A request is refused and wants an answer that says so; the request where its head could be read.
        case reject(HTTPError, Request?, Exchange)
        /// Answers must leave before more input is taken; keep the rest and step again after the next answer or send.
        case wait
        /// No further request is read from this connection; input is thrown away.
        case ended
    }

    enum Phase {
        /// Between requests.
        case idle
        case head, body
        /// Reading over a body that nobody wants.
        case draining
        /// The answer that refused the client is sent; what it still sends is read over, so that it can see it.
        case lingering
    }

    private struct Pending {
        var exchange: Exchange
        var response: Response?
    }

    let settings: ConnectionSettings
    let peer: Peer
    /// Set when the connection is one too many: what its request is answered, unless it has priority.
    let refusal: HTTPError?
    var parser: RequestParser
    var output = OutputQueue()
    private var pending: [Pending] = []
    private var nextNumber: UInt32 = 0
    /// Answers outstanding to requests that may change something: nothing overtakes these.
    private var unsafePending = 0

    var phase = Phase.idle
    var phaseStart: Int
    /// No further request is read.
    var hasEnded = false
    /// The client has closed its side.
    var inputHasEnded = false
    /// The server stops: answers close the connection.
    var isStopping = false
    /// The client may be sending while we close; closing at once could destroy the answer on its way.
    var needsLinger = false
    var lingered = 0
    private(set) var isWaiting = false

    /// Since when output waits for the client, the last time it took some, and how much it took since.
    var outputSince: Int?
    var lastProgress = 0
    var sentSince = 0

    init(settings: ConnectionSettings, peer: Peer, refusal: HTTPError? = nil, now: Int) {
        (self.settings, self.peer, self.refusal) = (settings, peer, refusal)
        parser = RequestParser(limits: settings.limits)
        phaseStart = now
    }

    /// Whether nothing is left to do: close the connection, lingering first where `needsLinger` says so.
    var isFinished: Bool { (hasEnded || inputHasEnded) && pending.isEmpty && output.isEmpty }

    /// Whether bytes of the client are welcome now.
    var wantsInput: Bool { !inputHasEnded && (phase == .lingering || !isBlocked) }

    /// Whether `step` said `wait` and would now go on.
    var canResume: Bool { isWaiting && !isBlocked }

    /// Whether requests are unanswered.
    var hasPending: Bool { !pending.isEmpty }

    /// Whether the client owes us nothing and we owe it nothing.
    var isIdle: Bool { pending.isEmpty && output.isEmpty && !parser.isInsideRequest }

    /// The numbers of the requests that have no answer yet.
    var unanswered: [UInt32] { pending.filter { $0.response == nil }.map(\.exchange.number) }

    private var isBlocked: Bool {
        unsafePending > 0 || pending.count >= settings.limits.pipeline || output.count > settings.limits.output
            || parser.state == .headComplete && !pending.isEmpty
    }

    /// Takes input from `offset` on, as far as the next event.
    mutating func step(_ input: Span<UInt8>, _ offset: inout Int, now: Int) -> Step {
        while !hasEnded {
            if isBlocked {
                isWaiting = true
                return .wait
            }
            if isWaiting {
                isWaiting = false
                phaseStart = now
            }
            switch parser.next(input, &offset) {
            case .needMore:
                noteProgress(now)
                return .needInput
            case .head:
                if let step = judgeHead(hasMore: offset < input.count, now) { return step }
            case .complete:
                if let step = takeRequest(now) { return step }
            case .failed(let failure):
                return reject(failure.error, nil, closes: true, now)
            }
        }
        if offset < input.count { needsLinger = true }
        offset = input.count
        return .ended
    }

    /// The client has closed its side: what is whole is still answered, what is half is forgotten.
    mutating func inputEnded() {
        inputHasEnded = true
    }

    /// The server stops: the last answer says that the connection closes; an idle connection ends.
    mutating func beginStopping() {
        isStopping = true
        guard !parser.isInsideRequest else { return }
        hasEnded = true
        if !pending.isEmpty { pending[pending.count - 1].exchange.persistence = .close }
    }

    private mutating func noteProgress(_ now: Int) {
        let next: Phase
        if !parser.isInsideRequest {
            next = .idle
        } else if !parser.isInsideBody {
            next = .head
        } else {
            next = parser.keepsBody ? .body : .draining
        }
        if next != phase || next == .idle { (phase, phaseStart) = (next, now) }
    }
}

/// From the head to the request.
extension ConnectionState {
    /// Decides about the body; nil when reading goes on.
    private mutating func judgeHead(hasMore: Bool, _ now: Int) -> Step? {
        let mayOvertake = parser.head.method?.isSafe == true && !parser.head.hasBody
        if !pending.isEmpty, !mayOvertake {
            isWaiting = true
            return .wait
        }
        if let refusal = parser.head.refusal { return rejectHead(refusal.error, now) }
        if let refusal, parser.request(from: peer).map(settings.hasPriority) != true {
            return reject(refusal, parser.request(from: peer), closes: true, now)
        }
        guard parser.head.hasBody else {
            parser.receiveBody(limit: 0)
            return nil
        }
        return judgeBody(hasMore: hasMore, now)
    }

    private mutating func judgeBody(hasMore: Bool, _ now: Int) -> Step? {
        guard let request = parser.request(from: peer) else { return rejectHead(.internalError, now) }
        let limit: Int
        do throws(HTTPError) {
            limit = try settings.bodyLimit(request)
        } catch {
            return rejectHead(error, now)
        }
        if parser.head.contentLength > limit { return rejectHead(.contentTooLarge(limit: limit), now) }
        parser.receiveBody(limit: limit)
        (phase, phaseStart) = (.body, now)
        if parser.head.expectsContinue, !hasMore { output.append { $0.append("HTTP/1.1 100 Continue\r\n\r\n") } }
        return nil
    }

    /// Refuses a request whose framing is sound: the connection stays when its body is short enough to read over.
    private mutating func rejectHead(_ error: HTTPError, _ now: Int) -> Step {
        let head = parser.head
        let isShort = !head.isChunked && head.contentLength <= settings.limits.drain
        let staysInStep = !head.hasBody || isShort && !head.expectsContinue
        let step = reject(error, parser.request(from: peer), closes: !staysInStep || refusal != nil, now)
        if !hasEnded {
            parser.discardBody()
            (phase, phaseStart) = (.draining, now)
        }
        return step
    }

    private mutating func reject(_ error: HTTPError, _ request: Request?, closes: Bool, _ now: Int) -> Step {
        let exchange = makeExchange(closes: closes, now)
        if closes { needsLinger = true }
        return .reject(error, request, exchange)
    }

    /// Hands out the whole request; nil when it was refused before and its body is now read over.
    private mutating func takeRequest(_ now: Int) -> Step? {
        (phase, phaseStart) = (.idle, now)
        guard parser.keepsBody, let request = parser.request(from: peer) else {
            parser.finish()
            return nil
        }
        let exchange = makeExchange(closes: refusal != nil, now)
        parser.finish()
        return .respond(request, exchange)
    }

    /// Numbers the request at hand and decides whether the connection outlives it.
    mutating func makeExchange(closes: Bool, _ now: Int) -> Exchange {
        let head = parser.head
        let persistence: ResponseEncoder.Persistence
        if closes || isStopping || !head.keepsAlive {
            persistence = .close
            hasEnded = true
        } else {
            persistence = head.isVersion10 ? .keepAlive : .open
        }
        let number = nextNumber
        nextNumber &+= 1
        return Exchange(
            number: number, method: head.method, target: head.bytes[head.target.range],
            isSafe: head.method?.isSafe ?? true, persistence: persistence, start: now)
    }
}

/// Answers, in the order of their requests.
extension ConnectionState {
    /// Answers the request that `step` just handed out.
    mutating func answer(_ exchange: Exchange, _ response: consuming Response, _ encoder: ResponseEncoder) {
        if pending.isEmpty {
            encode(exchange, response, encoder)
        } else {
            push(Pending(exchange: exchange, response: response))
        }
    }

    /// The request that `step` just handed out is answered later.
    mutating func deferAnswer(_ exchange: Exchange) {
        push(Pending(exchange: exchange, response: nil))
    }

    /// The unanswered request with this number; nil when there is none.
    func exchange(numbered number: UInt32) -> Exchange? {
        index(of: number).map { pending[$0].exchange }
    }

    /// Answers an earlier request, and puts into bytes all whose turn has come.
    mutating func answer(numbered number: UInt32, _ response: consuming Response, _ encoder: ResponseEncoder) {
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

    private mutating func push(_ entry: Pending) {
        if !entry.exchange.isSafe { unsafePending += 1 }
        pending.append(entry)
    }

    private func index(of number: UInt32) -> Int? {
        guard let first = pending.first else { return nil }
        let index = Int(number &- first.exchange.number)
        return index < pending.count && pending[index].response == nil ? index : nil
    }

    private mutating func encode(_ exchange: Exchange, _ response: consuming Response, _ encoder: ResponseEncoder) {
        encoder.encode(response, isHead: exchange.method == .head, exchange.persistence, into: &output)
    }
}
