import Glibc
import Platform
import Synchronization
import Testing

@testable import HTTP

/// Listening, connection limits, and shutdown.
@Suite struct ServerLimitTests {
    @Test func servesIPv6AndUnixSockets() throws {
        let path = "/tmp/sooke-http-test-\(getpid()).sock"
        let server = try LiveServer(
            listeners: [.unix(path: path), .tcp(host: "::1", port: 0)],
            responder: { .now(Response(body: Array("\($0.peer)".utf8))) })
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        let local = try Client(server.addresses[0]).get("/")
        #expect(local.body == "local(uid: \(getuid()), pid: \(getpid()))")
        let remote = try Client(server.addresses[1]).get("/")
        #expect(remote.body.hasPrefix("inet(address: \"::1\", port: "))
        #expect(server.addresses[1].description.hasPrefix("http://[::1]:"))
        server.server.stop(drainSeconds: 0)
        server.server.wait()
        #expect(stat(path, &status) != 0)
    }

    @Test func saysWhatIsWrongWithAnAddress() throws {
        let first = try LiveServer()
        guard case .tcp(_, let port) = first.addresses[0] else { return }
        for (address, code, words) in [
            (ListenAddress.tcp(host: "127.0.0.1", port: port), ServerError.Code.addressInUse, "127.0.0.1 port \(port)"),
            (.tcp(host: "192.0.2.1", port: 0), .addressNotAvailable, "192.0.2.1"),
            (.tcp(host: "sooke.example", port: 0), .invalidAddress, "sooke.example"),
            (.unix(path: "/nowhere/there.sock"), .invalidAddress, "/nowhere/there.sock"),
            (.unix(path: String(repeating: "x", count: 200)), .invalidAddress, "108 bytes"),
        ] {
            let error = #expect(throws: ServerError.self) { _ = try LiveServer(listeners: [address]) }
            #expect(error?.code == code)
            #expect(error?.description.contains(words) == true)
        }
    }

