import HTTP
import SookeModel
import Store
import Synchronization
import Testing

@testable import API
@testable import Service

/// Permissions: each route that changes data, with each caller and kind of request. A refused request changes nothing,
/// not even the sequence number of the store; a successful one is one commit.
@Suite struct AccessTests {
    static let rows =
        AccessRow.recordRows + AccessRow.eventRows + AccessRow.proposalRows + AccessRow.accountRows
        + AccessRow.sessionRows

    @Test func everyRouteThatWritesHasARow() async throws {
        let routes = try await TestTown().routes.filter { !$0.method.isSafe }
        let names = routes.map { "\($0.method.name) \($0.pattern)" }
        #expect(Set(names).subtracting(Self.rows.map(\.route)) == [], "no row tells who may use it")
        #expect(Set(Self.rows.map(\.route)).subtracting(names) == [], "there is no such route")
        for row in Self.rows { #expect(row.statuses.allSatisfy { $0.count == TestCaller.allCases.count }) }
    }

    @Test(arguments: rows)
    func whoMayChange(_ row: AccessRow) async throws {
        let method = try #require(row.method)
        let refusing = try await TestTown.peopled()
        for way in AccessRow.Way.allCases {
            for caller in TestCaller.allCases {
                let expected = try #require(row.status(way, caller))
                let town = expected < 300 ? try await TestTown.peopled() : refusing
                let before = town.store.current
                let response = try await town.send(
                    method, row.target, as: caller, row.headers(way), body: row.body(way))
                let after = town.store.current
                let cell: Comment = "\(row.route), \(way), asked by \(caller): \(response.text)"
                #expect(response.status.code == expected, cell)
                let changes = expected < 300 && row.isDone != nil
                #expect(after.sequence == before.sequence + (changes ? 1 : 0), cell)
                guard let isDone = row.isDone else { continue }
                #expect(!isDone(before.town), cell)
                #expect(isDone(after.town) == changes, cell)
            }
        }
    }

    /// The ways in which a permission ends while an admitted request waits for its turn.
    enum Loss: String, CaseIterable {
        case tokenEnded, accountRemoved, roleTaken
    }

    /// Each write checks the permission of its caller on the version that it changes, not only on the one when the
    /// request arrived.
    @Test(arguments: rows, Loss.allCases)
    func aRightThatEndsMeanwhileCounts(_ row: AccessRow, _ loss: Loss) async throws {
        let town = try await TestTown()
        let access = try #require(
            town.routes.first { "\($0.method.name) \($0.pattern)" == row.route }?.route.access)
        let callers: [TestCaller]
        switch access {
        // These permissions cannot end.
        case .anyone, .folderOwner: return
        // Whoever has an account decides on what concerns their business.
        case .member: callers = row.route.contains("/proposals/") ? [.olga] : [.mia]
        case .businessOwner: callers = [.olga]
        case .editor: callers = [.edda, .ada]
        case .superAdmin, .metricsReader: callers = [.ada]
        case .businessEditor, .eventEditor, .eventReviewer: callers = [.olga, .edda]
        }
        if callers == [.mia], loss == .roleTaken { return }
        for caller in callers { try await checkThatARightEnds(row, loss, caller) }
    }

    private func checkThatARightEnds(_ row: AccessRow, _ loss: Loss, _ caller: TestCaller) async throws {
        let town = try await TestTown.peopled()
        let method = try #require(row.method)
        let token = try #require(TestSecrets.sessions[caller])
        let person = try #require(caller.person)
        let before = town.store.current
        let request = try Request(
            method, row.target, headers: [token.asField, JSONBody.field], body: Array(try town.filled(row.good).utf8),
            peer: TestTown.stranger)
        let (store, api) = (town.store, town.api)
        // The store is blocked, and the loss of the permission precedes the request in its queue.
        let isHeld = Atomic<Bool>(true)
        let response = await withCheckedContinuation { continuation in
            store.write(by: .local) { _ in
                while isHeld.load(ordering: .relaxed) {}
            } then: { _ in
            }
            store.write(by: .local) { transaction in
                try transaction.end(loss, of: person, token)
            } then: { result in
                if case .failure(let error) = result { Issue.record("\(error)") }
            }
            api.respond(to: request) { continuation.resume(returning: $0) }
            isHeld.store(false, ordering: .relaxed)
        }
        // A refused request gets its response before the batch is written.
        _ = try await store.write(by: .local) { _ in }
        let after = store.current
        #expect([401, 403, 404].contains(response.status.code), "\(row.route): \(response.text)")
        #expect((loss == .roleTaken) == (response.status != .unauthorized), "\(row.route): \(response.text)")
        #expect(after.sequence == before.sequence + 1, "\(row.route) changed the town")
    }

