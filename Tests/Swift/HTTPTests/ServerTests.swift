import Glibc
import Synchronization
import Testing

@testable import HTTP

/// The server over sockets of this machine.
@Suite struct ServerTests {
    /// The timeout of a client. Each test shortens only the timeout that it waits for: no stall of the machine can
    /// trigger another.
    private static let soon = Int.milliseconds(100)

    @Test func takesAChunkedUpload() throws {
        let server = try LiveServer()
        let client = try server.connect()
        let part = String(repeating: "x", count: 70_000)
        client.send("POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
        for _ in 0..<3 { client.send("\(String(part.utf8.count, radix: 16))\r\n\(part)\r\n") }
        client.send("0\r\n\r\n")
        #expect(try client.receive().body == "POST /a \(part)\(part)\(part)")
        #expect(try client.get("/b").status == 200)
    }

    @Test func answersFromOtherThreadsKeepTheirOrder() throws {
        let waiting = WaitingRoom()
        let server = try LiveServer(responder: waiting.enter)
        let client = try server.connect()
        let numbers = 0..<40
        client.send(numbers.map { "GET /\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
        try waiting.waitFor(numbers.count)
        // This thread is not the loop's; the last request gets its response first.
        waiting.answerAll(reversed: true)
        for number in numbers { #expect(try client.receive().body == "/\(number)") }
    }

    @Test func droppedResponsesAre500() throws {
        let server = try LiveServer(responder: { _ in .later { _ in } })
        let client = try server.connect()
        let response = try client.get("/")
        #expect(response.status == 500)
        #expect(response.body == "internal_error")
        #expect(try client.get("/").status == 500)
    }

    /// A client that has only closed its side still receives the response.
    @Test(arguments: [false, true])
    func aClientThatIsGoneAbandonsItsRequests(_ isReset: Bool) throws {
        let waiting = WaitingRoom()
        let server = try LiveServer(responder: waiting.enter)
        let client = try server.connect()
        client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
        try waiting.waitFor(1)
        waiting.answerAll(reversed: false)
        #expect(try client.receive().body == "/a")
        client.send("GET /b HTTP/1.1\r\nHost: a\r\n\r\nGET /c HTTP/1.1\r\nHost: a\r\n\r\n")
        try waiting.waitFor(2)
        #expect(!waiting.isAnyAbandoned)
        if isReset {
            client.reset()
            try wait { waiting.isAnyAbandoned }
            return
        }
        client.closeOutput()
        waiting.answerAll(reversed: false)
        for body in ["/b", "/c"] { #expect(try client.receive().body == body) }
    }

    @Test func answersWhatCannotBeReadAndCloses() throws {
        let server = try LiveServer()
        let client = try server.connect()
        // More behind the bad line than would fit a reset: the answer arrives all the same.
        client.send("GET / HTTP/1.1\r\nHost: a\r\nX : y\r\n\r\n" + String(repeating: "x", count: 30_000))
        let response = try client.receive()
        #expect(response.status == 400)
        #expect(response.fields["Date"] != nil)
        #expect(client.isAtEnd())
        #expect(try server.connect().get("/").status == 200)
    }

    @Test func sendsMoreThanTheSocketTakes() throws {
        let text = (0..<400_000).map { "\($0) " }.joined()
        let server = try LiveServer(responder: { _ in .now(Response(body: Array(text.utf8))) })
        let client = try server.connect()
        client.send(String(repeating: "GET / HTTP/1.1\r\nHost: a\r\n\r\n", count: 3))
        for _ in 0..<3 { #expect(try client.receive().body == text) }
    }

    @Test func letsAHeadGoThatDoesNotEnd() throws {
        let server = try LiveServer(configure: { $0.limits.headTimeout = Self.soon })
        let client = try server.connect()
        client.send("GET / HT")
        #expect(try client.receive().status == 408)
        #expect(client.isAtEnd())
    }

    @Test func letsClientsGoThatDoNotRead() throws {
        let isObserved = Mutex(false)
        let server = try LiveServer(
            observe: { _ in isObserved.withLock { $0 = true } },
            configure: { $0.limits.writeTimeout = Self.soon },
            responder: { _ in .now(Response(body: [UInt8](repeating: 0x61, count: 20_000_000))) })
        let deaf = try server.connect()
        deaf.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        // It reads when the server has let it go: before, it would not be deaf any more.
        let counted = server.server
        try wait { isObserved.withLock { $0 } && counted.connectionCount == 0 }
        #expect(deaf.rest().utf8.count < 20_000_000)
    }

    @Test func observesEveryAnswer() throws {
        let seen = Mutex<[AccessRecord]>([])
        do {
            let server = try LiveServer(observe: { record in seen.withLock { $0.append(record) } })
            let client = try server.connect()
            _ = try client.get("/a?b")
            client.send("HEAD /h HTTP/1.1\r\nHost: a\r\n\r\nBREW /c HTTP/1.1\r\nHost: a\r\n\r\nGET /d\r\n")
            _ = client.rest()
        }
        let records = seen.withLock { $0 }
        #expect(records.map(\.status.code) == [200, 200, 501, 400])
        #expect(records.map(\.method) == [.get, .head, nil, nil])
        #expect(records.map { String(decoding: $0.target, as: UTF8.self) } == ["/a?b", "/h", "/c", ""])
        #expect(records.map(\.bytes) == [9, 0, 15, 11])
        #expect(records.allSatisfy { $0.duration >= 0 })
        guard case .inet("127.0.0.1", let port, true) = records[0].peer else {
            Issue.record("\(records[0].peer)")
            return
        }
        #expect(port > 0)
    }
}

/// Stores requests until a test responds with their targets.
final class WaitingRoom: Sendable {
    private let guests = Mutex<[(target: [UInt8], response: DeferredResponse)]>([])

    @Sendable func enter(_ request: Request) -> EventualResponse {
        .later { deferred in
            let guest = (Array(request.target), deferred)
            self.guests.withLock { $0.append(guest) }
        }
    }

    func waitFor(_ count: Int) throws {
        try wait { guests.withLock { $0.count } >= count }
    }

    var isAnyAbandoned: Bool { guests.withLock { $0.contains { $0.response.isAbandoned } } }

    func answerAll(reversed: Bool) {
        let all = guests.withLock { guests in
            defer { guests = [] }
            return guests
        }
        for guest in reversed ? all.reversed() : all {
            guest.response.send { () throws(HTTPError) in Response(body: guest.target) }
        }
    }
}
