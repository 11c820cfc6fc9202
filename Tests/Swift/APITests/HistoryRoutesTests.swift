import Bytes
import HTTP
import SookeModel
import Store
import Testing

@testable import API
@testable import Service

/// The history of records in the API, and its permissions.
@Suite struct HistoryRoutesTests {
    private static let path = "/api/v1/history?of="

    /// Callers, records, and the status of the response; more of them are in `AccessTests`.
    private static let rows = [
        (2, "businesses/zeds", 200), (2, "businesses/shed", 404), (5, "businesses/shed", 200),
        (1, "businesses/99", 404), (1, "businesses/nope", 404), (2, "events/draft", 404), (3, "events/draft", 200),
        (3, "events/regatta", 403), (5, "events/fiddle-night", 200), (2, "events/fiddle-night", 403),
        (1, "users/77", 404), (1, "passwords/1", 400), (1, "businesses", 400), (1, "businesses/", 400), (1, "", 400),
        (1, "businesses/zeds&limit=0", 400), (1, "businesses/zeds&limit=100", 200),
        (1, "businesses/zeds&limit=101", 400), (1, "businesses/zeds&limit=x", 400), (1, "businesses/zeds&limit=", 200),
    ]

    @Test func whoMay() async throws {
        let town = try await TestTown.withAccounts()
        _ = try await town.store.write(by: .local) { transaction in
            try transaction.upsert(.event, #"{"slug":"draft","submitted_by":3}"#)
        }
        for (person, record, status) in Self.rows {
            town.clock.advance(bySeconds: 20)
            let session = try await town.authorization(of: person)
            let response = try await town.send(.get, Self.path + record, [session])
            #expect(response.status.code == status, "\(record) for \(person)")
        }
    }

    @Test func anEntryHasTheChangedFields() async throws {
        let town = try await TestTown.withAccounts()
        let session = try await town.authorization(of: 2)
        let change = try await town.send(.patch, "/api/v1/businesses/zeds", [session], body: #"{"phone":"1"}"#)
        #expect(change.status == .ok)
        let sequence = town.store.current.sequence
        let digest = "\(town.store.current.position.chain)"
        let response = try await town.send(.get, Self.path + "businesses/zeds&limit=1", [session])
        #expect(
            response.text == #"{"items":[{"sequence":\#(sequence),"digest":"\#(digest)","at":"2026-11-21T09:30:00Z","#
                + #""by":{"id":2,"display_name":null,"email":"p2@town.example"},"action":"updated","#
                + #""changes":[{"field":"phone","before":null,"after":"1"}]}],"next":\#(sequence)}"#)
        let older = try await town.send(.get, Self.path + "businesses/zeds&before=\(sequence)", [session])
        #expect(older.text.hasPrefix(#"{"items":[{"sequence":1,"digest":""#))
        #expect(older.text.contains(#""at":"2026-11-21T09:30:00Z","by":"local","action":"created""#))
        #expect(older.text.hasSuffix(#""next":null}"#))
    }

    @Test func aRecordIsFoundByAFormerSlugAndADeletedOneByItsID() async throws {
        let town = try await TestTown.withAccounts()
        #expect(try await town.ask(.patch, "/api/v1/businesses/zeds", body: #"{"slug":"zoe"}"#).status == .ok)
        let former = try await town.ask(.get, Self.path + "businesses/zeds")
        let new = try await town.ask(.get, Self.path + "businesses/zoe")
        #expect(former.text == new.text)
        #expect(former.text.contains(#"{"field":"slug","before":"zeds","after":"zoe"}"#))
        #expect(try await town.ask(.delete, "/api/v1/businesses/zoe").status == .noContent)
        #expect(try await town.ask(.get, Self.path + "businesses/zoe").status == .notFound)
        #expect(try await town.ask(.get, Self.path + "businesses/1").text.contains(#""action":"deleted""#))
    }

    /// The log is read for one request of an account at a time; not for a client that has left.
    @Test func theLogIsReadSoOften() async throws {
        let town = try await TestTown.withAccounts()
        let session = try await town.authorization(of: 2)
        let path = Self.path + "businesses/zeds"
        try await town.service.limits.readLog(for: 2) {
            let second = try await town.send(.get, path, [session])
            #expect(second.status == .tooManyRequests && second.errorCode == "too_many_histories")
            #expect(second.headers.first("Retry-After") == "1")
            #expect(try await town.send(.get, path, [try await town.authorization(of: 1)]).status == .ok)
        }
        #expect(try await town.send(.get, path, [session]).status == .ok)
    }

    @Test func theAddressOfAnotherIsForAdmins() async throws {
        let town = try await TestTown.peopled()
        let change = try await town.send(.patch, "/api/v1/events/quiz", as: .olga, body: #"{"description":"x"}"#)
        #expect(change.status == .ok)
        for (caller, sees) in [(TestCaller.mia, false), (.olga, true), (.edda, false), (.ada, true), (.folder, true)] {
            let answer = try await town.send(.get, Self.path + "events/quiz", as: caller)
            #expect(answer.text.contains("olga@town.example") == sees, "\(caller)")
            #expect(answer.text.contains(#""by":{"id":2,"#))
        }
    }
}

/// The undo of a change in the API.
@Suite struct UndoRouteTests {
    /// The newest change of a caller, which the use of a session may follow.
    private func newest(_ town: TestTown, of caller: TestCaller) throws -> (target: String, match: [(String, String)]) {
        let person = try #require(caller.person)
        let position = try #require(town.store.current.newestCommit(by: .person(person))?.position)
        return ("/api/v1/history/\(position.sequence)/undo", [("If-Match", "\"\(position.chain)\"")])
    }

    /// Callers, what was changed by an administrator, and the status of the undo.
    @Test(arguments: [
        (TestCaller.mia, #"{"phone":"1"}"#, 403), (.olga, #"{"phone":"1"}"#, 200), (.otto, #"{"phone":"1"}"#, 403),
        (.edda, #"{"phone":"1"}"#, 200), (.ada, #"{"phone":"1"}"#, 200), (.folder, #"{"phone":"1"}"#, 200),
        // What the owner may not set, and what only administrators may.
        (.olga, #"{"category":null}"#, 403), (.edda, #"{"category":null}"#, 200),
        (.edda, #"{"owner_id":3}"#, 403), (.ada, #"{"owner_id":3}"#, 200),
    ])
    func whoMay(caller: TestCaller, change: String, status: Int) async throws {
        let town = try await TestTown.peopled()
        let before = town.store.current.town.businesses[Slug("zeds")]?.value
        #expect(try await town.send(.patch, "/api/v1/businesses/zeds", as: .ada, body: change).status == .ok)
        let (target, match) = try newest(town, of: .ada)
        let response = try await town.send(.post, target, as: caller, match)
        #expect(response.status.code == status, "\(response.text)")
        #expect((town.store.current.town.businesses[Slug("zeds")]?.value == before) == (status == 200))
    }

    /// Who submitted an event undoes their own changes until it is public: nothing is published unread.
    @Test func aSubmitterUndoesUntilItIsPublic() async throws {
        let town = try await TestTown.peopled()
        let change = #"{"description":"x"}"#
        #expect(try await town.send(.patch, "/api/v1/events/quiz", as: .mia, body: change).status == .ok)
        let (target, match) = try newest(town, of: .mia)
        #expect(try await town.send(.post, target, as: .otto, match).status == .forbidden)
        #expect(try await town.send(.post, target, as: .mia, match).status == .ok)
        #expect(try await town.send(.patch, "/api/v1/events/quiz", as: .mia, body: change).status == .ok)
        let (again, digest) = try newest(town, of: .mia)
        let body = #"{"version":"\#(Hex.text(of: town.store.current.town.event(at: Slug("quiz"))?.digest ?? 0))"}"#
        #expect(try await town.send(.post, "/api/v1/events/quiz/approve", as: .olga, body: body).status == .ok)
        #expect(try await town.send(.post, again, as: .mia, digest).status == .forbidden)
        #expect(try await town.send(.post, again, as: .olga, digest).status == .ok)
    }

    @Test func whatWasChangedSinceIsAskedAbout() async throws {
        let town = try await TestTown.peopled()
        func change(_ body: String) async throws {
            #expect(try await town.send(.patch, "/api/v1/businesses/zeds", as: .olga, body: body).status == .ok)
        }
        try await change(#"{"phone":"1","website":"https://a.example"}"#)
        let (target, match) = try newest(town, of: .olga)
        try await change(#"{"phone":"2"}"#)
        let asked = try await town.send(.post, target, as: .olga, match)
        #expect(asked.status == .conflict && asked.errorCode == "changed_since")
        #expect(asked.text.contains(#"{"name":"business/1.phone","label":"Zed's","before":null,"now":"2"}"#))
        let done = try await town.send(.post, target + "?keep=business/1.phone", as: .olga, match)
        #expect(done.text == #"{"changed":1,"left":[]}"#)
        let value = town.store.current.town.businesses[Slug("zeds")]?.value
        #expect(value?.phone == "2" && value?.website == nil)
    }

    /// A sequence number alone means another change after a restore; the history ends somewhere.
    @Test func aChangeIsNamedByItsDigest() async throws {
        let town = try await TestTown.peopled()
        let position = town.store.current.position
        let (sequence, match) = (position.sequence, "\"\(position.chain)\"")
        for (target, headers, status) in [
            ("\(sequence)", [], 428), ("\(sequence)", [("If-Match", "*")], 428),
            ("\(sequence)", [("If-Match", #""0000000000000000""#)], 412),
            ("\(sequence + 99)", [("If-Match", match)], 404),
            ("0", [("If-Match", match)], 404), ("-9223372036854775808", [("If-Match", match)], 404),
            ("9223372036854775807", [("If-Match", match)], 404),
        ] {
            let answer = try await town.send(.post, "/api/v1/history/\(target)/undo", as: .ada, headers)
            #expect(answer.status.code == status, "\(target) \(headers)")
        }
    }
}
