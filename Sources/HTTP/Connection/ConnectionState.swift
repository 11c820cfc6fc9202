/// One connection without its socket: bytes in, requests out; answers in, bytes out.
///
/// It keeps answers in the order of their requests, holds input back while too much waits, and knows when the
/// client's time is over. The shell around it (`EventLoop`) moves bytes and tells the time (monotonic nanoseconds).
///
/// 1. Bytes arrive: call `step` until it needs more or waits; after each request or rejection call `answer` or
///    `deferResponse` before the next `step`.
/// 2. Send what `output` holds and tell by `sent`.
/// 3. When `isFinished`, close; when `deadline` is past, call `timeOut`.
struct ConnectionState {
    /// What comes next.
    enum Step {
        /// All input was taken.
        case needInput
        /// A whole request, `request`, wants an answer.
        case request
        /// A request is refused: `rejection` wants to be answered. `request` is there when its head could be read.
        case rejection
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

    let settings: ConnectionSettings
    let peer: Peer
    /// Tells its requests from those of other connections.
    private let number: UInt64
    /// Whether the peer is a proxy whose word is taken.
    private let isProxied: Bool
    /// Set when the connection is one too many: what its request is answered, unless it has priority.
    let refusal: HTTPError?
    var parser: RequestParser
    var output = OutputQueue()
    var pending: [Pending] = []
    /// The body of the first of `pending`, when it is being streamed.
    var outgoing: OutgoingBody?
    /// The request or rejection at hand.
    private(set) var exchange: Exchange
    private(set) var rejection = HTTPError.internalError
    /// Answers outstanding to requests that may change something: nothing overtakes these.
    var unsafePending = 0

    var phase = Phase.idle
    var phaseStart: Int
    /// When the client's time for the body is over, and the bytes of the body that have extended it.
    var bodyDeadline = 0
    var bodyBytesCounted = 0
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

    init(
        settings: ConnectionSettings, peer: Peer, refusal: HTTPError? = nil,
        number: UInt64 = RequestID.nextConnection(), now: Int
    ) {
        (self.settings, self.peer, self.refusal, self.number) = (settings, peer, refusal, number)
        isProxied = settings.proxies.contains(peer)
        exchange = Exchange(
            id: RequestID(RequestHead(), connection: number, number: .max), number: .max, method: nil, isSafe: true,
            isVersion10: false, persistence: .open, start: 0, peer: peer)
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

    /// Whether there are responses that the client has not got in full, or that are still to come.
    var hasResponses: Bool { hasPending || !output.isEmpty }

    /// The numbers of the requests that have no answer yet.
    var awaitedNumbers: [UInt32] { pending.filter(\.isAwaited).map(\.exchange.number) }

    /// The request at hand; nil when it could not be read or its method is unknown. Inlined, like its deadline: a call
    /// would be given a copy of the state.
    @inline(__always)
    var request: Request? {
        if case .failed = parser.state { nil } else { parser.request(from: client, exchange.id) }
    }

    /// Who sent the request at hand; the proxy when its head could not be read.
    private var client: Peer {
        guard isProxied else { return peer }
        if case .failed = parser.state { return peer }
        return settings.proxies.client(of: Headers(head: parser.head), behind: peer)
    }

    /// The target of the request at hand, as far as it could be read.
    var target: ArraySlice<UInt8> { parser.head.bytes[parser.head.target.range] }

    /// The fields of the request at hand, as far as they could be read.
    var headers: Headers { Headers(head: parser.head) }

    private var isBlocked: Bool {
        unsafePending > 0 || pending.count >= settings.limits.pipeline || output.count > settings.limits.output
            || !pending.isEmpty && parser.state == .headComplete
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
                bodyDeadline = max(bodyDeadline, now + settings.rateWindow)
            }
            switch parser.next(input, &offset) {
            case .needMore:
                updatePhase(now)
                return .needInput
            case .head:
                if let step = judgeHead(available: input.count - offset, now) { return step }
            case .complete:
                if let step = takeRequest(now) { return step }
            case .failed(let failure):
                return reject(failure.error, closes: true, now)
            }
        }
        isWaiting = false
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

