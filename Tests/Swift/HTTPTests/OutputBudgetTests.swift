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
        settings.unsent.count(1001)
        let late = ConnectionHarness(settings)
        late.appetite = 0
        late.receive(Self.pipeline)
        #expect(late.events == ["GET /0", "waits"])
        // A client that receives gets one response after the other, whatever others do.
        late.appetite = nil
        late.settle()
        #expect(late.bodies.count == 10)
        #expect(late.state.responseMemory == 0)
        settings.unsent.count(-1001)
        #expect(!settings.unsent.isExhausted && settings.unsent.bytes == 0)
    }

    /// A response that waits for an earlier one occupies memory as unsent output does.
    @Test func responsesThatWaitForOthersAreCounted() {
        var limits = HTTPLimits()
        limits.output = 100
        let connection = ConnectionHarness(limits)
        let long = "/" + String(repeating: "x", count: 60)
        connection.defers = { $0.path.encoded.elementsEqual("/first".utf8) }
        connection.get("/first")
        for _ in 0..<4 { connection.get(long) }
        #expect(connection.events == ["GET /first", "GET \(long)", "GET \(long)", "waits"])
        #expect(connection.state.responseMemory == 122)
        connection.respond(0, "done")
        #expect(connection.bodies == ["done"] + Array(repeating: long, count: 4))
        #expect(connection.state.waitingBytes == 0)
    }

    @Test func aBudgetIsExhaustedAndThenOverdrawn() {
        let budget = MemoryBudget(limit: 100)
        for (more, isExhausted, isOverdrawn) in [
            (100, false, false), (1, true, false), (100, true, true), (-1, true, false), (-100, false, false),
        ] {
            budget.count(more)
            #expect(budget.isExhausted == isExhausted && budget.isOverdrawn == isOverdrawn, "\(budget.bytes)")
        }
    }
}
