import Bytes

@testable import HTTP

/// A source of a body that has nothing yet.
private final class Silent: BodySource {
    func next(_ wakeup: BodyWakeup) -> BodyPart { .pending }
    func end() {}
}

/// A `ConnectionState` with a fixed clock, driven like by the event loop.
final class ConnectionHarness {
    var state: ConnectionState
    var now = 0
    /// The events of the connection, one word or line each.
    var events: [String] = []
    /// How requests get a response at once; the others wait for `respond`.
    var defers: @Sendable (Request) -> Bool = { _ in false }
    /// Whether responses are streams whose source has nothing yet.
    var streams = false
    /// The bytes that the client receives; nil for all.
    var appetite: Int?
    private(set) var sent = ""
    private var carry: [UInt8] = []
    private let encoder = ResponseEncoder(date: Timestamp.epoch)

    static let second = 1_000_000_000

    init(
        _ limits: HTTPLimits = .askingAboutEveryBody, refusal: HTTPError? = nil,
        bodyLimit: @escaping @Sendable (Request) throws(HTTPError) -> Int = { _ throws(HTTPError) in 1000 },
        hasPriority: @escaping @Sendable (Request) -> Bool = { _ in false }
    ) {
        let settings = ConnectionSettings(
            limits: limits,
            admitBody: { request throws(HTTPError) in BodyAdmission(limit: try bodyLimit(request)) },
            hasPriority: hasPriority)
        state = Self.state(settings, refusal)
    }

    /// One of several connections that share their settings.
    init(_ settings: ConnectionSettings) {
        state = Self.state(settings, nil)
    }

    private static func state(_ settings: ConnectionSettings, _ refusal: HTTPError?) -> ConnectionState {
        ConnectionState(
            settings: settings, peer: .inet(address: "10.0.0.1", port: 1, isLoopback: false), refusal: refusal, now: 0)
    }

    func receive(_ text: String) {
        receive(Array(text.utf8))
    }

    func receive(_ bytes: some Sequence<UInt8>) {
        carry += bytes
        if state.wantsInput { advance() }
        settle()
    }

    func get(_ target: String, _ fields: String = "") {
        receive("GET \(target) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n")
    }

    func halfClose() {
        state.inputEnded()
        settle()
    }

    /// Responds to a deferred request.
    func respond(_ number: UInt32, _ text: String) {
        state.respond(numbered: number, Response(body: Array(text.utf8)), encoder)
        settle()
    }

    /// Moves the clock; true when the connection reacted.
    func wait(_ seconds: Double, crowded: Bool = false) -> Bool {
        now += Int(seconds * Double(Self.second))
        switch state.timeOut(now: now, crowded: crowded) {
        case .none: return false
        case .close: events.append("closed silently")
        case .reject:
            events.append("\(state.rejection.status.code)")
            state.respond(Response(state.rejection.status), encoder)
            settle()
        }
        return true
    }

    private func advance() {
        let input = carry
        carry = []
        var offset = 0
        loop: while true {
            switch state.step(input.span, &offset, now: now) {
            case .request: respond()
            case .rejection:
                let error = state.rejection
                events.append("\(error.status.code)\(state.request == nil ? "" : " to a request")")
                state.respond(Response(error.status, body: Array(error.code.utf8)), encoder)
            case .needInput: break loop
            case .wait:
                events.append("waits")
                break loop
            case .ended: break loop
            }
        }
        carry += input[offset...]
    }

    private func respond() {
        guard let request = state.request else { return events.append("no request") }
        let body = String(decoding: request.body, as: UTF8.self)
        events.append(
            "\(request.method.name) \(String(decoding: request.target, as: UTF8.self))\(body.isEmpty ? "" : " [\(body)]")"
        )
        if streams {
            state.respond(Response(stream: BodyStream(Silent())), encoder)
        } else if defers(request) {
            state.deferResponse()
        } else {
            state.respond(Response(body: Array(request.target)), encoder)
        }
    }

    func settle() {
        flush()
        while state.canResume {
            advance()
            flush()
        }
        if state.isFinished, state.phase != .lingering {
            if state.needsLinger, !state.inputHasEnded {
                state.beginLingering(now: now)
                events.append("lingers")
            } else if events.last != "closes" {
                events.append("closes")
            }
        }
    }

    func flush() {
        while !state.output.isEmpty {
            let room = appetite ?? .max
            var text: [UInt8] = []
            let (offered, taken) = state.output.sendFirst { first, second, _ in
                text += (Array(first) + Array(second)).prefix(room)
                return text.isEmpty ? -1 : text.count
            }
            sent += String(decoding: text, as: UTF8.self)
            if taken > 0 { state.sent(taken, now: now) }
            if appetite != nil { appetite = room - max(0, taken) }
            if taken < offered { return state.outputStalled(now: now) }
        }
    }

    /// The bodies sent so far: responses are `HTTP/1.1 … CR LF CR LF body`.
    var statuses: [String] {
        sent.split(separator: "HTTP/1.1 ").map { String($0.prefix(3)) }
    }

    /// The bodies sent so far.
    var bodies: [String] {
        sent.components("HTTP/1.1 ").compactMap { $0.components("\r\n\r\n").dropFirst().first }
    }
}

extension HTTPLimits {
    /// The defaults, but the application is called for a small body that arrived with its head too.
    static var askingAboutEveryBody: HTTPLimits {
        var limits = HTTPLimits()
        limits.smallBody = 0
        return limits
    }
}

extension String {
    /// The parts between a separator, empty ones left out.
    func components(_ separator: String) -> [String] {
        split(separator: separator).map(String.init)
    }
}

/// Times as `HTTPLimits` has them.
extension Int {
    static func seconds(_ count: Int) -> Int { count * 1_000_000_000 }

    static func milliseconds(_ count: Int) -> Int { count * 1_000_000 }
}
