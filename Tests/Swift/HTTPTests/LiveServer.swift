import Glibc
import Platform
import Synchronization

@testable import HTTP

/// A server on a free port of this machine, with a client for tests.
struct LiveServer: ~Copyable {
    let server: Server
    let addresses: [BoundAddress]

    init(
        listeners: [ListenAddress] = [.tcp(host: "127.0.0.1", port: 0)], loops: Int = 1,
        observe: (@Sendable (AccessRecord) -> Void)? = nil,
        configure: (inout ServerConfiguration) -> Void = { _ in },
        hasPriority: @escaping @Sendable (Request) -> Bool = { _ in false },
        responder: @escaping @Sendable (Request) throws(HTTPError) -> EventualResponse = echo
    ) throws {
        var configuration = ServerConfiguration(listeners: listeners)
        configuration.loops = loops
        configure(&configuration)
        let application = TestApplication(responder: responder, isPreferred: hasPriority)
        server = Server(configuration: configuration, application: application, observe: observe)
        addresses = try server.start()
    }

    func connect() throws -> Client { try Client(addresses[0]) }

    deinit {
        server.stop(drainSeconds: 0)
        server.wait()
    }
}

/// Waits at most a minute for a condition that another thread fulfils.
func wait(until condition: () -> Bool) throws {
    for _ in 0..<60_000 where !condition() { usleep(1_000) }
    guard condition() else { throw Client.Failure(what: "waited in vain") }
}

/// Responds with a function, and refuses with the code of the error.
struct TestApplication: Application {
    var responder: @Sendable (Request) throws(HTTPError) -> EventualResponse = echo
    var isPreferred: @Sendable (Request) -> Bool = { _ in false }

    func respond(to request: Request) throws(HTTPError) -> EventualResponse { try responder(request) }

    func hasPriority(_ request: Request) -> Bool { isPreferred(request) }

    func response(to request: Request, failing error: HTTPError) -> Response { render(error) }

    func response(refusing request: RefusedRequest, _ error: HTTPError) -> Response { render(error) }

    private func render(_ error: HTTPError) -> Response {
        Response(error.status, headers: error.headers, body: Array(error.code.utf8))
    }
}

/// Responds with method, target and body.
@Sendable func echo(_ request: Request) -> EventualResponse {
    let text = "\(request.method.name) \(String(decoding: request.target, as: UTF8.self)) "
    return .now(Response(body: Array(text.utf8) + request.body))
}

/// A blocking client with a timeout of a minute: a machine that stalls for a while fails no test.
final class Client {
    private var descriptor: CInt
    private var received: [UInt8] = []
    private var hasEnded = false

    struct Failure: Error {
        let what: String
    }

    struct Received: Equatable {
        var status: Int
        var fields: [String: String]
        var body: String
    }

    init(_ address: BoundAddress) throws {
        let target: SocketAddress?
        switch address {
        case .tcp(let host, let port): target = SocketAddress(host: host, port: port)
        case .unix(let path): target = SocketAddress(path: path)
        }
        guard let target else { throw Failure(what: "address") }
        descriptor = socket(target.family, CInt(SOCK_STREAM.rawValue), 0)
        var patience = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        guard target.withPointer({ connect(descriptor, $0, $1) }) == 0 else { throw Failure(what: "connect") }
    }

    deinit { hangUp() }

    func send(_ text: String) {
        let bytes = Array(text.utf8)
        var offset = 0
        while offset < bytes.count {
            let count = bytes[offset...].withUnsafeBytes {
                Socket.send(descriptor, $0, UnsafeRawBufferPointer(start: nil, count: 0), moreFollows: false)
            }
            if count < 0 { return }
            offset += count
        }
    }

    func closeOutput() { Socket.closeOutput(descriptor) }

    func hangUp() {
        if descriptor >= 0 { Socket.close(descriptor) }
        descriptor = -1
    }

    /// Breaks the connection off instead of closing it.
    func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
        hangUp()
    }

    /// Whether the server has closed the connection gracefully, with nothing left to read.
    func isAtEnd() -> Bool { received.isEmpty && !fill() && hasEnded }

    private func fill() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var count = recv(descriptor, &buffer, buffer.count, 0)
        while count < 0 && errno == EINTR { count = recv(descriptor, &buffer, buffer.count, 0) }
        if count > 0 { received += buffer.prefix(count) }
        hasEnded = count == 0
        return count > 0
    }

    /// Everything until the server closes.
    func rest() -> String {
        String(decoding: restOfBytes(), as: UTF8.self)
    }

    /// The same as bytes.
    func restOfBytes() -> [UInt8] {
        while fill() {}
        defer { received = [] }
        return received
    }

    /// Everything up to an ending; less when the server closes before.
    func text(ending: String) -> String {
        let ending = Array(ending.utf8)
        while received.firstRange(of: ending) == nil, fill() {}
        let end = received.firstRange(of: ending)?.upperBound ?? received.count
        defer { received.removeFirst(end) }
        return String(decoding: received[..<end], as: UTF8.self)
    }

    /// The next response; `toHead` when it has no body regardless of its fields.
    func receive(toHead: Bool = false) throws -> Received {
        let end = Array("\r\n\r\n".utf8)
        var headEnd: Int?
        while headEnd == nil {
            headEnd = received.firstRange(of: end)?.upperBound
            if headEnd == nil, !fill() {
                throw Failure(what: "no whole head: \(String(decoding: received, as: UTF8.self))")
            }
        }
        let lines = String(decoding: received[..<(headEnd ?? 0)], as: UTF8.self).split(separator: "\r\n")
        received.removeFirst(headEnd ?? 0)
        var response = Received(status: Int(lines[0].split(separator: " ")[1]) ?? 0, fields: [:], body: "")
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            response.fields[String(parts[0])] = parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""
        }
        let length = toHead ? 0 : Int(response.fields["Content-Length"] ?? "0") ?? 0
        while received.count < length {
            if !fill() { throw Failure(what: "no whole body") }
        }
        response.body = String(decoding: received.prefix(length), as: UTF8.self)
        received.removeFirst(length)
        return response
    }

    func get(_ target: String) throws -> Received {
        send("GET \(target) HTTP/1.1\r\nHost: test\r\n\r\n")
        return try receive()
    }
}
