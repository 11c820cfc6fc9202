import SookeModel
import Testing

@testable import API
@testable import Service
@testable import Store

/// Rights that change after a client connected, before it reads: what its stream sends then.
@Suite struct ChangeRightsTests {
    typealias Step = @Sendable (inout WriteTransaction) throws -> Void

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let caller: TestCaller
        let steps: [Step]
        /// The beginning of the text, and its end.
        let expected: (String, String)

        var testDescription: String { name }
    }

    private static func role(_ role: String) -> Step {
        { try $0.upsert(.person, #"{"email":"mia@town.example","role":"\#(role)"}"#) }
    }

    private static func owner(_ id: Int) -> Step {
        { try $0.upsert(.business, #"{"slug":"zeds","owner_id":\#(id)}"#) }
    }

    private static func slug(_ slug: String) -> Step {
        { transaction in
            var patch = Patch<Business>()
            (patch.values.slug, patch.fields) = (Slug(slug), ["slug"])
            try transaction.update(1, patch)
        }
    }

    private static let revoked = ("event: revoked\ndata: {}\n\n", "end")

    static let rows = [
        Row(name: "a role is gained", caller: .mia, steps: [role("super_admin")], expected: revoked),
        Row(name: "an editor is made", caller: .mia, steps: [role("editor")], expected: revoked),
        Row(
            name: "an editor becomes something else", caller: .edda,
            steps: [{ try $0.upsert(.person, #"{"email":"edda@town.example","role":"super_admin"}"#) }],
            expected: revoked),
        Row(
            name: "a role is gained and lost", caller: .mia, steps: [role("super_admin"), role("general_user")],
            expected: revoked),
        Row(name: "a business is lost and regained", caller: .olga, steps: [owner(3), owner(2)], expected: revoked),
        Row(
            name: "a business changes its slug", caller: .olga, steps: [slug("zed")], expected: ("event: reset\n", "\n")
        ),
        Row(
            name: "a business changes its slug twice", caller: .olga, steps: [slug("zed"), slug("zeds")],
            expected: ("event: reset\n", "\n")),
    ]

    @Test(arguments: rows, ChangeCatchUpTests.Place.allCases)
    func thatIsNotMissed(row: Row, place: ChangeCatchUpTests.Place) async throws {
        let first = try await TestTown.peopled()
        var replica = FeedReplica()
        _ = try replica.receive(page: Array(try await first.send(.get, ChangesRoute.path, as: row.caller).text.utf8))
        let position = try #require(replica.position)
        _ = try await first.store.write(by: .local) { try $0.upsert(.category, #"{"name":"New"}"#) }
        let town = place == .restart ? try await first.reopened() : first
        let client = try #require(FeedClient(try await town.follow("?since=\(position)", as: row.caller)))
        for step in row.steps { _ = try await town.store.write(by: .local, step) }
        let text = await client.text()
        #expect(text.hasPrefix(row.expected.0) && text.hasSuffix(row.expected.1))
    }

    /// Administrators and others follow the same commits, in any order.
    @Test(arguments: [
        [TestCaller.ada, .nobody, .mia], [.nobody, .ada, .mia], [.mia, .nobody, .ada], [.folder, .nobody],
        [.edda, .nobody, .ada], [.mia, .ada, .edda],
    ])
    func everyoneGetsTheirOwn(callers: [TestCaller]) async throws {
        let town = try await TestTown.peopled()
        var clients: [(TestCaller, FeedClient)] = []
        for caller in callers { clients.append((caller, try #require(FeedClient(try await town.follow(as: caller))))) }
        for (_, client) in clients { _ = await client.text() }
        _ = try await town.store.write(by: .local) { try $0.upsert(.business, #"{"slug":"shed","phone":"planted"}"#) }
        for (caller, client) in clients {
            #expect(await client.text().contains("planted") == [.edda, .ada, .folder].contains(caller), "\(caller)")
        }
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
