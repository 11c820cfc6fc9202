import Synchronization
import Testing

@testable import HTTP

/// The memory for unsent output of all connections that share a server's settings.
@Suite struct OutputBudgetTests {
    private static func settings(_ bytes: Int) -> ConnectionSettings {
        var limits = HTTPLimits()
        limits.allOutput = bytes
        return ConnectionSettings(
            limits: limits, admitBody: { _ throws(HTTPError) in BodyAdmission(limit: 1000) },
            hasPriority: { _ in false })
    }

    private static let pipeline = (0..<10).map { "GET /\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined()

    @Test func pipelinesAreReadOnlyWhileThereIsRoom() {
        let settings = Self.settings(1000)
        let ordinary = ConnectionHarness(settings)
        ordinary.appetite = 0
        ordinary.receive(Self.pipeline)
        #expect(ordinary.events.count == 10)
        settings.unsent.count(501)
        let late = ConnectionHarness(settings)
        late.appetite = 0
        late.receive(Self.pipeline)
        #expect(late.events == ["GET /0", "waits"])
        // A client that receives gets one response after the other, beside others that do not.
        late.appetite = nil
        late.settle()
        #expect(late.bodies.count == 10)
        #expect(late.state.responseMemory == 0)
        settings.unsent.count(-501)
        #expect(!settings.unsent.isScarce && settings.unsent.bytes == 0)
    }

    /// A response that waits for an earlier one occupies memory as unsent output does.
    @Test func responsesThatWaitForOthersAreCounted() {
        var limits = HTTPLimits()
        limits.output = 4_000
        let connection = ConnectionHarness(limits)
        let long = "/" + String(repeating: "x", count: 1_000)
        connection.defers = { $0.path.encoded.elementsEqual("/first".utf8) }
        connection.get("/first")
        for _ in 0..<4 { connection.get(long) }
        #expect(connection.events == ["GET /first", "GET \(long)", "GET \(long)", "waits"])
        // Three requests with their targets, and two bodies.
        #expect(3 * 500 + 4 * 1_001...6_000 ~= connection.state.responseMemory)
        connection.respond(0, "done")
        #expect(connection.bodies == ["done"] + Array(repeating: long, count: 4))
        #expect(connection.state.responseMemory == 0)
    }

    /// What a request waits for does not retain its head, which may be long, and is counted even without a body.
    @Test func requestsThatWaitAreCounted() {
        let connection = ConnectionHarness()
        connection.defers = { _ in true }
        for _ in 0..<64 { connection.get("/", "X: \(String(repeating: "y", count: 200))\r\n") }
        #expect(64 * 512...64 * 600 ~= connection.state.responseMemory)
    }

    /// The source of a streamed body occupies memory, so no later request is processed before its end.
    @Test func nothingIsProcessedBehindAStream() {
        let connection = ConnectionHarness()
        connection.streams = true
        for _ in 0..<4 { connection.get("/") }
        #expect(connection.events == ["GET /", "waits"])
        #expect(connection.state.hasPending && !connection.state.wantsInput)
    }

    /// A client that reads slowly does not occupy what it has received, or room for more.
    @Test func sentOutputIsReleased() {
        var output = OutputQueue()
        output.append { $0.append(contentsOf: [UInt8](repeating: 0, count: 200_000)) }
        #expect(output.memory >= 200_000)
        _ = output.sendFirst { first, _, _ in first.count - 100 }
        #expect(output.count == 100)
        #expect(output.memory <= 2 * 100 + OutputQueue.smallBody)
        _ = output.sendFirst { first, _, _ in first.count }
        #expect(output.isEmpty && output.memory == 0)
    }
}
