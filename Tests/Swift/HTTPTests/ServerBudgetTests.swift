import Platform
import Synchronization
import Testing

@testable import HTTP

/// What clients may cost each other, over sockets of this machine behind a proxy that names them.
@Suite struct ServerBudgetTests {
    /// A server behind a proxy, on which a request for `/dear` takes 20 ms of CPU time.
    private static func server(
        streamRate: Int = 32_000_000, stream: (@Sendable () -> BodyStream)? = nil
    ) throws -> LiveServer {
        try LiveServer(
            configure: {
                $0.proxies = ["127.0.0.1"]
                ($0.limits.work, $0.limits.workWait) = (.milliseconds(20), .milliseconds(500))
                ($0.limits.streamRate, $0.limits.writeTimeout) = (streamRate, .milliseconds(250))
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

    @Test func aNetworkThatCostsMuchWaitsAndIsThenRefused() throws {
        let server = try Self.server()
        let (stranger, reader) = (try server.connect(), try server.connect())
        stranger.send(String(repeating: Self.request("/dear", from: "1"), count: 60))
        var responses: [Client.Received] = []
        for _ in 0..<60 {
            responses.append(try stranger.receive())
            reader.send(Self.request("/cheap", from: "2"))
            #expect(try reader.receive().status == 200)
        }
        let refusals = responses.filter { $0.status == 429 && $0.body == "too_much_work" }
        #expect(!refusals.isEmpty && refusals.count < 60)
        #expect(refusals.allSatisfy { 1...4 ~= Int($0.fields["Retry-After"] ?? "") ?? 0 })
        stranger.send(Self.request("/health", from: "1"))
        #expect(try stranger.receive().status == 200)
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
