import Testing

@testable import HTTP

@Suite struct ConnectionStateTests {
    private static let post = "POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n"

    @Test func deferredAnswersKeepTheOrderOfTheirRequests() {
        let connection = ConnectionHarness()
        connection.defers = { $0.target.last != UInt8(ascii: "!") }
        for target in ["/0", "/1", "/2!", "/3"] { connection.get(target) }
        #expect(connection.bodies == [])
        connection.respond(3, "d")
        connection.respond(1, "b")
        #expect(connection.bodies == [])
        connection.respond(0, "a")
        #expect(connection.bodies == ["a", "b", "/2!", "d"])
        connection.respond(0, "again")
        connection.respond(9, "never asked")
        #expect(connection.bodies.count == 4)
    }

    @Test func nothingOvertakesAWrite() {
        let connection = ConnectionHarness()
        connection.defers = { _ in true }
        connection.get("/0")
        connection.receive("\(Self.post)abc")
        #expect(connection.events == ["GET /0", "waits"])
        connection.respond(0, "a")
        #expect(connection.events == ["GET /0", "waits", "POST /p [abc]", "waits"])
        connection.get("/2")
        #expect(connection.events.count == 4)
        #expect(!connection.state.wantsInput)
        connection.respond(1, "b")
        #expect(connection.events.last == "GET /2")
        connection.respond(2, "c")
        #expect(connection.bodies == ["a", "b", "c"])
    }

    @Test func aLongPipelineWaitsForItsAnswers() {
        var limits = HTTPLimits()
        limits.pipeline = 2
        let connection = ConnectionHarness(limits)
        connection.defers = { _ in true }
        connection.receive(String(repeating: "GET / HTTP/1.1\r\nHost: a\r\n\r\n", count: 3))
        #expect(connection.events == ["GET /", "GET /", "waits"])
        connection.respond(0, "a")
        #expect(connection.events == ["GET /", "GET /", "waits", "GET /", "waits"])
    }

    @Test func readsNothingWhileTheClientDoesNot() {
        var limits = HTTPLimits()
        limits.output = 720
        let connection = ConnectionHarness(limits)
        connection.appetite = 0
        connection.receive(String(repeating: "GET /xxxxxxxx HTTP/1.1\r\nHost: a\r\n\r\n", count: 5))
        #expect(connection.events == ["GET /xxxxxxxx", "GET /xxxxxxxx", "GET /xxxxxxxx", "waits"])
        #expect(!connection.state.wantsInput)
        connection.appetite = nil
        connection.settle()
        #expect(connection.bodies.count == 5)
        #expect(connection.state.wantsInput)
    }

    @Test func closesWhenTheClientAsks() {
        let connection = ConnectionHarness()
        connection.get("/1", "Connection: close\r\n")
        #expect(connection.events == ["GET /1", "closes"])
        #expect(connection.sent.contains("Connection: close\r\n"))
    }

