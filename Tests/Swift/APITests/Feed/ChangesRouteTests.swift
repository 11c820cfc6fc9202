import HTTP
import JSON
import Platform
import SookeModel
import Testing

@testable import API
@testable import HTTP
@testable import Service
@testable import Store

/// The feed for clients that poll.
@Suite struct ChangesRouteTests {
    private func poll(_ town: TestTown, _ query: String, as caller: TestCaller = .nobody) async throws -> String {
        let response = try await town.send(.get, ChangesRoute.path + query, as: caller)
        #expect(response.status == .ok)
        return response.text
    }

    private func rename(_ town: TestTown, _ name: String) async throws {
        _ = try await town.store.write(by: .local) { transaction in
            try transaction.upsert(.category, #"{"slug":"bars","name":"\#(name)"}"#)
        }
    }

    @Test func changesAfterAPosition() async throws {
        let town = try await TestTown()
        let start = town.position
        #expect(
            try await poll(town, "?since=\(start)")
                == #"{"reset":false,"changes":[],"position":"\#(start)","more":false}"#)
        #expect(
            try await poll(town, "?since=now") == #"{"reset":false,"changes":[],"position":"\#(start)","more":false}"#)
        try await rename(town, "Pubs")
        let end = town.position
        let change =
            #"{"kind":"category","action":"updated","id":1,"slug":"bars","record":{"id":1,"name":"Pubs","slug":"bars""#
        let page = try await poll(town, "?since=\(start)")
        #expect(page.hasPrefix(#"{"reset":false,"changes":["# + change))
        #expect(page.hasSuffix(#"],"position":"\#(end)","more":false}"#))
        #expect(
            try await poll(town, "?since=\(end)&wait=60")
                == #"{"reset":false,"changes":[],"position":"\#(end)","more":false}"#, "an unknown parameter")
        #expect(
            try await poll(town, "?since=\(start)&topics=business")
                == #"{"reset":false,"changes":[],"position":"\#(end)","more":false}"#)
    }

    @Test(arguments: [
        "", "?since=0", "?since=x", "?since=1.0000000000000000", "?since=9223372036854775807.0000000000000000",
    ])
    func pollWithoutPositionSendsSnapshot(query: String) async throws {
        let town = try await TestTown()
        let page = try await poll(town, query)
        #expect(page.hasPrefix(#"{"reset":true,"changes":[{"kind":"category","action":"created","id":1"#))
        #expect(page.hasSuffix(#"],"position":"\#(town.position)","more":false}"#))
    }

    @Test func invalidTopics() async throws {
        let town = try await TestTown()
        for topics in [",", "business,", ",business", Array(repeating: "a", count: 21).joined(separator: ",")] {
            #expect(try await town.send(.get, ChangesRoute.path + "?topics=\(topics)").status == .badRequest)
        }
    }

    /// Whoever continues from a position of others would lack what those did not see.
    @Test(
        arguments: [
            (.nobody, .anyone, true), (.nobody, .person(2), false), (.nobody, .all, false), (.olga, .person(2), true),
            (.olga, .anyone, false), (.olga, .person(3), false), (.olga, .all, false), (.ada, .all, true),
            (.ada, .anyone, false), (.ada, .person(1), false),
            (.edda, .all, true), (.edda, .anyone, false), (.edda, .person(5), false),
        ] as [(TestCaller, Viewer.Scope, Bool)])
    func aPositionIsForThoseWhoSeeTheSame(caller: TestCaller, scope: Viewer.Scope, isContinued: Bool) async throws {
        let town = try await TestTown.peopled()
        let position = FeedPosition(town.store.current.position, scope, town.service.key)
        #expect(try await poll(town, "?since=\(position)", as: caller).hasPrefix(#"{"reset":\#(!isContinued)"#))
        let client = try #require(FeedClient(try await town.follow("?since=\(position)", as: caller)))
        #expect(await client.text().isEmpty == isContinued)
    }

    /// An editor sees all records of the public kinds, and nothing about the people who own or submitted them.
    @Test func anEditorSeesRecordsAndNoPeople() async throws {
        let town = try await TestTown.peopled()
        let client = try #require(FeedClient(try await town.follow(as: .edda)))
        var seen = try await poll(town, "", as: .edda) + (await client.text())
        #expect(seen.contains(#""slug":"den""#) && seen.contains(#""slug":"quiz""#) && seen.contains("too loud"))
        let steps: [(RecordKind, String)] = [
            (.person, #"{"email":"una@town.example","display_name":"Una"}"#),
            (.business, #"{"slug":"den","owner_id":4,"phone":"planted"}"#),
            (.event, #"{"slug":"quiz","submitted_by":3,"description":"planted"}"#),
        ]
        for (kind, json) in steps { _ = try await town.store.write(by: .local) { try $0.upsert(kind, json) } }
        let live = await client.text()
        #expect(live.components(separatedBy: "planted").count == 3)
        seen += live
        for target in ["businesses/den", "events/quiz", "events?status=pending_review", "businesses.csv", "events.csv"]
        {
            seen += try await town.send(.get, "/api/v1/\(target)", as: .edda).text
        }
        for secret in ["@town.example", "owner", "submitted_by", "Una", "$y$"] {
            #expect(!seen.contains(secret), "\(secret)")
        }
    }

    /// A change that a client cannot see is no change for it.
    @Test func changeOfOwnerIsHiddenFromThePublic() async throws {
        let town = try await TestTown.peopled()
        let start = town.position
        _ = try await town.store.write(by: .local) { try $0.upsert(.business, #"{"slug":"zeds","owner_id":3}"#) }
        #expect(try await poll(town, "?since=\(start)").contains(#""changes":[]"#))
    }

    /// No byte of what is not public reaches a stranger, by stream or by poll, from memory or in a snapshot.
    @Test func nothingHiddenIsShown() async throws {
        let town = try await TestTown.peopled()
        let start = town.position
        let client = try #require(FeedClient(try await town.follow()))
        var seen = await client.text()
        let steps: [(RecordKind, String)] = [
            (.business, #"{"name":"Planted hut","address":"Planted 1","latitude":48,"longitude":-123,"owner_id":2}"#),
            (
                .event,
                #"{"name":"Planted fair","event_type":"sports","starts_at":"2035-01-03T00:00:00Z","#
                    + #""slug":"planted-secret","pending_slug":"planted-secret","status":"pending_review"}"#
            ),
            (.event, #"{"slug":"quiz","description":"planted words"}"#),
            (.event, #"{"slug":"walk","reason":"planted reason"}"#),
            (.event, #"{"slug":"gig","status":"rejected","reason":"planted refusal"}"#),
            (.person, #"{"email":"planted@town.example","display_name":"Planted"}"#),
        ]
        for (kind, json) in steps {
            _ = try await town.store.write(by: .local) { try $0.upsert(kind, json) }
            seen += await client.text()
        }
        // The event becomes public under another slug.
        _ = try await town.store.write(by: .local) { transaction in
            let id = try #require(transaction.town.events[Slug("planted-secret")]?.id)
            var patch = Patch<Event>()
            (patch.values.slug, patch.values.name, patch.values.status) = (Slug("fair"), "Fair", .approved)
            patch.fields = ["slug", "name", "status"]
            try transaction.update(id, patch)
        }
        seen += await client.text()
        seen += try await poll(town, "?since=\(start)")
        seen += try await poll(town, "")
        #expect(seen.contains(#""action":"created","id":9,"slug":"fair""#))
        #expect(seen.contains(#""action":"deleted","id":7,"slug":"gig""#))
        for word in ["lanted", "too loud", "town.example", "owner", "submitted"] {
            #expect(!seen.contains(word), "\(word)")
        }
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
}
