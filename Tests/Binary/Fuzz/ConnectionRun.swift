import Bytes

@testable import HTTP

/// One connection from its first byte to its end, driven as the event loop drives it.
struct ConnectionRun {
    /// A line for each request and refusal.
    private(set) var events: [[UInt8]] = []
    /// What the client got, without `100 Continue`: whether that is sent depends on what has arrived by then.
    private(set) var output: [UInt8] = []

    private var state = ConnectionState(settings: Self.settings, peer: Self.proxy, number: 1, now: 0)
    private var waiting: [UInt8] = []
    private var deferred: [(number: UInt32, event: [UInt8])] = []
    private var choices: SplitMix64?
    private let largestSend: Int
    private var messages: MessageCheck?
    private var isOver = false

    /// Small limits, so that short inputs reach them.
    private static let limits = {
        var limits = HTTPLimits()
        (limits.target, limits.field, limits.fields, limits.fieldCount) = (64, 96, 192, 6)
        (limits.chunkOverhead, limits.drain, limits.output, limits.pipeline) = (24, 32, 400, 3)
        (limits.smallBody, limits.bodies, limits.linger) = (0, 1024, 32)
        return limits
    }()
    private static let bodyLimit = 64
    private static let proxy = Peer.inet(address: "10.0.0.1", port: 1, isLoopback: false)
    private static let settings = ConnectionSettings(
        limits: limits,
        admitBody: { request throws(HTTPError) in
            if request.target.starts(with: "/no".utf8) { throw .notFound() }
            return BodyAdmission(limit: bodyLimit)
        },
        hasPriority: { _ in false }, proxies: TrustedProxies(["10.0.0.1"]))
    private static let encoder = ResponseEncoder(date: Timestamp.epoch)

    /// The whole life of a connection that gets these pieces.
    ///
    /// - Parameters:
    ///   - deferring: chooses which answers come later, and in which order; nil for none.
    ///   - largestSend: how many bytes the client takes at a time.
    static func of(
        _ pieces: [ArraySlice<UInt8>], deferring choices: SplitMix64? = nil, largestSend: Int = .max,
        checksMessages: Bool = false
    ) -> ConnectionRun {
        var run = ConnectionRun(choices, largestSend)
        if checksMessages { run.messages = MessageCheck(pieces.flatMap(\.self)) }
        for piece in pieces where !run.isOver { run.receive(piece) }
        run.end()
        return run
    }

    private init(_ choices: SplitMix64?, _ largestSend: Int) {
        (self.choices, self.largestSend) = (choices, largestSend)
    }

    private mutating func receive(_ piece: ArraySlice<UInt8>) {
        waiting += piece
        if state.wantsInput { advance() }
        settle()
        if choices?.once(in: 3) == true { answerOne() }
    }

    private mutating func end() {
        while !isOver, !deferred.isEmpty || !waiting.isEmpty {
            require(!deferred.isEmpty, "input is left over though nothing is unanswered")
            answerOne()
        }
        state.inputEnded()
        settle()
        require(state.isFinished, "a connection without input or answers goes on")
    }

    private mutating func settle() {
        send()
        while state.canResume || state.wantsInput && !waiting.isEmpty && !isOver {
            advance()
            send()
        }
        isOver = isOver || state.isFinished
    }

    private mutating func advance() {
        let input = waiting
        waiting = []
        var offset = 0
        loop: while true {
            let before = offset
            switch state.step(input.span, &offset, now: 0) {
            case .request:
                guard let request = state.request else { return require(false, "no request") }
                check(request)
                messages?.take(request, left: input.count - offset)
                note(describe(request))
            case .rejection:
                _ = state.request
                let error = state.rejection
                messages?.skip()
                note(Array("refused \(error.status.code) \(error.code) \(error.message)".utf8))
            case .needInput, .wait, .ended: break loop
            }
            require(offset >= before && offset <= input.count, "the offset goes astray")
        }
        waiting = Array(input[offset...])
    }

    /// Answers the request or refusal at hand, now or later.
    private mutating func note(_ event: [UInt8]) {
        require(!isOver, "something follows the end")
        events.append(event)
        if choices?.once(in: 2) == true {
            deferred.append((state.exchange.number, event))
            state.deferResponse()
        } else {
            state.respond(Response(body: event), Self.encoder)
        }
    }

    private mutating func answerOne() {
        if !deferred.isEmpty {
            let (number, event) = deferred.remove(at: choices?.below(deferred.count) ?? 0)
            state.respond(numbered: number, Response(body: event), Self.encoder)
        }
        settle()
    }

    private mutating func send() {
        while !state.output.isEmpty {
            var piece: [UInt8] = []
            let (_, sent) = state.output.sendFirst { first, second, _ in
                piece = Array((Array(first) + Array(second)).prefix(largestSend))
                return piece.count
            }
            state.sent(sent, now: 0)
            output += piece
        }
        dropContinue()
    }

    /// It goes out before the answer to its request begins, so it stands where an answer would.
    private mutating func dropContinue() {
        let interim = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
        while let found = output.firstRange(of: interim) { output.removeSubrange(found) }
    }
}

/// What is known about every request that is served.
extension ConnectionRun {
    private func check(_ request: Request) {
        require(!request.target.isEmpty, "a request without a target")
        require(
            request.target.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "#") }, "a target with a control")
        require(
            request.path.isAsterisk || request.path.encoded.first == UInt8(ascii: "/"), "a path without a root")
        require(request.target.count <= Self.limits.target, "a target beyond its limit")
        require(request.headers.count <= Self.limits.fieldCount, "more fields than the limit")
        require(request.body.count <= Self.bodyLimit, "a body beyond its limit")
        for segment in (try? request.path.segments()) ?? [] {
            require(segment != ".." && !segment.utf8.contains(0), "a segment that leads up, or holds NUL")
        }
    }

    private func describe(_ request: Request) -> [UInt8] {
        var line = Array("\(request.method.name) ".utf8)
        for part in [request.target, request.path.encoded, request.query.encoded, request.authority] {
            line += part + [UInt8(ascii: "|")]
        }
        let head = state.parser.head
        for field in head.fields.prefix(head.fieldCount) {
            line += head.bytes[field.name.range] + [UInt8(ascii: ":")] + head.bytes[field.value.range] + [0]
        }
        line += Array("\(request.peer)".utf8)
        for pair in (try? request.query.pairs()) ?? [] where pair.name == "a" { line += Array(pair.value.utf8) }
        return line + request.body
    }
}
