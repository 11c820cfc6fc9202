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

    /// Foreign positions, also with the newest sequence number, and later ones.
    @Test(arguments: ["x", "1", "-1", "1.0000000000000000", "NEWEST.0000000000000000", "99.0000000000000000"])
    func anotherPositionIsReset(text: String) async throws {
        let town = try await TestTown()
        let since = text.split(separator: ".").map { $0 == "NEWEST" ? "\(town.store.current.sequence)" : "\($0)" }
        let client = try #require(FeedClient(try await town.follow("?since=\(since.joined(separator: "."))")))
        let whole = outline(await client.text())
        #expect(whole.first == "event: reset id: 0")
        #expect(whole.last == "id: \(town.position)")
        #expect(town.service.feed.statistics(at: 0).resets == 1)
    }

    @Test(
        arguments: [
            (.ada, .person, #"{"email":"ada@town.example","role":"general_user"}"#),
            (.olga, .business, #"{"slug":"zeds","owner_id":3}"#),
            (.otto, .business, #"{"slug":"zeds","owner_id":3}"#),
        ] as [(TestCaller, RecordKind, String)])
    func aChangeOfRightsEnds(caller: TestCaller, kind: RecordKind, json: String) async throws {
        let town = try await TestTown.peopled()
        let client = try #require(FeedClient(try await town.follow(as: caller)))
        _ = await client.text()
        try await change(town, .category, #"{"slug":"bars","name":"Pubs"}"#)
        try await change(town, kind, json)
        #expect(await client.text() == "event: revoked\ndata: {}\n\nend")
        #expect(await client.text() == "end")
    }

    /// Also in the middle of a snapshot.
    @Test func aDeletedSessionGetsNoMore() async throws {
        let town = try await TestTown.peopled()
        let client = try #require(FeedClient(try await town.follow(as: .ada)))
        _ = try await town.store.write(by: .local) { $0.deletePassword(of: 1) }
        let ids = town.store.current.town.credentials.of(person: 1).map(\.id)
        _ = try await town.store.write(by: .local) { transaction in
            for id in ids { transaction.deleteCredential(id) }
        }
        #expect(await client.text() == "event: revoked\ndata: {}\n\nend")
    }

    @Test func anExpiredSessionEnds() async throws {
        let town = try await TestTown.peopled()
        let client = try #require(FeedClient(try await town.follow(as: .mia)))
        _ = await client.text()
        town.clock.advance(bySeconds: Accounts.idleSeconds - 1)
        #expect(await client.text().hasPrefix("id: "))
        town.clock.advance(bySeconds: 1)
        #expect(await client.text() == "event: revoked\ndata: {}\n\nend")
    }

    /// The client sees its events by the slugs of its businesses.
    @Test func anotherSlugOfAnOwnBusinessIsAReset() async throws {
        let town = try await TestTown.peopled()
        let client = try #require(FeedClient(try await town.follow(as: .olga)))
        #expect(await client.text().contains("Quiz"))
        try await change(town, .category, #"{"name":"New"}"#)
        _ = try await town.store.write(by: .local) { transaction in
            var patch = Patch<Business>()
            (patch.values.slug, patch.fields) = (Slug("zed"), ["slug"])
            try transaction.update(1, patch)
        }
        let text = await client.text()
        #expect(text.hasPrefix("event: reset\n"))
        #expect(text.contains("Quiz") && text.contains("Den"))
    }

    @Test func aTopicIsFollowed() async throws {
        let town = try await TestTown()
        let client = try #require(FeedClient(try await town.follow("?topics=zeds,event_type")))
        let events = outline(await client.text()).dropLast()
        #expect(events == ["event: reset id: 0", "event: event_type", "event: event_type", "event: business"])
        try await change(town, .category, #"{"slug":"bars","name":"Pubs"}"#)
        #expect(await client.text() == "")
        _ = try await town.store.write(by: .local) { transaction in
            var patch = Patch<Business>()
            (patch.values.slug, patch.fields) = (Slug("zed"), ["slug"])
            try transaction.update(1, patch)
        }
        #expect(await client.text().contains(#""action":"deleted","id":1,"slug":"zeds"}"#))
    }

    @Test func theServerStops() async throws {
        let town = try await TestTown()
        let client = try #require(FeedClient(try await town.follow()))
        town.service.feed.stop()
        #expect(await client.text() == "end")
        #expect(try await town.follow().status == .serviceUnavailable)
    }
}