    @Test func replacesAStaleSocketOnlyWhenAskedAndNeverALiveOne() throws {
        let path = "/tmp/sooke-http-test-\(getpid())-stale.sock"
        defer { unlink(path) }
        do {
            let stale = try Socket.make(AF_UNIX)
            _ = SocketAddress(path: path)?.withPointer { bind(stale, $0, $1) }
            Socket.close(stale)
        }
        #expect(throws: ServerError.self) { _ = try LiveServer(listeners: [.unix(path: path)]) }
        let server = try LiveServer(listeners: [.unix(path: path, replacingStale: true)])
        #expect(try server.connect().get("/").status == 200)
        let error = #expect(throws: ServerError.self) {
            _ = try LiveServer(listeners: [.unix(path: path, replacingStale: true)])
        }
        #expect(error?.code == .addressInUse)
        #expect(try server.connect().get("/").status == 200)
    }

    @Test func finishesWhatRunsWhenItStops() throws {
        let waiting = WaitingRoom()
        let server = try LiveServer(responder: waiting.enter)
        let idle = try server.connect()
        let busy = try server.connect()
        busy.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
        try waiting.waitFor(1)
        server.server.stop(drainSeconds: 10)
        #expect(idle.isAtEnd())
        #expect(throws: Client.Failure.self) { try server.connect() }
        waiting.answerAll(reversed: false)
        let response = try busy.receive()
        #expect(response.body == "/a")
        #expect(response.fields["Connection"] == "close")
        #expect(busy.isAtEnd())
        server.server.wait()
        #expect(server.server.connectionCount == 0)
    }

    @Test func connectionOverTheLimitGets503AndHealthIsServed() throws {
        let server = try LiveServer(
            configure: { configuration in
                configuration.limits.connections = 2
                configuration.limits.overflowConnections = 2
            }, hasPriority: { $0.target.elementsEqual("/health".utf8) })
        let (first, second) = (try server.connect(), try server.connect())
        #expect(try first.get("/").status == 200)
        #expect(try second.get("/").status == 200)
        let third = try server.connect()
        let refused = try third.get("/")
        #expect(refused.status == 503)
        #expect(refused.fields["Retry-After"] == "1")
        #expect(try server.connect().get("/health").status == 200)
        #expect(try first.get("/").status == 200)
        third.hangUp()
        first.hangUp()
        var status = 503
        while status == 503 { status = try server.connect().get("/").status }
        #expect(status == 200)
    }

    /// At the connection limit no connection is accepted until one is closed; then waiting clients get their turn. Unix
    /// sockets have a limit of their own.
    @Test func acceptingPausesWhenEveryPlaceIsTaken() throws {
        let path = "/tmp/sooke-http-test-\(getpid())-lane.sock"
        let server = try LiveServer(
            listeners: [.tcp(host: "127.0.0.1", port: 0), .unix(path: path)],
            configure: { configuration in
                configuration.limits.connections = 1
                configuration.limits.overflowConnections = 1
            })
        let first = try server.connect()
        #expect(try first.get("/").status == 200)
        let silent = try server.connect()
        let waiting = try server.connect()
        waiting.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try Client(server.addresses[1]).get("/").status == 200)
        #expect(silent.isAtEnd())
        #expect(try waiting.receive().status == 503)
    }

    @Test func countsByAddress() {
        var limits = HTTPLimits()
        (limits.connections, limits.connectionsPerAddress, limits.overflowConnections) = (4, 2, 1)
        let admission = Admission(limits, descriptorLimit: 1000)
        let (one, other) = (ClientNetwork(addressBytes: [10, 0, 0, 1]), ClientNetwork(addressBytes: [10, 0, 0, 2]))
        let first = admission.admit(one)
        #expect(first?.refusal == nil && admission.admit(one)?.refusal == nil)
        let third = admission.admit(one)
        #expect(third?.refusal?.status == .tooManyRequests)
        #expect(admission.admit(one) == nil)
        #expect(admission.admit(other)?.refusal == nil && admission.admit(nil)?.refusal == nil)
        #expect(admission.isCrowded && !admission.hasRoom(isLocal: false))
        #expect(admission.count == 5)
        if let third { admission.release(third) }
        #expect(admission.hasRoom(isLocal: false))
        #expect(admission.admit(other)?.refusal?.status == .serviceUnavailable)
        if let first { admission.release(first) }
        #expect(admission.admit(one)?.refusal == nil)
    }

    /// A site has four times as many as an address, however many addresses it has.
    @Test func countsBySite() {
        var limits = HTTPLimits()
        limits.connectionsPerAddress = 1
        let admission = Admission(limits, descriptorLimit: 10_000)
        func admit(_ address: [UInt8]) -> Admission.Ticket? { admission.admit(ClientNetwork(addressBytes: address)) }
        func isRefused(_ address: [UInt8]) -> Bool { admit(address)?.refusal?.status == .tooManyRequests }
        let tickets = (1...4).map { admit([10, 0, 0, $0]) }
        #expect(tickets.allSatisfy { $0 != nil && $0?.refusal == nil })
        #expect(isRefused([10, 0, 0, 5]) && !isRefused([10, 0, 1, 5]))
        if let first = tickets[0] { admission.release(first) }
        #expect(!isRefused([10, 0, 0, 5]) && isRefused([10, 0, 0, 1]))
        let customer = (0..<8).map { [0x20, 1, 0xD, 0xB8, 0, 1, 0, $0] + [UInt8](repeating: 0, count: 8) }
        #expect(customer.map(isRefused) == [false, false, false, false, true, true, true, true])
    }

    @Test func leavesDescriptorsToTheRestOfTheProcess() {
        let admission = Admission(HTTPLimits(), descriptorLimit: 64)
        var count = 0
        while admission.admit(nil) != nil { count += 1 }
        #expect(count == 64 - HTTPLimits().reservedDescriptors - admission.localLimit)
        for _ in 0..<admission.localLimit { #expect(admission.admitLocal() != nil) }
        #expect(!admission.hasRoom(isLocal: true) && admission.admitLocal() == nil)
        #expect(admission.count == 64 - HTTPLimits().reservedDescriptors)
    }
}
