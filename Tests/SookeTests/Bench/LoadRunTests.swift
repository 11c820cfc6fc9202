import Testing

@testable import sooke

/// Runs of a load with made-up answers at made-up moments: a millisecond is the unit.
@Suite struct LoadRunTests {
    private static let ms = 1_000_000
    static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"

    private func makeRun(rate: Int? = nil, connections: Int = 2, opened: Int? = nil) throws -> LoadRun {
        let source = RequestSource(
            method: .get, authority: "x", targets: [try RequestTemplate("/{n}")], body: nil, fields: [], seed: 1)
        var run = LoadRun(
            source: source, schedule: LoadSchedule(rate: rate, seconds: 1), connections: connections,
            timeout: 300 * Self.ms)
        for slot in run.connectionsToOpen(now: 0) {
            run.opening(slot, now: 0)
            if slot < opened ?? connections { run.opened(slot, now: 0) }
        }
        return run
    }

    private func answer(_ run: inout LoadRun, _ slot: Int, at ms: Int, _ text: String = ok) -> LoadRun.Next {
        run.received(slot, Array(text.utf8).span, now: ms * Self.ms)
    }

    @Test func asksAgainWhenAnswered() throws {
        var run = try makeRun()
        #expect(run.isSettled && run.start(now: 0) == nil)
        run.begin(now: 0)
        #expect(run.start(now: 0) == 0)
        #expect(String(decoding: run.request, as: UTF8.self).hasPrefix("GET /1 HTTP/1.1\r\n"))
        #expect(run.start(now: 0) == 1)
        #expect(run.start(now: 0) == nil)
        #expect(answer(&run, 1, at: 3) == .free)
        #expect(run.start(now: 3 * Self.ms) == 1)
        #expect(String(decoding: run.request, as: UTF8.self).hasPrefix("GET /3 HTTP/1.1\r\n"))
        #expect(run.tally.answers == 1 && run.tally.latency.max == 3 * Self.ms)
    }

    @Test func countsWaitingForAConnection() throws {
        var run = try makeRun(rate: 100, connections: 1)
        run.begin(now: 0)
        #expect(run.start(now: 0) == 0)
        // Due at 10 ms, started at 50 ms, answered at 65 ms.
        #expect(run.start(now: 50 * Self.ms) == nil)
        #expect(answer(&run, 0, at: 50) == .free)
        #expect(run.start(now: 50 * Self.ms) == 0)
        #expect(answer(&run, 0, at: 65) == .free)
        #expect(run.tally.latency.max == 55 * Self.ms)
        run.finish(now: 1_000 * Self.ms)
        #expect(run.tally.unanswered == 98)
    }

