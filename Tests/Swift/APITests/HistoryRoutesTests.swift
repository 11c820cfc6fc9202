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
        let response = try await town.send(.get, Self.path + "businesses/zeds&limit=1", [session])
        #expect(
            response.text == #"{"items":[{"sequence":\#(sequence),"at":"2026-11-21T09:30:00Z","#
                + #""by":{"id":2,"display_name":null,"email":"p2@town.example"},"action":"updated","#
                + #""changes":[{"field":"phone","before":null,"after":"1"}]}],"next":\#(sequence)}"#)
        let older = try await town.send(.get, Self.path + "businesses/zeds&before=\(sequence)", [session])
        let first = #"{"items":[{"sequence":1,"at":"2026-11-21T09:30:00Z","by":"local","action":"created""#
        #expect(older.text.hasPrefix(first))
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
