import Bytes
import HTTP
import SookeModel
import Store
import Testing

@testable import API
@testable import Dispatcher
@testable import Service

/// A town that is read-only: reads go on, and nothing makes a commit.
@Suite struct ReadOnlyRoutesTests {
    private static let path = "/api/v1/admin/read-only"

    private func readOnlyTown(_ reason: String? = nil) async throws -> TestTown {
        let town = try await TestTown.peopled()
        try await town.store.makeReadOnly(reason: reason)
        return town
    }

    /// The routes that are served although their method is unsafe.
    private static let served = ["POST /api/v1/admin/snapshot", "PUT /api/v1/admin/read-only"]

    @Test func everyChangeIsRefused() async throws {
        let town = try await readOnlyTown("moving")
        let position = town.store.current.position
        for row in AccessTests.rows {
            for caller in TestCaller.allCases {
                let usual = row.status(.good, caller)
                let response = try await town.send(row.method, row.target, as: caller, body: row.good)
                let cell: Comment = "\(row.route), asked by \(caller): \(response.text)"
                // Whoever may not do it learns that first; what only the transaction finds out is not looked for.
                let isRefusedAnyway = [401, 403, 404].contains(usual)
                if Self.served.contains(row.route) || isRefusedAnyway && response.status.code == usual {
                    #expect(response.status.code == usual, cell)
                } else {
                    #expect(response.status == .serviceUnavailable && response.errorCode == "read_only", cell)
                    #expect(response.text.contains("moving"), cell)
                    #expect(response.headers.first("Retry-After") == "30", cell)
                }
            }
        }
        #expect(town.store.current.position == position)
        #expect(town.store.current.town.mails.count == 0)
    }

    /// A client sends no body for nothing.
    @Test func aBodyIsRefusedByItsHead() async throws {
        let town = try await readOnlyTown()
        for (target, status) in [("/api/v1/admin/import", 503), ("/api/v1/admin/import?dry_run=true", 0)] {
            let request = try Request(.post, target, headers: [("Content-Length", "1000000")], peer: TestTown.owner)
            var refused = 0
            do throws(HTTPError) {
                _ = try town.api.admitBody(of: request)
            } catch {
                refused = error.status.code
            }
            #expect(refused == status, "\(target)")
        }
    }

    @Test func anImportCanBeTried() async throws {
        let town = try await readOnlyTown()
        let queries = [("?format=json&dry_run=true", 200), ("?format=json", 503), ("?format=json&dry_run=false", 503)]
        for (query, status) in queries {
            let response = try await town.send(
                .post, "/api/v1/admin/import" + query, body: #"{"categories":[{"name":"Brought"}]}"#,
                from: TestTown.owner)
            #expect(response.status.code == status, "\(query): \(response.text)")
        }
    }

    @Test func itIsShownAndSet() async throws {
        let town = try await TestTown.peopled()
        let position = town.store.current.position
        let writable = #"{"read_only":false,"since":null,"reason":null,"position":"\#(position)"}"#
        let readOnly =
            #"{"read_only":true,"since":"2026-11-21T09:30:00Z","reason":"moving","position":"\#(position)"}"#
        func set(_ body: String) async throws -> String {
            try await town.send(.put, Self.path, as: .ada, body: body).text
        }
        func get() async throws -> String { try await town.send(.get, Self.path, as: .ada).text }
        #expect(try await get() == writable)
        #expect(try await set(#"{"read_only":true,"reason":"moving"}"#) == readOnly)
        #expect(try await set(#"{"read_only":true}"#) == readOnly)
        #expect(try await get() == readOnly)
        #expect(try await set(#"{"read_only":false}"#) == writable)
        #expect(try await set(#"{"read_only":false,"reason":null}"#) == writable)
        #expect(try await town.send(.patch, "/api/v1/users/4", as: .ada, body: #"{"display_name":"M"}"#).status == .ok)
    }

    /// The use of a session is in memory only, and ended credentials are not deleted.
    @Test func aSessionIsUsedWithoutACommit() async throws {
        let town = try await readOnlyTown()
        let position = town.store.current.position
        for _ in 0..<20 {
            town.clock.advance(bySeconds: 600)
            #expect(try await town.send(.get, "/api/v1/me", as: .mia).status == .ok)
        }
        town.clock.advance(bySeconds: 13 * 3600)
        #expect(try await town.send(.get, "/api/v1/me", as: .mia).status == .unauthorized)
        try await town.store.endReadOnly()
        // What was begun before has had its turn.
        _ = try await town.store.write(by: .local) { _ in }
        #expect(town.store.current.position == position)
    }

    @Test func readsGoOn() async throws {
        let town = try await readOnlyTown()
        for (route, target, rights) in AccessTests.reads where route != "/api/v1/changes" {
            let response = try await town.send(.get, target, as: .ada)
            // The only date of an event redirects to it.
            let fine = route.hasSuffix("{date}") ? 301 : 200
            #expect(response.status.code == rights.status(.ada, otherwise: fine), "\(target): \(response.text)")
        }
        let health = try await town.send(.get, "/api/v1/health")
        #expect(health.text == #"{"status":"ok","db_status":"connected","read_only":true}"#)
    }
}