    /// With the callers nobody, Mia, Olga, Otto, Edda, Ada and the owner of the folder.
    static let reads: [(route: String, target: String, statuses: [Int])] = [
        ("/api/v1/health", "/api/v1/health", [200, 200, 200, 200, 200, 200, 200]),
        ("/docs", "/docs", [200, 200, 200, 200, 200, 200, 200]),
        ("/openapi.json", "/openapi.json", [200, 200, 200, 200, 200, 200, 200]),
        ("/api/v1/openapi.json", "/api/v1/openapi.json", [200, 200, 200, 200, 200, 200, 200]),
        ("/live", "/live", [200, 200, 200, 200, 200, 200, 200]),
        ("/ready", "/ready", [200, 200, 200, 200, 200, 200, 200]),
        ("/api/v1/businesses", "/api/v1/businesses", [200, 200, 200, 200, 200, 200, 200]),
        ("/api/v1/businesses/{slug}", "/api/v1/businesses/zeds", [200, 200, 200, 200, 200, 200, 200]),
        ("/api/v1/businesses/{slug}", "/api/v1/businesses/den", [404, 404, 200, 404, 200, 200, 200]),
        ("/api/v1/businesses.geojson", "/api/v1/businesses.geojson", [200, 200, 200, 200, 200, 200, 200]),
        ("/api/v1/businesses.csv", "/api/v1/businesses.csv", [200, 200, 200, 200, 200, 200, 200]),
        ("/api/v1/businesses/{slug}/menus", "/api/v1/businesses/zeds/menus", [404, 404, 404, 404, 404, 404, 404]),
        ("/api/v1/categories", "/api/v1/categories", [200, 200, 200, 200, 200, 200, 200]),
        ("/api/v1/event-types", "/api/v1/event-types", [200, 200, 200, 200, 200, 200, 200]),
        ("/api/v1/categories/{slug}", "/api/v1/categories/bars", [200, 200, 200, 200, 200, 200, 200]),
        ("/api/v1/event-types/{slug}", "/api/v1/event-types/sports", [200, 200, 200, 200, 200, 200, 200]),
        ("/api/v1/events", "/api/v1/events", [200, 200, 200, 200, 200, 200, 200]),
        ("/api/v1/events", "/api/v1/events?status=pending_review", [401, 200, 200, 200, 200, 200, 200]),
        ("/api/v1/events.csv", "/api/v1/events.csv", [200, 200, 200, 200, 200, 200, 200]),
        ("/api/v1/events.ics", "/api/v1/events.ics", [200, 200, 200, 200, 200, 200, 200]),
        ("/api/v1/events/{slug}", "/api/v1/events/gig", [200, 200, 200, 200, 200, 200, 200]),
        ("/api/v1/events/{slug}", "/api/v1/events/quiz", [404, 200, 200, 404, 200, 200, 200]),
        ("/api/v1/confirmations", "/api/v1/confirmations", [401, 200, 200, 200, 200, 200, 200]),
        ("/api/v1/proposals", "/api/v1/proposals", [401, 200, 200, 200, 200, 200, 200]),
        ("/api/v1/me", "/api/v1/me", [401, 200, 200, 200, 200, 200, 403]),
        ("/api/v1/me/sessions", "/api/v1/me/sessions", [401, 200, 200, 200, 200, 200, 403]),
        ("/api/v1/users", "/api/v1/users", [401, 403, 403, 403, 403, 200, 200]),
        ("/api/v1/users/{id}", "/api/v1/users/4", [401, 403, 403, 403, 403, 200, 200]),
        ("/api/v1/history", "/api/v1/history?of=businesses/zeds", [401, 403, 200, 403, 200, 200, 200]),
        ("/api/v1/history", "/api/v1/history?of=businesses/den", [401, 404, 200, 404, 200, 200, 200]),
        ("/api/v1/history", "/api/v1/history?of=events/quiz", [401, 200, 200, 404, 200, 200, 200]),
        ("/api/v1/history", "/api/v1/history?of=businesses/1", [401, 404, 404, 404, 200, 200, 200]),
        ("/api/v1/history", "/api/v1/history?of=categories/bars", [401, 403, 403, 403, 200, 200, 200]),
        ("/api/v1/history", "/api/v1/history?of=event-types/sports", [401, 403, 403, 403, 200, 200, 200]),
        ("/api/v1/history", "/api/v1/history?of=settings/1", [401, 403, 403, 403, 403, 404, 404]),
        ("/api/v1/history", "/api/v1/history?of=users/4", [401, 403, 403, 403, 403, 200, 200]),
        ("/api/v1/changes", "/api/v1/changes", [200, 200, 200, 200, 200, 200, 200]),
        ("/api/v1/admin/changes", "/api/v1/admin/changes", [401, 403, 403, 403, 403, 200, 200]),
        ("/api/v1/admin/audit", "/api/v1/admin/audit", [401, 403, 403, 403, 403, 200, 200]),
        ("/api/v1/town", "/api/v1/town", [200, 200, 200, 200, 200, 200, 200]),
        ("/api/v1/town/clock-followers", "/api/v1/town/clock-followers", [401, 403, 403, 403, 403, 200, 200]),
        ("/metrics", "/metrics", [401, 403, 403, 403, 403, 200, 200]),
        ("/api/v1/admin/tokens", "/api/v1/admin/tokens", [401, 403, 403, 403, 403, 200, 200]),
        ("/api/v1/admin/read-only", "/api/v1/admin/read-only", [401, 403, 403, 403, 403, 200, 200]),
        ("/api/v1/admin/status", "/api/v1/admin/status", [401, 403, 403, 403, 403, 200, 200]),
        ("/api/v1/admin/export", "/api/v1/admin/export", [401, 403, 403, 403, 403, 200, 200]),
        ("/api/v1/admin/import", "/api/v1/admin/import", [401, 403, 403, 403, 200, 200, 200]),
        ("/api/v1/admin/backup", "/api/v1/admin/backup", [401, 403, 403, 403, 403, 200, 200]),
        ("/api/v1/admin/log", "/api/v1/admin/log", [401, 403, 403, 403, 403, 200, 200]),
        ("/api/v1/admin/changes", "/api/v1/admin/changes", [401, 403, 403, 403, 403, 200, 200]),
        ("/api/v1/admin/audit", "/api/v1/admin/audit", [401, 403, 403, 403, 403, 200, 200]),
        ("/metrics", "/metrics", [401, 403, 403, 403, 403, 200, 200]),
    ]