    private mutating func updatePhase(_ now: Int) {
        let next: Phase
        if !parser.isInsideRequest {
            next = .idle
        } else if !parser.isInsideBody {
            next = .head
        } else {
            next = parser.keepsBody ? .body : .draining
        }
        if next != phase || next == .idle {
            (phase, phaseStart) = (next, now)
        }
        if parser.isInsideBody { extendBodyDeadline(now) }
    }
}

/// From the head to the request.
extension ConnectionState {
    /// Decides about the body; nil when reading goes on.
    private mutating func judgeHead(available: Int, _ now: Int) -> Step? {
        let mayOvertake = parser.head.method?.isSafe == true && !parser.head.hasBody
        if !pending.isEmpty, !mayOvertake {
            isWaiting = true
            return .wait
        }
        if let refusal = parser.head.refusal { return rejectHead(refusal.error, now) }
        if let refusal, request.map(settings.hasPriority) != true { return reject(refusal, closes: true, now) }
        guard parser.head.hasBody else {
            parser.receiveBody(limit: 0)
            return nil
        }
        let length = parser.head.contentLength
        if !parser.head.isChunked, length <= min(available, settings.limits.smallBody) {
            parser.receiveBody(limit: length)
            return nil
        }
        return judgeBody(hasMore: available > 0, now)
    }

    private mutating func judgeBody(hasMore: Bool, _ now: Int) -> Step? {
        guard let request else { return rejectHead(.internalError, now) }
        do throws(HTTPError) {
            let admission = try settings.admitBody(request)
            if parser.head.contentLength > admission.limit { throw .contentTooLarge(limit: admission.limit) }
            let permit: (any AnyObject & Sendable)? =
                if let permit = admission.permit { permit } else { try lease(for: request) }
            parser.receiveBody(limit: admission.limit, permit: permit)
        } catch {
            return rejectHead(error, now)
        }
        beginBody(.body, now)
        if parser.head.expectsContinue, !hasMore { output.append { $0.append("HTTP/1.1 100 Continue\r\n\r\n") } }
        return nil
    }

    /// A share of the budget for bodies. Administration must get through when the town does not, and has few
    /// connections, so what comes over a unix socket needs none.
    private func lease(for request: Request) throws(HTTPError) -> BodyLease? {
        if request.isLocal { return nil }
        guard let lease = settings.bodies.lease(parser.firstReservation) else { throw .overloaded }
        return lease
    }

    /// Refuses a request whose framing is sound: the connection stays when its body is short enough to read over.
    private mutating func rejectHead(_ error: HTTPError, _ now: Int) -> Step {
        let isShort = !parser.head.isChunked && parser.head.contentLength <= settings.limits.drain
        let staysInStep = !parser.head.hasBody || isShort && !parser.head.expectsContinue
        let step = reject(error, closes: !staysInStep || refusal != nil, now)
        if hasEnded {
            // Whoever sends the body all the same is to see the response.
            needsLinger = needsLinger || parser.head.hasBody
        } else {
            parser.discardBody()
            beginBody(.draining, now)
        }
        return step
    }

    /// Makes a rejection the thing at hand.
    mutating func reject(_ error: HTTPError, closes: Bool, _ now: Int) -> Step {
        beginExchange(closes: closes, now)
        rejection = error
        if closes {
            needsLinger = true
            parser.dropBody()
        }
        return .rejection
    }

    /// Hands out the whole request; nil when it was refused before and its body is now read over.
    private mutating func takeRequest(_ now: Int) -> Step? {
        (phase, phaseStart) = (.idle, now)
        guard parser.keepsBody else {
            parser.finish()
            if isStopping { hasEnded = true }
            return nil
        }
        beginExchange(closes: refusal != nil, now)
        return .request
    }

    /// Numbers the request at hand and decides whether the connection outlives it.
    private mutating func beginExchange(closes: Bool, _ now: Int) {
        let persistence: ResponseEncoder.Persistence
        if closes || isStopping || !parser.head.keepsAlive {
            persistence = .close
            hasEnded = true
        } else {
            persistence = parser.head.isVersion10 ? .keepAlive : .open
        }
        let method = parser.head.method
        let next = exchange.number &+ 1
        exchange = Exchange(
            id: RequestID(parser.head, connection: number, number: next), number: next, method: method,
            isSafe: method?.isSafe ?? true, isVersion10: parser.head.isVersion10, persistence: persistence, start: now,
            peer: client)
    }
}
