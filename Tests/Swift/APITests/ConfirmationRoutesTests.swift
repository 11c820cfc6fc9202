import Bytes
import Foundation
import HTTP
import SookeModel
import Store
import Testing

@testable import API
@testable import Service

/// Confirmations of the data of a business: by its owner, by a link, and who should be asked for one.
@Suite struct ConfirmationRoutesTests {
    private static let path = "/api/v1/businesses/zeds"

    private static func body(_ token: Token) -> String { #"{"token":"\#(token.reveal())"}"# }

    @Test func theOwnerConfirms() async throws {
        let town = try await TestTown.peopled()
        #expect(try await town.send(.get, Self.path).text.contains(#""confirmed_at":null"#))
        let answer = try await town.send(.post, Self.path + "/confirm", as: .olga)
        #expect(answer.text.contains(#""confirmed_at":"2026-11-21T09:30:00Z""#))
        #expect(town.store.current.town.businesses[Slug("zeds")]?.value.confirmedBy == 2)
        town.clock.advance(bySeconds: 22 * 86_400)
        let shown = try await town.send(.get, Self.path).text
        #expect(shown.contains(#""confirmed_at":"2026-11-21T09:30:00Z""#))
        #expect(shown.contains(#""checked":"3 weeks ago""#))
        #expect(!shown.contains("confirmed_by"))
    }

    @Test func aLinkFromEndToEnd() async throws {
        let town = try await TestTown.peopled()
        let made = try await town.send(.post, Self.path + "/confirmation-links", as: .olga)
        let token = try made.token
        #expect(made.text.contains(#""link":"https://town.example/confirmation#\#(token.reveal())""#))
        let confirmed = try await town.send(.post, "/api/v1/confirmations", body: Self.body(token))
        #expect(confirmed.status.code == 200)
        #expect(confirmed.text.contains(#""slug":"zeds""#))
        #expect(town.store.current.town.businesses[Slug("zeds")]?.confirmedAt == town.clock.now)
        #expect(town.store.current.town.businesses[Slug("zeds")]?.value.confirmedBy == nil)
        let again = try await town.send(.post, "/api/v1/confirmations", body: Self.body(token))
        #expect(again.errorCode == "dead_link")
    }

    /// A caller, the reason, the time, and the slugs that are listed.
    static let rows: [(TestCaller, String, String, [String])] = [
        (.ada, "", "2026-11-21T09:30:00Z", ["anchor", "éclair-100", "zeds"]),
        (.ada, "year", "2027-11-20T09:30:00Z", ["éclair-100", "zeds"]),
        (.ada, "", "2027-11-22T09:30:00Z", ["éclair-100", "zeds", "anchor"]),
        (.edda, "", "2027-11-22T09:30:00Z", ["éclair-100", "zeds", "anchor"]),
        (.olga, "", "2026-11-21T09:30:00Z", ["zeds"]), (.mia, "", "2026-11-21T09:30:00Z", []),
        // No holiday within 30 days; on Christmas, a Friday, none has hours.
        (.ada, "holiday", "2026-11-21T09:30:00Z", []), (.ada, "holiday", "2026-12-01T09:30:00Z", []),
    ]

    @Test(arguments: rows)
    func listsTheLongestFirst(caller: TestCaller, reason query: String, at: String, slugs: [String])
        async throws
    {
        let town = try await TestTown.peopled()
        town.clock.set(try #require(Timestamp(rfc3339: at)))
        if at > "2027" {
            _ = try await town.store.write(by: .local) { transaction in
                try transaction.upsert(.business, #"{"slug":"anchor","confirmed_at":"2026-11-21T09:30:00Z"}"#)
            }
        }
        let reason = try #require(ConfirmationsDue.Reason(named: query.isEmpty ? "year" : query))
        // Sessions have ended by then; the use case only asks who it is.
        let credential = caller == .olga ? 2 : caller == .edda ? 8 : 4
        let asked = caller.person.map { Caller(proof: .token(credential: credential, person: $0, scope: .admin)) }
        let due = town.service.confirmationsDue(
            reason, page: PageRequest(), for: caller == .ada ? .owner : asked ?? .anonymous, in: town.store.current.town
        )
        #expect(due.page.records.map(\.slug.text) == slugs)
    }

    /// A holiday is asked for until somebody says what holds then; that other details are right says nothing of it.
    @Test(arguments: [
        (#"{"opening_hours":"Mo-Su 09:00-17:00; PH off"}"#, false),
        (#"{"opening_hours":"Mo-Su 09:00-17:00; Jul off"}"#, true),
        (#"{"opening_hours":"Mo-Su 09:00-17:00","public_holidays":"as_usual"}"#, false),
        (#"{"opening_hours":"Mo-Su 09:00-17:00","public_holidays":"ask"}"#, true),
        (#"{"opening_hours":"Sa-Th 09:00-17:00"}"#, false),
        (
            #"{"opening_hours":"Fr 09:00-17:00","special_hours":[{"from":"2026-12-20","to":"2026-12-24","#
                + #""is_closed":true}]}"#, true
        ),
    ])
    func aHolidayIsAskedFor(patch: String, isDue: Bool) async throws {
        let town = try await TestTown.peopled()
        #expect(try await town.send(.patch, Self.path, as: .ada, body: patch).status.code == 200)
        town.clock.set(try #require(Timestamp(rfc3339: "2026-12-01T09:30:00Z")))
        func due() async throws -> String {
            try await town.send(.get, "/api/v1/confirmations?due=holiday", from: TestTown.owner).text
        }
        let text = try await due()
        #expect(text.contains(#""holiday":{"name":"Christmas Day","date":"2026-12-25"}}"#))
        #expect(text.contains(#""slug":"zeds""#) == isDue)
        #expect(try await town.send(.post, Self.path + "/confirm", from: TestTown.owner).status.code == 200)
        #expect(try await due().contains(#""slug":"zeds""#) == isDue)
    }

    @Test func refusesAnotherReason() async throws {
        let town = try await TestTown.peopled()
        let answer = try await town.send(.get, "/api/v1/confirmations?due=always", as: .ada)
        #expect(answer.status.code == 400)
        #expect(answer.text.contains("due is year or holiday"))
    }

    /// A link ends when it is revoked, and with its business or the owner of that.
    @Test(arguments: [
        (HTTP.Method.delete, "/api/v1/admin/tokens/7", ""), (.delete, path, ""), (.patch, path, #"{"owner_id":3}"#),
    ])
    func linksEnd(method: HTTP.Method, target: String, body: String) async throws {
        let town = try await TestTown.peopled()
        #expect(try await town.send(method, target, as: .ada, body: body).status.code < 300)
        let answer = try await town.send(.post, "/api/v1/confirmations", body: Self.body(TestSecrets.confirmation))
        #expect(answer.status.code == 410)
        #expect(town.store.current.town.businesses[Slug("zeds")]?.confirmedAt == nil)
    }

    @Test func openLinksAreBounded() async throws {
        let town = try await TestTown.peopled()
        for _ in 0..<12 {
            #expect(try await town.send(.post, Self.path + "/confirmation-links", as: .olga).status.code == 201)
        }
        let links = town.store.current.town.credentials.about(business: 1)
        #expect(links.count == AccountLimits.standard.confirmationLinks)
        #expect(!links.contains { $0.id == 7 })
    }
}
