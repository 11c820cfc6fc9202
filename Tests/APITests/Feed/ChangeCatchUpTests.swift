import HTTP
import SookeModel
import Testing

@testable import API
@testable import HTTP
@testable import Service
@testable import Store

/// Clients that are far behind: long catch-ups, by stream and by poll.
@Suite struct ChangeCatchUpTests {
    /// Where the commits are that the client does not have.
    enum Place: CaseIterable { case memory, log }

    /// A town, and a position with many commits after it, each of one business with a long text.
    private func town(
        _ place: Place, commits: Int = 40
    ) async throws -> (town: TestTown, start: HistoryPosition, before: FeedReplica) {
        let town = try await TestTown()
        let start = town.store.current.position
        var before = FeedReplica()
        #expect(try !before.receive(page: Array(try await poll(town).utf8)))
        try await describe("zeds", town, times: commits)
        return (place == .log ? try await town.reopened() : town, start, before)
    }

    private func poll(_ town: TestTown, _ query: String = "") async throws -> String {
        let response = try await town.send(.get, ChangesRoute.path + query)
        #expect(response.status == .ok)
        return response.text
    }

    /// Writes many commits in few batches.
    private func rename(_ town: TestTown, times: Int) async {
        let store = town.store
        await withCheckedContinuation { continuation in
            for number in 1...times {
                let step: @Sendable (inout WriteTransaction) throws -> Void = {
                    try $0.upsert(.category, #"{"slug":"bars","name":"Bars \#(number)"}"#)
                }
                store.write(by: .local, step) { _ in if number == times { continuation.resume() } }
            }
        }
    }

    /// The parts of a stream until it has nothing more, or a bookmark only. Before each call of `next` time passes.
    private func parts(
        _ town: TestTown, _ response: Response, seconds: Int = 0
    ) async throws -> [[UInt8]] {
        guard case .stream(let stream) = response.content, let source = stream.source as? ChangeStream else {
            Issue.record("the response is no stream")
            return []
        }
        let (signals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        var parts: [[UInt8]] = []
        while true {
            let hasAll = source.livePosition == town.store.current.position
            town.clock.advance(bySeconds: seconds)
            switch stream.next(BodyWakeup { continuation.yield() }) {
            case .bytes(let bytes):
                parts.append(bytes)
                if hasAll { return parts }
            case .pending:
                if hasAll { return parts }
                for await _ in signals { break }
            case .end, .failed:
                Issue.record("the stream ends")
                return parts
            }
        }
    }

    /// Describes a business many times, with more bytes than are read from the log at a time.
    private func describe(_ slug: String, _ town: TestTown, times: Int) async throws {
        let words = String(repeating: "word ", count: 1_900)
        for number in 1...times {
            _ = try await town.store.write(by: .local) {
                try $0.upsert(.business, #"{"slug":"\#(slug)","description":"\#(words)\#(number)"}"#)
            }
        }
    }

    /// A client that sees none of the commits still gets bookmarks, so that it keeps its place.
    @Test func bookmarksDuringACatchUp() async throws {
        let (town, start, _) = try await town(.log)
        let response = try await town.follow("?since=\(start)&topics=event")
        let texts = try await parts(town, response, seconds: 15).map { String(decoding: $0, as: UTF8.self) }
        #expect(
            texts.allSatisfy { $0.hasPrefix("id: ") && $0.hasSuffix("\n\n") && $0.split(separator: "\n").count == 1 })
        #expect(texts.first == "id: \(start)\n\n")
        #expect(texts.last == "id: \(town.store.current.position)\n\n")
        let between = Set(texts).subtracting([try #require(texts.first), try #require(texts.last)])
        #expect(!between.isEmpty)
        // Each of them can be continued.
        for text in between {
            let position = text.dropFirst(4).dropLast(2)
            #expect(try await poll(town, "?since=\(position)&topics=event").hasPrefix(#"{"reset":false,"#))
        }
    }

    /// Pages follow until the last, each from the position of the one before.
    @Test(arguments: Place.allCases) func severalPages(place: Place) async throws {
        var (town, _, replica) = try await town(place, commits: 130)
        var positions = [replica.position]
        let resets = replica.resets
        var hasMore = true
        while hasMore {
            let position = try #require(replica.position)
            let page = try await poll(town, "?since=\(position)")
            hasMore = try replica.receive(page: Array(page.utf8))
            #expect(page.utf8.count < 2 << 20)
            #expect(!positions.contains(replica.position))
            positions.append(replica.position)
        }
        #expect(positions.count > 2)
        #expect(replica.resets == resets)
        var fresh = FeedReplica()
        #expect(try !fresh.receive(page: Array(try await poll(town).utf8)))
        #expect(replica.records == fresh.records)
        #expect(replica.position == fresh.position)
    }

    /// Commits that are only in the log are followed by those in memory: nothing is left out between them.
    @Test func theLogThenMemory() async throws {
        var (town, start, replica) = try await town(.log, commits: 3)
        try await describe("anchor", town, times: 40)
        #expect(town.store.current.commits(after: start) == nil)
        let before = replica.changeCount
        let parts = try await parts(town, try await town.follow("?since=\(start)"))
        try replica.receive(parts.joined())
        #expect(replica.changeCount == before + 43)
        #expect(replica.problems == [])
        #expect(replica.position == "\(town.store.current.position)")
    }

    /// A client that had fewer rights at its position must not get changes of records that it did not see then.
    @Test(arguments: Place.allCases) func moreRightsThanBefore(place: Place) async throws {
        let first = try await TestTown.peopled()
        var replica = FeedReplica()
        let page = try await first.send(.get, ChangesRoute.path, as: .mia).text
        #expect(try !replica.receive(page: Array(page.utf8)))
        let position = try #require(replica.position)
        try await describe("shed", first, times: 70)
        _ = try await first.store.write(by: .local) {
            try $0.upsert(.person, #"{"email":"mia@town.example","role":"super_admin"}"#)
        }
        let town = place == .log ? try await first.reopened() : first
        let parts = try await parts(town, try await town.follow("?since=\(position)", as: .mia))
        #expect(parts.first?.starts(with: "event: reset\n".utf8) == true)
        try replica.receive(parts.joined())
        #expect(replica.problems == [])
        let polled = try await town.send(.get, "\(ChangesRoute.path)?since=\(position)", as: .mia).text
        #expect(polled.hasPrefix(#"{"reset":true,"#))
    }

    /// Pages without anything for the client are passed over.
    @Test(arguments: Place.allCases) func noPageIsEmptyButTheLast(place: Place) async throws {
        let (town, start, _) = try await town(place, commits: 130)
        #expect(
            try await poll(town, "?since=\(start)&topics=event")
                == #"{"reset":false,"changes":[],"position":"\#(town.store.current.position)","more":false}"#)
    }

    /// A whole version is shorter than so many commits, unless they are in memory.
    @Test(arguments: [(Place.log, 1_000, false), (.log, 1_001, true), (.memory, 1_001, false)])
    func tooFarBack(place: Place, commits: Int, isReset: Bool) async throws {
        let first = try await TestTown()
        let start = first.store.current.position
        await rename(first, times: commits)
        let town = place == .log ? try await first.reopened() : first
        #expect(try await poll(town, "?since=\(start)").hasPrefix(#"{"reset":\#(isReset),"#))
        let text = try await parts(town, try await town.follow("?since=\(start)")).joined()
        #expect(text.starts(with: "event: reset\n".utf8) == isReset)
        let statistics = town.town.feed.statistics(at: 0)
        #expect(statistics.resets == (isReset ? 2 : 0))
        #expect(statistics.replays == (place == .log && !isReset ? 2 : 0))
    }

    /// A commit may need several parts. Only its last event has the position, so that it is applied whole.
    @Test(arguments: Place.allCases) func aCommitOfSeveralParts(place: Place) async throws {
        let first = try await TestTown()
        let start = first.store.current.position
        _ = try await first.store.write(by: .local) { transaction in
            for number in 1...1_000 { try transaction.upsert(.category, #"{"name":"Category \#(number)"}"#) }
        }
        let town = place == .log ? try await first.reopened() : first
        let parts = try await parts(town, try await town.follow("?since=\(start)"))
        #expect(parts.count > 2)
        #expect(parts.allSatisfy { $0.count < 40 * 1024 })
        #expect(parts.allSatisfy { $0.suffix(2) == [10, 10] })
        let blocks = String(decoding: parts.joined(), as: UTF8.self).split(separator: "\n\n")
        #expect(blocks.count == 1_000)
        #expect(blocks.allSatisfy { $0.hasPrefix("event: category\n") })
        #expect(blocks.dropLast().allSatisfy { !$0.contains("\nid: ") })
        #expect(blocks.last?.contains("\nid: \(town.store.current.position)\n") == true)
    }

    /// At the limit a stream and a poll that waits are refused; a poll that does not wait is not.
    @Test func tooManyClients() async throws {
        let town = try await TestTown()
        let position = town.store.current.position
        var clients: [Int] = []
        while let id = try? town.town.feed.join(at: position.sequence) { clients.append(id) }
        #expect(clients.count == 2048)
        func statuses() async throws -> [Status] {
            var statuses = [try await town.follow().status, try await town.follow("?since=\(position)").status]
            for query in ["?since=\(position)&wait=1", "?since=\(position)", "", "?wait=1"] {
                statuses.append(try await town.send(.get, ChangesRoute.path + query).status)
            }
            return statuses
        }
        let busy = Status.serviceUnavailable
        #expect(try await statuses() == [busy, busy, busy, .ok, .ok, .ok])
        // A stream that ends makes room for another one.
        town.town.feed.leave(try #require(clients.last))
        do {
            let response = try await town.follow()
            #expect(response.status == .ok)
            #expect(try await town.follow().status == busy)
        }
        #expect(try await town.follow().status == .ok)
    }
}
