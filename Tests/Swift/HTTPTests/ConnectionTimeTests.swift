import Testing

@testable import HTTP

/// Timeouts, by a clock that the test moves.
@Suite struct ConnectionTimeTests {
    @Test func idleConnectionsEndSilently() {
        let connection = ConnectionHarness()
        #expect(!connection.wait(59.9))
        connection.get("/")
        #expect(!connection.wait(59.9))
        #expect(connection.wait(0.2))
        #expect(connection.events == ["GET /", "closed silently"])
    }

    @Test func aHeadHasTenSecondsHoweverItTrickles() {
        let connection = ConnectionHarness()
        _ = connection.wait(30)
        for byte in "GET / HT" {
            connection.receive(String(byte))
            #expect(!connection.wait(1.2))
        }
        connection.receive("T")
        #expect(connection.wait(0.5))
        #expect(connection.events == ["408", "lingers"])
        #expect(connection.sent.contains("Connection: close"))
        #expect(connection.wait(2))
        #expect(connection.events == ["408", "lingers", "closed silently"])
    }

    @Test func aBodyMustKeepUpARate() {
        let connection = ConnectionHarness(bodyLimit: { _ throws(HTTPError) in 1 << 20 })
        connection.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n")
        #expect(!connection.wait(19.9))
        // Ten seconds' worth at 1 KiB a second.
        connection.receive(String(repeating: "x", count: 10_240))
        #expect(!connection.wait(9.9))
        #expect(connection.wait(0.2))
        #expect(connection.events == ["408", "lingers"])
    }

    /// Bytes that arrived long ago do not extend the deadline now.
    @Test(arguments: ["Content-Length: 1048576", "Transfer-Encoding: chunked"])
    func aBodyThatLacksItsLastByteIsNotWaitedFor(field: String) {
        let connection = ConnectionHarness(bodyLimit: { _ throws(HTTPError) in 1 << 20 })
        connection.receive("POST / HTTP/1.1\r\nHost: a\r\n\(field)\r\n\r\n")
        if field.hasSuffix("chunked") { connection.receive("100000\r\n") }
        #expect(!connection.wait(15))
        connection.receive([UInt8](repeating: 0x78, count: 1 << 20 - 1))
        #expect(!connection.wait(9.9))
        #expect(connection.wait(0.2))
        #expect(connection.events == ["408", "lingers"])
        #expect(connection.state.parser.body.capacity == 0)
    }

    @Test func aBodyAtTheRateMayTakeItsTime() {
        let connection = ConnectionHarness(bodyLimit: { _ throws(HTTPError) in 1 << 20 })
        connection.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 102400\r\n\r\n")
        for _ in 0..<99 {
            connection.receive(String(repeating: "x", count: 1024))
            #expect(!connection.wait(1))
        }
        connection.receive(String(repeating: "x", count: 1024))
        #expect(connection.statuses == ["200"])
    }

    @Test func theHandlersTimeIsNotTheClients() {
        let connection = ConnectionHarness()
        connection.defers = { _ in true }
        connection.get("/")
        #expect(!connection.wait(1000))
        connection.respond(0, "a")
        #expect(!connection.wait(59))
        #expect(connection.wait(1.1))
    }

    @Test func aClientThatReadsTooSlowlyIsLetGo() {
        let connection = ConnectionHarness()
        connection.appetite = 10
        connection.get("/" + String(repeating: "x", count: 2000))
        // A byte every ten seconds is progress, but not enough of it.
        for _ in 0..<3 {
            #expect(!connection.wait(9.9))
            connection.appetite = 1
            connection.flush()
        }
        #expect(connection.wait(0.5))
    }

    @Test func aClientThatReadsSlowlyEnoughIsServed() {
        let connection = ConnectionHarness(bodyLimit: { _ throws(HTTPError) in 1 << 20 })
        connection.defers = { _ in true }
        connection.appetite = 0
        connection.get("/")
        connection.respond(0, String(repeating: "x", count: 100_000))
        for _ in 0..<95 {
            connection.appetite = 1024
            connection.flush()
            #expect(!connection.wait(1))
        }
        connection.appetite = nil
        connection.flush()
        #expect(connection.state.output.isEmpty)
        #expect(!connection.wait(59))
    }

    @Test func oneTooManyHasLittleTime() {
        let connection = ConnectionHarness(refusal: .overloaded)
        #expect(!connection.wait(1.9))
        #expect(connection.wait(0.2))
    }

    @Test func lingeringEndsAfterAWhileOrTooMuch() {
        let connection = ConnectionHarness()
        connection.receive("BAD\r\n\r\n")
        #expect(connection.events == ["400", "lingers"])
        #expect(connection.state.wantsInput)
        let (first, more) = (connection.state.discard(8 << 20), connection.state.discard(1))
        #expect(first && !more)
        #expect(connection.wait(2.1))
    }

    @Test func idleConnectionsMakeRoomWhereItIsCrowded() {
        let connection = ConnectionHarness()
        connection.get("/")
        #expect(!connection.wait(4.9, crowded: true))
        #expect(connection.wait(0.2, crowded: true))
    }

    @Test func aBodyThatIsReadOverMustKeepUpTheRateToo() {
        let connection = ConnectionHarness(bodyLimit: { _ throws(HTTPError) in throw .notFound() })
        connection.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n")
        connection.receive(String(repeating: "x", count: 59_999))
        #expect(!connection.wait(19.9))
        #expect(connection.wait(0.2))
        #expect(connection.events == ["404 to a request", "closed silently"])
    }
}
