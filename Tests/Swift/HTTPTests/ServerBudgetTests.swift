import Platform
import Synchronization
import Testing

@testable import HTTP

/// What clients may cost each other, over sockets of this machine behind a proxy that names them.
@Suite struct ServerBudgetTests {
    /// A server behind a proxy, on which a request for `/dear` takes 20 ms of CPU time.
    private static func server(
        work: Int = .milliseconds(20), wait: Int = .milliseconds(500), streamRate: Int = 32_000_000,
        proxies: [String] = ["127.0.0.1"], stream: (@Sendable () -> BodyStream)? = nil
    ) throws -> LiveServer {
        try LiveServer(
            configure: {
                $0.proxies = proxies
                ($0.limits.work, $0.limits.workWait, $0.limits.streamRate) = (work, wait, streamRate)
                $0.limits.writeTimeout = .milliseconds(250)
            },
            hasPriority: { $0.path.encoded.elementsEqual("/health".utf8) },
            responder: { request in
                if let stream, request.path.encoded.elementsEqual("/stream".utf8) {
                    return .now(Response(stream: stream()))
                }
                if !request.path.encoded.elementsEqual("/cheap".utf8) { spend(20_000_000) }
                return echo(request)
            })
    }

    private static func request(_ path: String, from address: String) -> String {
        "GET \(path) HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 192.0.2.\(address)\r\n\r\n"
    }

    private static func statuses(_ client: Client, _ count: Int) throws -> [Int] {
        try (0..<count).map { _ in try client.receive().status }
    }

    @Test func aNetworkThatCostsMuchWaitsAndIsThenRefused() throws {
        let server = try Self.server()
        let (stranger, reader) = (try server.connect(), try server.connect())
        stranger.send(String(repeating: Self.request("/dear", from: "1"), count: 60))
        var refused: [Int] = []
        var cheap: [Int] = []
        for _ in 0..<60 {
            refused.append(try stranger.receive().status)
            reader.send(Self.request("/cheap", from: "2"))
            cheap.append(try reader.receive().status)
        }
        #expect(refused.contains(429) && refused.contains(200))
        #expect(Set(cheap) == [200])
    }

    /// What other threads have done for a network counts too.
    @Test func workOnOtherThreadsCounts() throws {
        let server = try LiveServer(
            configure: {
                $0.proxies = ["127.0.0.1"]
                ($0.limits.work, $0.limits.workWait) = (.milliseconds(100), .milliseconds(1))
            },
            responder: { request in
                guard request.path.encoded.elementsEqual("/far".utf8) else {
                    // Keeps the loop busy for another network.
                    Self.spend(2_000_000)
                    return echo(request)
                }
                return .later { deferred in
                    deferred.charge(4_000_000_000)
                    deferred.send { Response() }
                }
            })
        let (stranger, reader) = (try server.connect(), try server.connect())
        var statuses: [Int] = []
        while !statuses.contains(429), statuses.count < 10_000 {
            reader.send(String(repeating: Self.request("/", from: "\(statuses.count % 250)"), count: 40))
            stranger.send(Self.request("/far", from: "255"))
            statuses.append(try stranger.receive().status)
            for _ in 0..<40 { _ = try reader.receive() }
        }
        #expect(statuses.first == 200 && statuses.last == 429)
    }

    @Test func healthIsExempt() throws {
        let server = try Self.server(wait: .milliseconds(1))
        let client = try server.connect()
        client.send(String(repeating: Self.request("/dear", from: "1"), count: 40))
        client.send(String(repeating: Self.request("/health", from: "1"), count: 10))
        let statuses = try Self.statuses(client, 50)
        #expect(statuses.contains(429))
        #expect(statuses.suffix(10).allSatisfy { $0 == 200 })
    }

    @Test(arguments: [["127.0.0.1"], []])
    func thisMachineIsExemptUnlessItNamesClients(proxies: [String]) throws {
        let server = try Self.server(wait: .milliseconds(1), proxies: proxies)
        let client = try server.connect()
        client.send(String(repeating: "GET /dear HTTP/1.1\r\nHost: a\r\n\r\n", count: 40))
        #expect(Set(try Self.statuses(client, 40)) == [200])
    }

    @Test func aRefusalSaysWhenToComeAgain() throws {
        let server = try Self.server(work: .milliseconds(1), wait: .milliseconds(1))
        let client = try server.connect()
        client.send(String(repeating: Self.request("/dear", from: "1"), count: 40))
        let refusals = try (0..<40).map { _ in try client.receive() }.filter { $0.status == 429 }
        #expect(refusals.first?.body == "too_much_work")
        #expect(refusals.allSatisfy { 1...4 ~= Int($0.fields["Retry-After"] ?? "") ?? 0 })
    }

    /// A client that waits for its turn is not closed as one that does not receive.
    @Test func streamsArePacedAndComplete() throws {
        let count = 50
        let server = try Self.server(
            streamRate: 3_200_000, stream: { BodyStream(Parts(count: count, size: 32_000), length: count * 32_000) })
        let clients = try (0..<4).map { _ in try server.connect() }
        let begin = Clock.monotonic
        for (number, client) in clients.enumerated() { client.send(Self.request("/stream", from: "\(number)")) }
        for client in clients { #expect(try client.receive().body.utf8.count == count * 32_000) }
        // 6.4 MB, of which a tenth of a second is free.
        #expect(Clock.monotonic - begin > 1_500_000_000)
    }

    /// Pipelined requests after an endless body are not read, but its client is seen to leave.
    @Test(arguments: [true, false])
    func anEndlessBodyEndsWithItsClient(isReset: Bool) throws {
        let ended = Atomic<Int>(0)
        let server = try Self.server(stream: {
            BodyStream(Endless { ended.add(1, ordering: .relaxed) }, isEndless: true)
        })
        let client = try server.connect()
        client.send(Self.request("/stream", from: "1"))
        _ = client.text(ending: "begun\r\n")
        client.send(String(repeating: Self.request("/cheap", from: "1"), count: 2000))
        #expect(try server.connect().get("/cheap").status == 200)
        if isReset { client.reset() } else { client.hangUp() }
        try wait { ended.load(ordering: .relaxed) == 1 }
    }

    /// Works for so many nanoseconds of CPU time.
    private static func spend(_ time: Int) {
        let begin = Clock.threadCPU
        while Clock.threadCPU - begin < time {}
    }
}

/// A number of equal parts.
private final class Parts: BodySource {
    private let rest: Atomic<Int>
    private let size: Int

    init(count: Int, size: Int) {
        rest = Atomic(count)
        self.size = size
    }

    func next(_ wakeup: BodyWakeup) -> BodyPart {
        guard rest.subtract(1, ordering: .relaxed).newValue >= 0 else { return .end }
        return .bytes([UInt8](repeating: 0x78, count: size))
    }

    func end() {}
}

/// One part, and then nothing.
private final class Endless: BodySource {
    private let isBegun = Atomic<Bool>(false)
    private let onEnd: @Sendable () -> Void

    init(_ onEnd: @escaping @Sendable () -> Void) {
        self.onEnd = onEnd
    }

    func next(_ wakeup: BodyWakeup) -> BodyPart {
        isBegun.exchange(true, ordering: .relaxed) ? .pending : .bytes(Array("begun".utf8))
    }

    func end() { onEnd() }
}
