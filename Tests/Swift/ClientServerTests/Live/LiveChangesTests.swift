import Foundation
import Testing

@testable import ClientTestSupport
@testable import SookeClient

@Suite(.timeLimit(.minutes(20))) struct LiveChangesTests {
    private let server: StreamServer
    private let clock = ManualClock()

    init() throws {
        server = try StreamServer()
    }

    private func changes(since position: String? = nil, random: Double = 0) -> LiveChanges.Iterator {
        LiveChanges(server.client, since: position, clock: clock, random: { random }).makeAsyncIterator()
    }

    /// The elements that follow, of which the last one may be one of several.
    private func next(_ count: Int, _ iterator: inout LiveChanges.Iterator) async -> [String] {
        var elements: [String] = []
        for _ in 0..<count { elements.append(await iterator.next().map { "\($0)" } ?? "end") }
        return elements
    }

    /// Runs the server beside the client.
    private func script(_ body: @escaping @Sendable (StreamServer) async -> Void) -> Task<Void, Never> {
        Task { [server] in await body(server) }
    }

    @Test func deliversWholeCommits() async {
        let script = script { server in
            let exchange = await server.next()
            #expect(exchange.position == "0")
            #expect(exchange.head.contains("Accept: text/event-stream\r\n"))
            #expect(exchange.head.contains("Authorization: Bearer secret\r\n"))
            exchange.open()
            for part in [
                FeedText.reset, FeedText.category(1, "a") + FeedText.category(2, "b"), FeedText.bookmark("5"),
                FeedText.category(1, "x", "updated"), FeedText.category(2, nil, "deleted", at: "6"),
                FeedText.event("weather", "[1]", "7"), FeedText.bookmark("8"),
                FeedText.category(3, "c", at: "9") + FeedText.category(4, "d", at: "10"),
            ] { exchange.send(part) }
        }
        var iterator = changes()
        #expect(
            await next(7, &iterator) == [
                "connected", "whole [\"created c1\", \"created c2\"] at 5",
                "changes [\"updated c1\", \"deleted c2\"] at 6", "bookmark 7", "bookmark 8",
                "changes [\"created c3\"] at 9", "changes [\"created c4\"] at 10",
            ])
        await script.value
    }

    @Test func continuesFromTheLastWholeCommit() async {
        let script = script { [clock] server in
            let first = await server.next()
            #expect(first.position == "3")
            first.open()
            first.send(FeedText.category(1, "a", at: "4") + FeedText.category(2, "b"))
            first.fail()
            await clock.sleepsUntilAdvanced(by: .seconds(1))
            let second = await server.next()
            #expect(second.position == "4", "not the position of a part of a commit")
            second.open()
            second.send(FeedText.category(2, "b") + FeedText.category(3, "c", at: "5"))
        }
        var iterator = changes(since: "3")
        #expect(
            await next(5, &iterator) == [
                "connected", "changes [\"created c1\"] at 4", "disconnected by the network, retry in 0.25 seconds",
                "connected", "changes [\"created c2\", \"created c3\"] at 5",
            ])
        await script.value
    }

    @Test func interruptedSnapshotStartsOver() async {
        let script = script { [clock] server in
            let first = await server.next()
            first.open()
            first.send(FeedText.reset + FeedText.category(1, "a"))
            first.fail()
            await clock.sleepsUntilAdvanced(by: .seconds(1))
            let second = await server.next()
            #expect(second.position == "0", "the position before the reset is of no use")
            second.open()
            second.send(FeedText.reset + FeedText.category(1, "a"))
            second.send(FeedText.reset + FeedText.category(2, "b") + FeedText.bookmark("7"))
        }
        var iterator = changes(since: "6")
        #expect(
            await next(4, &iterator) == [
                "connected", "disconnected by the network, retry in 0.25 seconds", "connected",
                "whole [\"created c2\"] at 7",
            ])
        await script.value
    }

    @Test(arguments: [false, true])
    func endsWhenTheAccountMustSignIn(isRefused: Bool) async {
        let script = script { server in
            let exchange = await server.next()
            if isRefused {
                exchange.open(401, [:])
                exchange.end()
            } else {
                exchange.open()
                exchange.send(FeedText.revoked + FeedText.bookmark("9"))
            }
            await exchange.isStopped()
        }
        var iterator = changes(since: "3")
        #expect(
            await next(isRefused ? 3 : 4, &iterator) == (isRefused ? [] : ["connected"]) + ["revoked", "end", "end"])
        await script.value
    }

    @Test(
        arguments: [
            (
                503, ["Retry-After": "7", "Content-Type": "application/json"],
                #"{"error":{"code":"busy","message":""}}"#,
                "503 busy, retry in 7.25 seconds"
            ),
            (502, [:], "<html>", "502 -, retry in 0.25 seconds"),
            (200, ["Content-Type": "text/html"], "<html>", "notAStream, retry in 0.25 seconds"),
            (
                200, ["Content-Type": "text/event-stream; charset=utf-8"], FeedText.event("category", "{}"),
                "DecodingError, retry in 0.25 seconds"
            ),
        ] as [(Int, [String: String], String, String)])
    func triesAgainLater(status: Int, headers: [String: String], body: String, error: String) async {
        let script = script { server in
            let exchange = await server.next()
            exchange.open(status, headers)
            exchange.send(body)
            exchange.end()
        }
        var iterator = changes()
        var element = await iterator.next()
        if case .connected? = element { element = await iterator.next() }
        #expect(element.map { "\($0)" } == "disconnected by \(error)")
        await script.value
    }

    @Test func silenceIsABrokenConnection() async {
        let script = script { [clock] server in
            let first = await server.next()
            await clock.sleepsUntilAdvanced(by: .seconds(45))
            await first.isStopped()
        }
        var iterator = changes()
        #expect(await next(1, &iterator) == ["disconnected by silence, retry in 0.25 seconds"])
        await script.value
    }

    @Test func cancellingEndsTheRequest() async {
        let task = Task {
            var iterator = changes(since: "3")
            return await next(3, &iterator)
        }
        let exchange = await server.next()
        exchange.open()
        exchange.send(FeedText.bookmark("4"))
        task.cancel()
        await exchange.isStopped()
        #expect(await task.value.last == "end")
    }
}

@Suite struct ReconnectDelayTests {
    @Test func doublesUpToALimit() {
        var delay = ReconnectDelay { 0 }
        #expect(
            (0..<9).map { _ in delay.afterFailure() }.map { $0 / .milliseconds(1) } == [
                250, 500, 1000, 2000, 4000, 8000, 15000, 15000, 15000,
            ])
        delay.succeed()
        #expect(delay.afterFailure() == .milliseconds(250))
    }

    @Test(arguments: [(0, 250), (7, 7250), (-5, 250), (1_000_000, 3_600_250)])
    func honoursTheServer(seconds: Int, milliseconds: Int) {
        var delay = ReconnectDelay { 0 }
        #expect(delay.afterFailure(askedFor: seconds) == .milliseconds(milliseconds))
    }

    @Test func noDelayAfterAnEndOnce() {
        var delay = ReconnectDelay { 0 }
        #expect(delay.afterEnd() == .milliseconds(250), "nothing was delivered")
        delay.succeed()
        #expect(delay.afterEnd() == nil)
        #expect(delay.afterEnd() != nil)
    }
}
