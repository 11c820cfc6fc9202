import Platform

/// One connection without its socket: bytes in, requests out; responses in, bytes out.
///
/// It orders responses by their requests, stops reading while too many are pending, and computes the client's deadline.
/// The shell around it (`EventLoop`) moves bytes and provides the time (monotonic nanoseconds).
///
/// 1. When bytes arrive, call `step` until it needs more or waits; after each request or rejection call `respond` or
///    `deferResponse` before the next `step`.
/// 2. Send what `output` contains and report it with `sent`.
/// 3. When `isFinished`, close; when `deadline` has passed, call `timeOut`.
struct ConnectionState {
    enum Step {
        case needInput
        case request
        /// `rejection` needs a response. `request` is set when its head could be read.
        case rejection
        /// Responses must be sent first; call `step` with the rest after the next response or send.
        case wait
        /// Input is discarded.
        case ended
    }

    enum Phase {
        case idle
        case head, body
        /// Discarding a refused body.
        case draining
        /// Discarding input, so that the client receives the response that refuses it.
        case lingering
    }

    let settings: ConnectionSettings
    let peer: Peer
    private let number: UInt64
    let isProxied: Bool
    /// nil for a proxy, a client on this machine and a unix socket, whose work is not limited.
    private let ownNetwork: ClientNetwork?
    /// The response at a limit of connections, unless the request has priority.
    let refusal: HTTPError?
    var parser: RequestParser
    var output = OutputQueue()
    var pending: [Pending] = []
    var outgoing: OutgoingBody?
    private(set) var exchange: Exchange
    private(set) var rejection = HTTPError.internalError
    /// No later request is processed before those that may change something.
    var unsafePending = 0

    var phase = Phase.idle
    var phaseStart: Int
    var bodyDeadline = 0
    var bodyBytesCounted = 0
    var hasEnded = false
    var inputHasEnded = false
    /// As `inputHasEnded`, but input that was not read may remain.
    private(set) var hasHungUp = false
    var isStopping = false
    /// The client may be sending; closing at once could destroy the response in transit.
    var needsLinger = false
    var lingered = 0
    private(set) var isWaiting = false
    var isYielding = false

    /// Since when output waits for the client, when it last received some, and how much since.
    var outputSince: Int?
    var lastProgress = 0
    var sentSince = 0

    init(
        settings: ConnectionSettings, peer: Peer, refusal: HTTPError? = nil,
        number: UInt64 = RequestID.nextConnection(), now: Int
    ) {
        (self.settings, self.peer, self.refusal, self.number) = (settings, peer, refusal, number)
        isProxied = settings.proxies.contains(peer)
        ownNetwork = isProxied || peer.isOnThisMachine ? nil : ClientNetwork(peer)
        exchange = Exchange(
            id: RequestID(RequestHead(), connection: number, number: .max), number: .max, method: nil, isSafe: true,
            isVersion10: false, persistence: .open, start: 0, peer: peer, network: ownNetwork)
        parser = RequestParser(limits: settings.limits)
        phaseStart = now
    }

    /// After lingering if `needsLinger`.
    var isFinished: Bool { (hasEnded || inputHasEnded) && pending.isEmpty && output.isEmpty }

    var wantsInput: Bool { !inputHasEnded && (phase == .lingering || !isBlocked) }

    var canResume: Bool { isWaiting && !isBlocked }

    var hasPending: Bool { !pending.isEmpty }

    var hasResponses: Bool { hasPending || !output.isEmpty }

    var awaitedNumbers: [UInt32] { pending.filter(\.isAwaited).map(\.exchange.number) }

    /// nil when it could not be read or its method is unknown. Inlined, like its deadline: a call would copy the state.
    @inline(__always)
    var request: Request? {
        if case .failed = parser.state { nil } else { parser.request(from: client, exchange.id) }
    }

    private var client: Peer {
        if case .failed = parser.state { return peer }
        guard isProxied else {
            settings.unknownProxy?.check(Headers(head: parser.head), of: peer)
            return peer
        }
        return settings.proxies.client(of: Headers(head: parser.head), behind: peer)
    }

    var target: ArraySlice<UInt8> { parser.head.bytes[parser.head.target.range] }

    /// As far as they could be read, like the target.
    var headers: Headers { Headers(head: parser.head) }

    private var isBlocked: Bool {
        isYielding || unsafePending > 0 || pending.count >= settings.limits.pipeline
            || !pending.isEmpty && parser.state == .headComplete
            || pending.last?.isStreamed == true
            || output.count + waitingBytes > settings.limits.output
            || hasResponses && !parser.isInsideBody && settings.unsent.isScarce
    }

    var responseMemory: Int { output.memory + waitingBytes }

    private var waitingBytes: Int { pending.reduce(0) { $0 + $1.memory } }

    var isMetered: Bool { isProxied || ownNetwork != nil }

