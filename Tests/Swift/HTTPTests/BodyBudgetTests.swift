import Synchronization
import Testing

@testable import HTTP

/// The memory for bodies of all connections that share a server's settings.
@Suite struct BodyBudgetTests {
    private static let mebibyte = 1 << 20

    private static func settings(
        _ bodies: Int, permit: (any AnyObject & Sendable)? = nil
    ) -> ConnectionSettings {
        var limits = HTTPLimits.askingAboutEveryBody
        limits.bodies = bodies
        return ConnectionSettings(
            limits: limits,
            admitBody: { _ throws(HTTPError) in BodyAdmission(limit: mebibyte, permit: permit) },
            hasPriority: { _ in false })
    }

    /// A connection that has sent a part of a body of a mebibyte.
    private static func claim(
        _ settings: ConnectionSettings, _ count: Int, chunked: Bool = false
    ) -> ConnectionHarness {
        let connection = ConnectionHarness(settings)
        let field = chunked ? "Transfer-Encoding: chunked" : "Content-Length: \(mebibyte)"
        connection.receive("POST / HTTP/1.1\r\nHost: a\r\n\(field)\r\n\r\n" + (chunked ? "100000\r\n" : ""))
        // As large as the buffer of an event loop.
        var rest = count
        while rest > 0 {
            connection.receive([UInt8](repeating: 0x78, count: min(rest, 16 << 10)))
            rest -= 16 << 10
        }
        return connection
    }

    @Test func strangersLeaveAnEighth() throws {
        let budget = MemoryBudget(limit: 800)
        let first = try #require(budget.lease(500, ofStranger: true))
        #expect(first.grow(to: 700) && !first.grow(to: 701))
        #expect(budget.lease(1, ofStranger: true) == nil)
        let other = try #require(budget.lease(50))
        #expect(other.grow(to: 100) && !other.grow(to: 101))
        #expect(budget.bytes == 800)
    }

    @Test(arguments: [false, true])
    func whatArrivesIsCountedAndWhatIsTooMuchIsRefused(chunked: Bool) {
        let settings = Self.settings(8 * Self.mebibyte)
        var claims = (0..<8).map { _ in Self.claim(settings, Self.mebibyte - 1, chunked: chunked) }
        #expect(claims.allSatisfy { $0.events.isEmpty })
        #expect(settings.bodies.bytes == 8 * Self.mebibyte)
        let refused = Self.claim(settings, Self.mebibyte - 1, chunked: chunked)
        #expect(refused.events.first?.hasPrefix("503") == true)
        #expect(refused.sent.contains("overloaded"))
        #expect(refused.state.parser.body.capacity == 0)
        #expect(settings.bodies.bytes == 8 * Self.mebibyte)
        // A client that finishes or disconnects makes room.
        claims[0].receive(chunked ? "x\r\n0\r\n\r\n" : "x")
        #expect(claims[0].statuses == ["200"])
        #expect(settings.bodies.bytes == 7 * Self.mebibyte)
        claims.removeLast()
        #expect(settings.bodies.bytes == 6 * Self.mebibyte)
        _ = claims[1].wait(20)
        #expect(claims[1].events == ["408", "lingers"])
        #expect(settings.bodies.bytes == 5 * Self.mebibyte)
    }

    @Test func withoutRoomForTheFirstBytesNoneAreAskedFor() {
        let settings = Self.settings(Self.mebibyte)
        let claim = Self.claim(settings, Self.mebibyte - 1)
        #expect(claim.events.isEmpty)
        let refused = ConnectionHarness(settings)
        refused.receive("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 9000\r\n\r\n")
        #expect(refused.statuses == ["503"])
    }

    @Test func aBodyIsCountedUntilNobodyHoldsItsRequest() {
        let settings = Self.settings(2 * Self.mebibyte)
        let connection = ConnectionHarness(settings)
        let handler = Mutex<Request?>(nil)
        connection.defers = { request in
            handler.withLock { $0 = request }
            return true
        }
        connection.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n")
        connection.receive([UInt8](repeating: 0x78, count: 100_000))
        #expect(settings.bodies.bytes == 100_000)
        connection.respond(0, "done")
        #expect(connection.bodies == ["done"])
        #expect(settings.bodies.bytes == 100_000)
        handler.withLock { $0 = nil }
        #expect(settings.bodies.bytes == 0)
    }

    /// A body never occupies more than is reserved.
    @Test(arguments: [1, 8191, 8192, 8193, 100_000, 1 << 20])
    func theRoomOfABodyIsNoLargerThanItsShare(length: Int) {
        let settings = Self.settings(2 * Self.mebibyte)
        let connection = ConnectionHarness(settings)
        connection.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n")
        for sent in stride(from: 0, to: length - 1, by: 1000) {
            connection.receive([UInt8](repeating: 0x78, count: min(1000, length - 1 - sent)))
            #expect(settings.bodies.bytes <= length)
            // The system's allocator rounds up.
            #expect(connection.state.parser.body.capacity <= settings.bodies.bytes + settings.bodies.bytes / 4 + 64)
        }
    }

    @Test func aPermitOfItsOwnStandsBesideTheBudget() {
        final class Permit: Sendable {}
        weak var released: Permit?
        var connection: ConnectionHarness?
        do {
            let permit = Permit()
            released = permit
            // Otherwise only the settings of this connection reference it.
            connection = Self.claim(Self.settings(1024, permit: permit), 500_000)
        }
        #expect(connection?.events == [])
        #expect(released != nil)
        connection = nil
        #expect(released == nil)
    }

    @Test func administrationIsOutsideTheBudget() {
        let settings = Self.settings(1024)
        var state = ConnectionState(settings: settings, peer: .local(uid: 0, pid: 1), now: 0)
        let head = Array("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\n".utf8)
        var offset = 0
        guard case .needInput = state.step(head.span, &offset, now: 0) else {
            Issue.record("the body is wanted")
            return
        }
        #expect(state.phase == .body && settings.bodies.bytes == 0)
    }

    /// A small body that arrived with its head is accepted without a call; for any other body the application is
    /// called.
    @Test(arguments: [(8192, true, "POST /p"), (8193, true, "404 to a request"), (8192, false, "404 to a request")])
    func smallBodies(length: Int, isWhole: Bool, event: String) {
        let connection = ConnectionHarness(HTTPLimits(), bodyLimit: { _ throws(HTTPError) in throw .notFound() })
        let head = "POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n"
        connection.receive(head + String(repeating: "x", count: isWhole ? length : length - 1))
        #expect(connection.events.map { $0.split(separator: " [")[0] } == [event[...]])
    }
}
