import HTTP
import Platform
import SookeModel
import Testing

@testable import API
@testable import HTTP
@testable import Service
@testable import Store

/// Clients that are far behind: long catch-ups, by stream and by poll.
@Suite struct ChangeCatchUpTests {
    /// Whether the server was started again since the client had its position, so that the commits come from the log.
    enum Place: CaseIterable { case memory, restart }

    /// A town, and a position with many commits after it, each of one business with a long text.
    private func town(
        _ place: Place, commits: Int = 40
    ) async throws -> (town: TestTown, start: String, before: FeedReplica) {
        let town = try await TestTown()
        let start = town.position
        var before = FeedReplica()
        #expect(try !before.receive(page: Array(try await poll(town).utf8)))
        try await describe("zeds", town, times: commits)
        return (place == .restart ? try await town.reopened() : town, start, before)
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

    /// A client that sees none of the commits gets a bookmark, so that it keeps its place.
    @Test func aBookmarkAfterACatchUp() async throws {
        let (town, start, _) = try await town(.restart)
        let response = try await town.follow("?since=\(start)&topics=event")
        let text = String(decoding: try await parts(town, response, seconds: 15).joined(), as: UTF8.self)
        #expect(Set(text.split(separator: "\n\n")) == ["id: \(town.position)"])
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

    /// Commits from before a start are followed by those after it: nothing is left out between them.
    @Test func commitsAroundARestart() async throws {
        var (town, start, replica) = try await town(.restart, commits: 3)
        try await describe("anchor", town, times: 40)
        let before = replica.changeCount
        let parts = try await parts(town, try await town.follow("?since=\(start)"))
        try replica.receive(parts.joined())
        #expect(replica.changeCount == before + 43)
        #expect(replica.problems == [])
        #expect(replica.position == town.position)
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
        let town = place == .restart ? try await first.reopened() : first
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
                == #"{"reset":false,"changes":[],"position":"\#(town.position)","more":false}"#)
    }

    /// A poll visits so many commits at most, and says that there are more.
    @Test(arguments: Place.allCases) func aPollEndsAtItsBound(place: Place) async throws {
        let first = try await TestTown()
        let start = first.position
        var position = start
        await rename(first, times: 1_300)
        let town = place == .restart ? try await first.reopened() : first
        for round in 1...2 {
            let page = try await poll(town, "?since=\(position)&topics=event")
            var replica = FeedReplica()
            #expect(try replica.receive(page: Array(page.utf8)))
            #expect(replica.resets == 0)
            position = try #require(replica.position)
            let commit = try #require(FeedPosition(position))
            #expect(commit.sequence == 1 + 512 * round)
        }
        #expect(try await poll(town, "?since=\(position)&topics=event").hasSuffix(#"","more":false}"#))
        let text = try await parts(town, try await town.follow("?since=\(start)&topics=event"), seconds: 15).joined()
        #expect(text.starts(with: "id: ".utf8))
        #expect(town.service.feed.statistics(at: 0).resets == 0)
    }

    /// Positions that nobody was given: of the chain, of another store, and with other digits.
    @Test func forgedPositionsAreRefused() async throws {
        let town = try await TestTown.peopled()
        let commit = town.store.current.position
        let other = try await TestTown.peopled()
        #expect(town.position != "\(commit)")
        var forged = ["\(commit)", other.position, "\(commit.sequence).0000000000000000"]
        let last = try #require(town.position.last)
        forged.append(town.position.dropLast() + (last == "0" ? "1" : "0"))
        for position in forged {
            #expect(try await poll(town, "?since=\(position)").hasPrefix(#"{"reset":true,"#), "\(position)")
        }
        #expect(try await poll(town, "?since=\(town.position)").hasPrefix(#"{"reset":false,"#))
        // The owner of the folder gets the position as the log has it, and may send either.
        for position in ["\(commit)", "\(commit).all"] {
            let page = try await town.send(.get, "\(ChangesRoute.path)?since=\(position)", as: .folder).text
            #expect(page == #"{"reset":false,"changes":[],"position":"\#(commit)","more":false}"#)
        }
    }

    /// What is not there is not searched for: a topic names a record, which an index finds.
    @Test func aTopicIsLookedUp() async throws {
        let town = try await TestTown()
        let slugs = ["nope", "zeds", "fiddle-night", "bars", "sports", "shed"]
        var kinds: [String: String] = [:]
        for slug in slugs {
            let page = try await poll(town, "?topics=\(slug)")
            kinds[slug] = page.split(separator: "\"kind\":\"").dropFirst().map { String($0.prefix { $0 != "\"" }) }
                .joined(separator: ",")
        }
        #expect(
            kinds == [
                "nope": "", "zeds": "business", "fiddle-night": "event", "bars": "category", "sports": "event_type",
                "shed": "",
            ])
        var whole = WholeVersion(town.store.current, for: .anyone, try ChangeTopics("nope,zeds"))
        var parts = 0
        while whole.next() != nil { parts += 1 }
        #expect(parts == 6, "one of each kind of record, and the end")
    }

    /// A commit may need several parts. Only its last event has the position, so that it is applied whole.
    @Test(arguments: Place.allCases) func aCommitOfSeveralParts(place: Place) async throws {
        let first = try await TestTown()
        let start = first.position
        _ = try await first.store.write(by: .local) { transaction in
            for number in 1...1_000 { try transaction.upsert(.category, #"{"name":"Category \#(number)"}"#) }
        }
        let town = place == .restart ? try await first.reopened() : first
        let parts = try await parts(town, try await town.follow("?since=\(start)"))
        #expect(parts.count > 2)
        #expect(parts.allSatisfy { $0.count < 40 * 1024 })
        #expect(parts.allSatisfy { $0.suffix(2) == [10, 10] })
        let blocks = String(decoding: parts.joined(), as: UTF8.self).split(separator: "\n\n")
        #expect(blocks.count == 1_000)
        #expect(blocks.allSatisfy { $0.hasPrefix("event: category\n") })
        #expect(blocks.dropLast().allSatisfy { !$0.contains("\nid: ") })
        #expect(blocks.last?.contains("\nid: \(town.position)\n") == true)
    }

    /// A client of another network takes a place of the network that has most, whose stream ends as a complete response.
    @Test func anotherNetworkTakesAPlace() async throws {
        let town = try await TestTown()
        for _ in 1..<2_048 { _ = try town.service.feed.join(at: 1, from: ClientNetwork(TestTown.stranger)) }
        let client = try #require(FeedClient(try await town.follow()))
        #expect(await client.text().hasPrefix("event: reset\n"))
        let other = try town.service.feed.join(at: 1, from: ClientNetwork(localUser: 7))
        await client.isWoken()
        #expect(await client.text() == "end")
        #expect(town.service.feed.isFollowing(other))
        #expect(town.service.feed.statistics(at: 0).followers == 2_048)
    }

    /// At the limit a stream is refused; a poll is not.
    @Test func tooManyClients() async throws {
        let town = try await TestTown()
        let position = town.position
        let network = ClientNetwork(TestTown.stranger)
        var clients: [Int] = []
        while let id = try? town.service.feed.join(at: 1, from: network) { clients.append(id) }
        #expect(clients.count == 2048)
        func statuses() async throws -> [Status] {
            var statuses = [try await town.follow().status, try await town.follow("?since=\(position)").status]
            for query in ["?since=\(position)", ""] {
                statuses.append(try await town.send(.get, ChangesRoute.path + query).status)
            }
            return statuses
        }
        let busy = Status.serviceUnavailable
        #expect(try await statuses() == [busy, busy, .ok, .ok])
        // A stream that ends makes room for another one.
        town.service.feed.leave(try #require(clients.last))
        do {
            let response = try await town.follow()
            #expect(response.status == .ok)
            #expect(try await town.follow().status == busy)
        }
        #expect(try await town.follow().status == .ok)
    }
}