    var watchesForHangUp: Bool { hasPending && !wantsInput && !inputHasEnded && !hasHungUp }

    mutating func step(_ input: Span<UInt8>, _ offset: inout Int, now: Int) -> Step {
        while !hasEnded {
            if isBlocked {
                isWaiting = true
                return .wait
            }
            if isWaiting {
                isWaiting = false
                phaseStart = now
                bodyDeadline = max(bodyDeadline, now + settings.limits.rateWindow)
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

    /// Complete requests still get a response, an incomplete one is dropped.
    mutating func inputEnded() {
        inputHasEnded = true
        endEndlessBody()
    }

    /// While no input is read.
    mutating func hungUp() {
        hasHungUp = true
        endEndlessBody()
    }

    /// The body is now complete, unless its source has another part.
    private mutating func endEndlessBody() {
        if outgoing?.stream.isEndless == true { outgoing?.isPending = false }
    }

    /// The last response closes the connection; an idle connection ends.
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
        if next != phase || next == .idle { (phase, phaseStart) = (next, now) }
        if parser.isInsideBody { extendBodyDeadline(now) }
    }
}

extension ConnectionState {
    /// nil when reading continues.
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
                if let permit = admission.permit { permit } else { try lease(for: request, admission.isOfStranger) }
            parser.receiveBody(limit: admission.limit, permit: permit)
        } catch {
            return rejectHead(error, now)
        }
        beginBody(.body, now)
        if parser.head.expectsContinue, !hasMore { output.append { $0.append("HTTP/1.1 100 Continue\r\n\r\n") } }
        return nil
    }

    /// Administration must work when the town's requests do not, so requests over a unix socket need no share.
    private func lease(for request: Request, _ isOfStranger: Bool) throws(HTTPError) -> BodyLease? {
        if request.isLocal { return nil }
        let lease = settings.bodies.lease(parser.firstReservation, ofStranger: isOfStranger)
        guard let lease else { throw .overloaded }
        return lease
    }

    /// The framing is valid: the connection stays open when the body is short enough to be discarded.
    private mutating func rejectHead(_ error: HTTPError, _ now: Int) -> Step {
        let isShort = !parser.head.isChunked && parser.head.contentLength <= settings.limits.drain
        let staysInStep = !parser.head.hasBody || isShort && !parser.head.expectsContinue
        let step = reject(error, closes: !staysInStep || refusal != nil, now)
        if hasEnded {
            // A client that sends the body anyway must receive the response.
            needsLinger = needsLinger || parser.head.hasBody
        } else {
            parser.discardBody()
            beginBody(.draining, now)
        }
        return step
    }

    mutating func reject(_ error: HTTPError, closes: Bool, _ now: Int) -> Step {
        beginExchange(closes: closes, now)
        rejection = error
        if closes {
            needsLinger = true
            parser.dropBody()
        }
        return .rejection
    }

    /// nil when it was refused before; its body is now discarded.
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
        let client = client
        exchange = Exchange(
            id: RequestID(parser.head, connection: number, number: next), number: next, method: method,
            isSafe: method?.isSafe ?? true, isVersion10: parser.head.isVersion10, persistence: persistence, start: now,
            peer: client, network: network(of: client))
    }

    /// nil when it is exempt, as is a proxy that names no client.
    private func network(of client: Peer) -> ClientNetwork? {
        if !isProxied { return ownNetwork }
        if client == peer { return nil }
        return client == exchange.peer ? exchange.network : ClientNetwork(client)
    }
}

final class ConnectionSettings: Sendable {
    let limits: HTTPLimits
    let admitBody: @Sendable (Request) throws(HTTPError) -> BodyAdmission
    let hasPriority: @Sendable (Request) -> Bool
    let proxies: TrustedProxies
    let unknownProxy: UnknownProxy?
    let requiresHTTPS: Bool
    let bodies: MemoryBudget
    let unsent: MemoryBudget

    init(
        limits: HTTPLimits, admitBody: @escaping @Sendable (Request) throws(HTTPError) -> BodyAdmission,
        hasPriority: @escaping @Sendable (Request) -> Bool, proxies: TrustedProxies = TrustedProxies(),
        unknownProxy: UnknownProxy? = nil, requiresHTTPS: Bool = false
    ) {
        (self.limits, self.admitBody, self.hasPriority) = (limits, admitBody, hasPriority)
        (self.proxies, self.unknownProxy, self.requiresHTTPS) = (proxies, unknownProxy, requiresHTTPS)
        bodies = MemoryBudget(limit: limits.bodies)
        unsent = MemoryBudget(limit: limits.allOutput)
    }

    /// The time in which `bytes` arrive or leave at the minimum rate, in nanoseconds.
    func slowestTime(for bytes: Int) -> Int {
        let (product, overflows) = bytes.multipliedReportingOverflow(by: 1_000_000_000)
        return overflows ? .max / 4 : product / max(1, limits.minimumRate)
    }
}