    @Test func whoMayRead() async throws {
        let town = try await TestTown.peopled()
        let names = town.routes.filter { $0.method.isSafe }.map(\.pattern)
        #expect(Set(names) == Set(Self.reads.map(\.route)))
        let before = town.store.current.sequence
        for read in Self.reads {
            for (caller, status) in zip(TestCaller.allCases, read.statuses) {
                for method in [HTTP.Method.get, .head] {
                    let response = try await town.send(method, read.target, as: caller)
                    #expect(response.status.code == status, "\(method.name) \(read.target), asked by \(caller)")
                }
            }
        }
        #expect(town.store.current.sequence == before)
    }

    /// An invalid token is refused everywhere, even where none is needed.
    @Test(arguments: ["expired", "idle", "revoked", "unknown", "of another kind", "of nobody", "basic"])
    func tokensThatAreNoGood(_ kind: String) async throws {
        let town = try await TestTown.peopled()
        let secret: Token
        switch kind {
        case "expired": secret = try await town.give(.session, .session, to: 1, lasting: 0).token
        case "idle":
            secret = try #require(TestSecrets.sessions[.ada])
            town.clock.advance(bySeconds: Accounts.idleSeconds)
        case "revoked":
            let (token, id) = try await town.give(.api, .apiToken, to: 1, lasting: nil) { $0.scope = .admin }
            #expect(try await town.send(.get, "/api/v1/users", [token.asField]).status.code == 200)
            let answer = try await town.send(.delete, "/api/v1/admin/tokens/\(id)", as: .ada)
            #expect(answer.status.code == 204)
            secret = token
        case "unknown": secret = try Token(.session)
        case "of another kind": secret = TestSecrets.invitation
        case "of nobody": secret = try await town.give(.session, .session, to: 99, lasting: 60).token
        default: secret = try #require(TestSecrets.sessions[.ada])
        }
        let field = kind == "basic" ? ("Authorization", "Basic \(secret.reveal())") : secret.asField
        let before = town.store.current.sequence
        for row in Self.rows {
            let response = try await town.send(try #require(row.method), row.target, [field], body: row.good)
            #expect(response.status.code == 401, "\(row.route)")
            #expect(response.errorCode == "invalid_token")
            #expect(response.headers.first("WWW-Authenticate")?.contains("invalid_token") == true)
        }
        #expect(try await town.send(.get, "/api/v1/health", [field]).status.code == 401)
        // One that has expired is deleted.
        _ = try await town.store.write(by: .local) { _ in }
        #expect(town.store.current.sequence == before + (["expired", "idle"].contains(kind) ? 1 : 0))
    }

    /// A super admin's token with the scope `read` reads, and changes nothing; one with `write` does what any member
    /// may.
    @Test func theScopeOfATokenBoundsIt() async throws {
        let town = try await TestTown.peopled()
        let before = town.store.current.sequence + 2
        let reading = try await town.give(.api, .apiToken, to: 1, lasting: nil) { $0.scope = .read }.token.asField
        let writing = try await town.give(.api, .apiToken, to: 1, lasting: nil) { $0.scope = .write }.token.asField
        let access = Dictionary(
            town.routes.map { ("\($0.method.name) \($0.pattern)", $0.route.access) },
            uniquingKeysWith: { first, _ in first })
        for row in Self.rows where access[row.route] != .anyone {
            let method = try #require(row.method)
            let isHidden = row.status(.good, .otto) == 404 && row.route.contains("{slug}")
            let response = try await town.send(method, row.target, [reading], body: row.good)
            #expect(response.status.code == (isHidden ? 404 : 403), "\(row.route)")
            let code = access[row.route] == .folderOwner ? "forbidden" : "insufficient_scope"
            #expect(response.errorCode == (isHidden ? "not_found" : code), "\(row.route)")
            guard [.superAdmin, .editor, .businessEditor, .businessOwner].contains(access[row.route]) else { continue }
            let second = try await town.send(method, row.target, [writing], body: row.good)
            #expect(second.status.code == (isHidden ? 404 : 403), "\(row.route)")
        }
        #expect(town.store.current.sequence == before)
        for method in [HTTP.Method.get, .head] {
            #expect(try await town.send(method, "/api/v1/me", [reading]).status.code == 200)
            #expect(try await town.send(method, "/api/v1/users", [reading]).errorCode == "insufficient_scope")
        }
        let fair = #"{"name":"Fair","event_type":"sports","business":"zeds","starts_at":"2035-07-01T10:00:00Z"}"#
        #expect(try await town.send(.post, "/api/v1/events", [writing], body: fair).status.code == 201)
        #expect(
            try town.store.current.town.events[Slug(town.slug(ofEvent: "Fair"))]?.value.status == .pendingReview)
    }
}

