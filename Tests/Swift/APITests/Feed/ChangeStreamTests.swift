import HTTP
import SookeModel
import Testing

@testable import API
@testable import Service
@testable import Store

@Suite struct ChangeStreamTests {
    private func change(_ town: TestTown, _ kind: RecordKind, _ json: String...) async throws {
        _ = try await town.store.write(by: .local) { transaction in
            for json in json { try transaction.upsert(kind, json) }
        }
    }

    /// `event` and `id` of each block.
    private func outline(_ text: String) -> [String] {
        text.split(separator: "\n\n").map { block in
            block.split(separator: "\n").filter { !$0.hasPrefix("data") }.joined(separator: " ")
        }
    }

    @Test func streamSendsSnapshotThenChanges() async throws {
        let town = try await TestTown()
        let response = try await town.follow()
        #expect(response.headers.first("Content-Type") == "text/event-stream")
        #expect(response.headers.first("Cache-Control") == "no-store")
        #expect(response.headers.first("X-Accel-Buffering") == "no")
        let client = try #require(FeedClient(response))
        let start = town.position
        let whole = outline(await client.text())
        #expect(whole.first == "event: reset id: 0")
        #expect(whole.last == "id: \(start)")
        #expect(whole.dropFirst().dropLast().allSatisfy { !$0.contains("id:") })
        #expect(whole.count == 12)
        // Only the last event of a commit has the position.
        try await change(town, .category, #"{"slug":"bars","name":"Pubs"}"#, #"{"name":"New"}"#)
        let end = town.position
        #expect(outline(await client.text()) == ["event: category", "event: category id: \(end)"])
        // What it does not see does not appear.
        try await change(town, .business, #"{"slug":"shed","phone":"5"}"#)
        #expect(await client.text() == "")
        town.clock.advance(bySeconds: 15)
        #expect(await client.text() == "id: \(town.position)\n\n")
        #expect(await client.text() == "")
    }

    /// A page has all else already. It gets a position, from which it goes on after a lost connection.
    @Test func fromNowOn() async throws {
        let town = try await TestTown()
        let resets = town.service.feed.statistics(at: town.store.current.sequence).resets
        let client = try #require(FeedClient(try await town.follow("?since=now")))
        #expect(await client.text() == "id: \(town.position)\n\n")
        try await change(town, .category, #"{"slug":"bars","name":"Pubs"}"#)
        #expect(outline(await client.text()) == ["event: category id: \(town.position)"])
        #expect(town.service.feed.statistics(at: town.store.current.sequence).resets == resets)
    }

    /// A script sees events with data only.
    @Test func bookmarksAsEvents() async throws {
        let town = try await TestTown()
        let client = try #require(FeedClient(try await town.follow("?since=now&bookmarks=true")))
        let bookmark = "id: \(town.position)\nevent: bookmark\ndata: {}\n\n"
        #expect(await client.text() == bookmark)
        town.clock.advance(bySeconds: 15)
        #expect(await client.text() == bookmark)
    }

    @Test func aPositionIsContinued() async throws {
        let town = try await TestTown()
        let start = town.position
        try await change(town, .category, #"{"slug":"bars","name":"Pubs"}"#)
        let expected = ["event: category id: \(town.position)"]
        let header = [("Last-Event-ID", "\(start)")]
        let requests: [(String, [(String, String)])] = [("?since=\(start)", []), ("", header), ("?since=0", header)]
        for (query, headers) in requests {
            let client = try #require(FeedClient(try await town.follow(query, as: .nobody, headers)))
            #expect(outline(await client.text()) == expected)
        }
    }

    @Test func theServerStops() async throws {
        let town = try await TestTown()
        let client = try #require(FeedClient(try await town.follow()))
        town.service.feed.stop()
        #expect(await client.text() == "end")
        #expect(try await town.follow().status == .serviceUnavailable)
    }

    /// A client that waits is woken when its session expires, not with the next bookmark.
    @Test(.timeLimit(.minutes(20))) func theEndOfASessionWakes() async throws {
        let town = try await TestTown.peopled()
        let client = try #require(FeedClient(try await town.follow(as: .mia)))
        _ = await client.text()
        town.clock.advance(bySeconds: Accounts.idleSeconds - 5)
        #expect(await client.text().hasPrefix("id: "))
        #expect(await client.text() == "")
        town.clock.advance(bySeconds: 5)
        await client.isWoken()
        #expect(await client.text() == "event: revoked\ndata: {}\n\nend")
    }
}