    @Test func usesAllConnectionsInTurn() throws {
        var run = try makeRun(connections: 3)
        run.begin(now: 0)
        for slot in [0, 1, 2] { #expect(run.start(now: 0) == slot) }
        for slot in [2, 0, 1] { _ = answer(&run, slot, at: 1) }
        for slot in [2, 0, 1] { #expect(run.start(now: 0) == slot) }
    }

    @Test(arguments: 1..<ok.utf8.count)
    func readsAnswersInParts(cut: Int) throws {
        var run = try makeRun(connections: 1)
        run.begin(now: 0)
        _ = run.start(now: 0)
        let bytes = Array(Self.ok.utf8)
        #expect(run.received(0, bytes.span.extracting(0..<cut), now: 1) == .wait)
        #expect(run.received(0, bytes.span.extracting(cut..<bytes.count), now: 2) == .free)
        #expect(run.tally.bytes == Self.ok.utf8.count)
    }

    /// What the server says to a request, what to do then, and what is counted.
    static let answers: [(text: String, next: LoadRun.Next, status: Int?, failure: LoadFailure?)] = [
        ("HTTP/1.1 503 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", .close, 503, nil),
        ("HTTP/1.1 204 No Content\r\n\r\n", .free, 204, nil),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n", .free, 200, nil),
        ("SSH-2.0\r\n", .close, nil, .malformed),
        ("HTTP/1.1 204 No Content\r\n\r\nmore", .close, nil, .malformed),
    ]

    @Test(arguments: answers)
    func understands(text: String, next: LoadRun.Next, status: Int?, failure: LoadFailure?) throws {
        var run = try makeRun(connections: 1)
        run.begin(now: 0)
        _ = run.start(now: 0)
        #expect(answer(&run, 0, at: 1, text) == next)
        #expect(run.tally.statuses.map(\.status) == (status.map { [$0] } ?? []))
        #expect(run.tally.failures == (failure == nil ? 0 : 1))
        if let failure { #expect(run.tally.count(of: failure) == 1) }
        // A closed connection is opened again at once.
        #expect(run.connectionsToOpen(now: 1 * Self.ms) == (next == .close ? [0] : []))
    }

    @Test func takesTheEndForTheEndOfAnAnswerWithoutLength() throws {
        var run = try makeRun(connections: 1)
        run.begin(now: 0)
        _ = run.start(now: 0)
        #expect(answer(&run, 0, at: 1, "HTTP/1.1 200 OK\r\n\r\nhello") == .wait)
        run.ended(0, now: 2 * Self.ms)
        #expect(run.tally.answers == 1 && run.tally.failures == 0 && run.phase(of: 0) == .closed)
    }

    @Test func aConnectionThatClosesEarlyIsAFailureOnlyWhenAsked() throws {
        var run = try makeRun()
        run.begin(now: 0)
        _ = run.start(now: 0)
        _ = answer(&run, 0, at: 1, "HTTP/1.1 200 OK\r\n")
        run.ended(0, now: 2 * Self.ms)
        run.ended(1, now: 2 * Self.ms)
        #expect(run.tally.failures == 1 && run.tally.count(of: .closed) == 1)
        #expect(run.connectionsToOpen(now: 2 * Self.ms) == [0, 1])
        #expect(run.start(now: 2 * Self.ms) == nil)
        // What is left of the broken answer does not spoil the next one.
        run.opening(0, now: 3 * Self.ms)
        run.opened(0, now: 3 * Self.ms)
        #expect(run.start(now: 3 * Self.ms) == 0)
        #expect(answer(&run, 0, at: 4) == .free)
    }

    @Test func leavesARefusedConnectionAloneForAWhile() throws {
        var run = try makeRun(connections: 2, opened: 1)
        #expect(!run.isSettled)
        run.fail(1, .refused, now: 5 * Self.ms)
        #expect(run.isSettled && run.tally.count(of: .refused) == 1)
        #expect(run.connectionsToOpen(now: 104 * Self.ms).isEmpty)
        #expect(run.connectionsToOpen(now: 105 * Self.ms) == [1])
    }

    @Test func givesUpAfterTheTimeout() throws {
        var run = try makeRun(connections: 3, opened: 2)
        run.begin(now: 0)
        _ = run.start(now: 0)
        #expect(run.overdue(now: 299 * Self.ms).isEmpty)
        // The one that was asked and the one that never came about; the free one stays.
        #expect(run.overdue(now: 300 * Self.ms) == [0, 2])
        #expect(run.tally.count(of: .timeout) == 2)
    }

    @Test func waitsAtTheEndForWhatIsUnderWay() throws {
        var run = try makeRun(rate: 2, connections: 2)
        run.begin(now: 0)
        _ = run.start(now: 0)
        _ = run.start(now: 600 * Self.ms)
        _ = answer(&run, 0, at: 700)
        #expect(!run.isDone(now: 1_000 * Self.ms))
        _ = answer(&run, 1, at: 1_100)
        #expect(run.isDone(now: 1_100 * Self.ms))
        run.finish(now: 1_100 * Self.ms)
        #expect(run.tally.answers == 2 && run.tally.answersInTime == 1 && run.tally.unanswered == 0)
    }

    @Test func anEarlyEndLeavesWhatIsUnderWayUnanswered() throws {
        var run = try makeRun(connections: 2)
        run.begin(now: 0)
        _ = run.start(now: 0)
        run.finish(now: 500 * Self.ms)
        #expect(run.tally.unanswered == 1 && run.schedule.span == 500 * Self.ms)
    }
}