    @Test func version10ClosesUnlessItAsksToStay() {
        let connection = ConnectionHarness()
        connection.receive("GET /1 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        #expect(connection.sent.contains("Connection: keep-alive\r\n"))
        connection.receive("GET /2 HTTP/1.0\r\n\r\n")
        #expect(connection.events == ["GET /1", "GET /2", "closes"])
    }

    @Test func aFailureIsAnsweredInTurnAndEndsTheConnection() {
        let connection = ConnectionHarness()
        connection.defers = { _ in true }
        connection.receive(
            "GET /0 HTTP/1.1\r\nHost: a\r\n\r\nGET /\u{1} HTTP/1.1\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(connection.events == ["GET /0", "400"])
        #expect(connection.sent == "")
        connection.respond(0, "a")
        #expect(connection.bodies == ["a", "bad_request"])
        #expect(connection.events == ["GET /0", "400", "lingers"])
        #expect(connection.sent.contains("Connection: close"))
    }

    @Test func halfCloseStillGetsItsAnswers() {
        let connection = ConnectionHarness()
        connection.defers = { _ in true }
        connection.get("/0")
        connection.receive("GET /half HTT")
        connection.halfClose()
        #expect(connection.events == ["GET /0"])
        connection.respond(0, "a")
        #expect(connection.events == ["GET /0", "closes"])
        #expect(connection.bodies == ["a"])
    }

    @Test func continueIsSentWhenTheBodyIsWelcome() {
        let connection = ConnectionHarness()
        connection.receive("POST /p HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n")
        #expect(connection.sent == "HTTP/1.1 100 Continue\r\n\r\n")
        connection.receive("abc")
        #expect(connection.statuses == ["100", "200"])
        connection.receive("POST /p HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\nabc")
        #expect(connection.statuses == ["100", "200", "200"])
        connection.get("/g", "Expect: 100-continue\r\n")
        #expect(connection.statuses == ["100", "200", "200", "200"])
    }

    /// A body with a limit of 1,000 bytes, and 2,000 to be discarded: the result of its head.
    @Test(arguments: [
        ("Content-Length: 1000", []), ("Content-Length: 1001", ["413 to a request"]),
        ("Content-Length: 2001", ["413 to a request", "lingers"]),
        ("Expect: 100-continue\r\nContent-Length: 1001", ["413 to a request", "lingers"]),
        ("Expect: tea\r\nContent-Length: 10", ["417 to a request"]),
    ])
    func bodiesTheRouteDoesNotWant(_ fields: String, _ events: [String]) {
        var limits = HTTPLimits.askingAboutEveryBody
        limits.drain = 2000
        let connection = ConnectionHarness(limits)
        connection.receive("POST /p HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n")
        #expect(connection.events == events)
        #expect(connection.sent.contains("Connection: close") == events.contains("lingers"))
    }

    @Test func theRouteRefusesBeforeTheBody() {
        let connection = ConnectionHarness(bodyLimit: { request throws(HTTPError) in
            throw .notFound("no \(String(decoding: request.target, as: UTF8.self))")
        })
        connection.receive(Self.post)
        #expect(connection.events == ["404 to a request"])
        #expect(connection.bodies == ["not_found"])
        connection.receive("abc")
        connection.get("/next")
        #expect(connection.events == ["404 to a request", "GET /next"])
    }

    @Test func aChunkedBodyThatGrowsTooLarge() {
        let connection = ConnectionHarness(bodyLimit: { _ throws(HTTPError) in 4 })
        connection.receive("POST /p HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\n")
        #expect(connection.events == ["413", "lingers"])
    }

    /// A client that sends the body anyway must receive the response before the socket closes.
    @Test func aRefusedBodyIsReadOverBeforeTheConnectionCloses() {
        let closing = ConnectionHarness(bodyLimit: { _ throws(HTTPError) in throw .notFound() })
        closing.receive("POST /p HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 3\r\n\r\n")
        #expect(closing.events == ["404 to a request", "lingers"])

        let stopping = ConnectionHarness(bodyLimit: { _ throws(HTTPError) in throw .notFound() })
        stopping.receive(Self.post)
        stopping.state.beginStopping()
        stopping.receive("abc")
        #expect(stopping.events == ["404 to a request", "closes"])
    }

    @Test func stoppingClosesIdleConnectionsAndNotifiesTheOthers() {
        let idle = ConnectionHarness()
        idle.state.beginStopping()
        idle.settle()
        #expect(idle.events == ["closes"])

        let busy = ConnectionHarness()
        busy.defers = { _ in true }
        busy.get("/0")
        busy.get("/1")
        busy.state.beginStopping()
        busy.get("/2")
        busy.respond(0, "a")
        busy.respond(1, "b")
        #expect(busy.events == ["GET /0", "GET /1", "lingers"])
        #expect(busy.bodies == ["a", "b"])
        #expect(busy.sent.components("Connection: close").count == 2)

        let half = ConnectionHarness()
        half.receive("GET /0 HTTP/1.1\r\n")
        half.state.beginStopping()
        half.receive("Host: a\r\n\r\n")
        #expect(half.events == ["GET /0", "closes"])
        #expect(half.sent.contains("Connection: close"))
    }

    /// The loop processes waiting input as long as `canResume` is true.
    @Test func stoppingEndsAConnectionWhoseWriteIsUnderWay() {
        let harness = ConnectionHarness()
        harness.defers = { $0.method == .post }
        harness.receive("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\nGET /b HTTP/1.1\r\n")
        harness.state.beginStopping()
        harness.respond(0, "done")
        #expect(!harness.state.canResume)
        #expect(harness.bodies == ["done"])
        #expect(harness.state.isFinished)
    }

    @Test func connectionOverTheLimitIsRefusedUnlessItHasPriority() {
        let refused = ConnectionHarness(refusal: .overloaded, hasPriority: { $0.target.elementsEqual("/health".utf8) })
        #expect(refused.state.refusal != nil)
        refused.get("/list")
        #expect(refused.events == ["503 to a request", "lingers"])

        let favoured = ConnectionHarness(refusal: .overloaded, hasPriority: { $0.target.elementsEqual("/health".utf8) })
        favoured.get("/health")
        #expect(favoured.events == ["GET /health", "closes"])
    }
}