extension AccessTests {
    /// An API token of an editor acts as the editor: with `read` it changes nothing, with `write` or `admin` what is
    /// public, and with none of them anything else.
    @Test func theTokensOfAnEditor() async throws {
        let refusing = try await TestTown.peopled()
        let access = Dictionary(
            refusing.routes.map { ("\($0.method.name) \($0.pattern)", $0.route.access) },
            uniquingKeysWith: { first, _ in first })
        for row in Self.rows {
            guard let needed = access[row.route], needed != .anyone, needed != .member else { continue }
            let session = try #require(row.status(.good, .edda))
            for scope in [Credential.Scope.read, .write, .admin] {
                let expected = scope == .read ? 403 : session
                let town = expected < 300 ? try await TestTown.peopled() : refusing
                let token = try await town.give(.api, .apiToken, to: 5, lasting: nil) { $0.scope = scope }.token
                let before = town.store.current
                let response = try await town.send(
                    try #require(row.method), row.target, [token.asField], body: town.filled(row.good))
                #expect(response.status.code == expected, "\(row.route), \(scope): \(response.text)")
                let changes = expected < 300 && row.isDone != nil
                #expect(town.store.current.sequence == before.sequence + (changes ? 1 : 0), "\(row.route), \(scope)")
            }
        }
    }

    /// An import of an editor does not set where the town is, nor its other settings.
    @Test(arguments: ["?center=48.3,-123.7", "?settings=true", "?dry_run=true&settings=true"])
    func theSettingsOfAnImport(query: String) async throws {
        let town = try await TestTown.peopled()
        for caller in [TestCaller.edda, .ada, .folder] {
            let response = try await town.send(
                .post, "/api/v1/admin/import\(query)&format=json", as: caller,
                body: #"{"categories":[{"name":"Brought"}]}"#)
            #expect(response.status.code == (caller == .edda ? 403 : 200), "\(caller)")
            if caller == .edda { #expect(response.text.contains("settings of the town")) }
        }
    }
}

extension WriteTransaction {
    /// Ends a permission.
    fileprivate mutating func end(_ loss: AccessTests.Loss, of person: Int, _ token: Token) throws {
        switch loss {
        case .tokenEnded: deleteCredential(try #require(town.credentials[digest: token.digest]?.id))
        case .accountRemoved: try deletePerson(person)
        case .roleTaken:
            var patch = Patch<Person>()
            patch.values.role = .generalUser
            patch.fields = ["role"]
            try update(person, patch)
        }
    }
}
