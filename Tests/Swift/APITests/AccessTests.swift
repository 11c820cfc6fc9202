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
        AccessRow.recordRows + AccessRow.calendarRows + AccessRow.eventRows + AccessRow.proposalRows
        + AccessRow.accountRows
        + AccessRow.sessionRows

    @Test func everyRouteThatWritesHasARow() async throws {
        let routes = try await TestTown().routes.filter { !$0.method.isSafe }
        let names = routes.map { "\($0.method.name) \($0.pattern)" }
        #expect(Set(names).subtracting(Self.rows.map(\.route)) == [], "no row tells who may use it")
        #expect(Set(Self.rows.map(\.route)).subtracting(names) == [], "there is no such route")
    }

    @Test(arguments: rows)
    func whoMayChange(_ row: AccessRow) async throws {
        let refusing = try await TestTown.peopled()
        for way in AccessRow.Way.allCases {
            for caller in TestCaller.allCases {
                let expected = row.status(way, caller)
                // What is ignored in a request is so for everybody.
                if expected < 300, way != .good, caller != .folder { continue }
                let town = expected < 300 ? try await TestTown.peopled() : refusing
                let before = town.store.current
                let response = try await town.send(
                    row.method, row.target, as: caller, row.headers(way), body: row.body(way))
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
        case tokenEnded, accountRemoved, roleTaken, businessGiven
    }

    /// Each write checks the permission of its caller on the version that it changes, not only on the one when the
    /// request arrived.
    @Test(arguments: rows)
    func aRightThatEndsMeanwhileCounts(_ row: AccessRow) async throws {
        // It is refused before it waits.
        if row.passed >= 400 { return }
        let access = try #require(
            try await TestTown().routes.first { "\($0.method.name) \($0.pattern)" == row.route }?.route.access)
        let losses: [(TestCaller, Loss)]
        switch access {
        // These permissions cannot end.
        case .anyone, .folderOwner: return
        // Whoever has an account decides on what concerns their business.
        case .member where row.route.contains("/proposals/"): losses = [(.olga, .roleTaken)]
        case .member: losses = [(.mia, .tokenEnded), (.mia, .accountRemoved)]
        case .businessOwner: losses = [(.olga, .businessGiven)]
        case .editor: losses = [(.edda, .roleTaken)]
        case .superAdmin, .metricsReader: losses = [(.ada, .roleTaken)]
        case .businessEditor, .eventEditor, .eventReviewer: losses = [(.olga, .roleTaken), (.edda, .tokenEnded)]
        }
        for (caller, loss) in losses { try await checkThatARightEnds(row, loss, caller) }
    }

    private func checkThatARightEnds(_ row: AccessRow, _ loss: Loss, _ caller: TestCaller) async throws {
        let town = try await TestTown.peopled()
        let token = try #require(TestSecrets.sessions[caller])
        let person = try #require(caller.person)
        let before = town.store.current
        let request = try Request(
            row.method, row.target, headers: [token.asField, JSONBody.field],
            body: Array(try town.filled(row.good).utf8),
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
        let keepsAccount = [.roleTaken, .businessGiven].contains(loss)
        #expect(keepsAccount == (response.status != .unauthorized), "\(row.route): \(response.text)")
        #expect(after.sequence == before.sequence + 1, "\(row.route) changed the town")
    }

    static let reads: [(route: String, target: String, rights: Rights)] =
        [
            "/docs", "/openapi.json", "/live", "/ready", "/api/v1/health", "/api/v1/openapi.json", "/api/v1/businesses",
            "/api/v1/businesses.geojson", "/api/v1/businesses.csv", "/api/v1/categories", "/api/v1/event-types",
            "/api/v1/events", "/api/v1/events.csv", "/api/v1/events.ics", "/api/v1/changes", "/api/v1/town",
        ].map { ($0, $0, .everyone) }
        + [
            "/metrics", "/api/v1/users", "/api/v1/town/clock-followers", "/api/v1/admin/changes", "/api/v1/admin/audit",
            "/api/v1/admin/tokens", "/api/v1/admin/read-only", "/api/v1/admin/status", "/api/v1/admin/export",
            "/api/v1/admin/backup", "/api/v1/admin/log",
        ].map { ($0, $0, .admins) }
        + [
            ("/api/v1/businesses/{slug}", "/api/v1/businesses/zeds", .everyone),
            ("/api/v1/businesses/{slug}", "/api/v1/businesses/den", .hiddenBusiness),
            ("/api/v1/categories/{slug}", "/api/v1/categories/bars", .everyone),
            ("/api/v1/event-types/{slug}", "/api/v1/event-types/sports", .everyone),
            ("/api/v1/events", "/api/v1/events?status=pending_review", .members),
            ("/api/v1/events/{slug}", "/api/v1/events/gig", .everyone),
            ("/api/v1/events/{slug}", "/api/v1/events/quiz", .hiddenEvent),
            // Its only date leads to the event.
            ("/api/v1/events/{slug}/{date}", "/api/v1/events/gig/2035-01-02", .everyone),
            ("/api/v1/events/{slug}/{date}", "/api/v1/events/quiz/2034-12-31", .hiddenEvent),
            ("/api/v1/confirmations", "/api/v1/confirmations", .members),
            ("/api/v1/proposals", "/api/v1/proposals", .members), ("/api/v1/me", "/api/v1/me", .accounts),
            ("/api/v1/me/sessions", "/api/v1/me/sessions", .accounts),
            ("/api/v1/users/{id}", "/api/v1/users/4", .admins),
            ("/api/v1/users/{id}/sessions", "/api/v1/users/4/sessions", .admins),
            ("/api/v1/notices", "/api/v1/notices", .everyone),
            ("/api/v1/notices/{slug}", "/api/v1/notices/snow", .everyone),
            ("/api/v1/history", "/api/v1/history?of=businesses/zeds", .managers),
            ("/api/v1/history", "/api/v1/history?of=businesses/den", .managersOfHidden),
            ("/api/v1/history", "/api/v1/history?of=events/quiz", .submitters),
            ("/api/v1/history", "/api/v1/history?of=businesses/1", .historyByID),
            ("/api/v1/history", "/api/v1/history?of=categories/bars", .editors),
            ("/api/v1/history", "/api/v1/history?of=event-types/sports", .editors),
            ("/api/v1/history", "/api/v1/history?of=users/4", .admins),
            ("/api/v1/history", "/api/v1/history?of=settings/1", .noHistory),
            ("/api/v1/admin/import", "/api/v1/admin/import", .editors),
            ("/api/v1/calendars", "/api/v1/calendars", .editors),
            ("/api/v1/calendars/{id}", "/api/v1/calendars/1", .editors),
            ("/api/v1/calendar-checks/{token}", "/api/v1/calendar-checks/00", .noCheck),
            ("/api/v1/businesses/{slug}/menus", "/api/v1/businesses/zeds/menus", .nobody),
        ]

    @Test func whoMayRead() async throws {
        let town = try await TestTown.peopled()
        let names = town.routes.filter { $0.method.isSafe }.map(\.pattern)
        #expect(Set(names) == Set(Self.reads.map(\.route)))
        let before = town.store.current.sequence
        for read in Self.reads {
            for caller in TestCaller.allCases {
                for method in [HTTP.Method.get, .head] {
                    let response = try await town.send(method, read.target, as: caller)
                    let status = read.rights.status(caller, otherwise: read.route.hasSuffix("{date}") ? 301 : 200)
                    #expect(response.status.code == status, "\(method.name) \(read.target), asked by \(caller)")
                }
            }
        }
        #expect(town.store.current.sequence == before)
    }

    /// An invalid token is refused everywhere, even where none is needed.
    @Test func tokensThatAreNoGood() async throws {
        let town = try await TestTown.peopled()
        let (revoked, id) = try await town.give(.api, .apiToken, to: 1, lasting: nil) { $0.scope = .admin }
        #expect(try await town.send(.get, "/api/v1/users", [revoked.asField]).status.code == 200)
        #expect(try await town.send(.delete, "/api/v1/admin/tokens/\(id)", as: .ada).status.code == 204)
        let ada = try #require(TestSecrets.sessions[.ada])
        let fields = [
            try await town.give(.session, .session, to: 1, lasting: 0).token.asField, revoked.asField,
            TestSecrets.invitation.asField, ("Authorization", "Basic \(ada.reveal())"),
            try await town.give(.session, .session, to: 99, lasting: 60).token.asField, try Token(.session).asField,
        ]
        for field in fields {
            #expect(try await town.send(.get, "/api/v1/health", [field]).status.code == 401)
            #expect(try await town.send(.get, "/api/v1/me", [field]).status.code == 401)
        }
        // Those that have expired are deleted by now.
        _ = try await town.store.write(by: .local) { _ in }
        let before = town.store.current.sequence
        for row in Self.rows {
            let response = try await town.send(row.method, row.target, fields.suffix(1), body: row.good)
            #expect(response.status.code == 401 && response.errorCode == "invalid_token", "\(row.route)")
            #expect(response.headers.first("WWW-Authenticate")?.contains("invalid_token") == true)
        }
        #expect(town.store.current.sequence == before)
        town.clock.advance(bySeconds: Accounts.idleSeconds)
        #expect(try await town.send(.get, "/api/v1/health", as: .ada).status.code == 401)
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
            let isHidden = row.status(.good, .otto) == 404 && row.route.contains("{slug}")
            let response = try await town.send(row.method, row.target, [reading], body: row.good)
            #expect(response.status.code == (isHidden ? 404 : 403), "\(row.route)")
            let code = access[row.route] == .folderOwner ? "forbidden" : "insufficient_scope"
            #expect(response.errorCode == (isHidden ? "not_found" : code), "\(row.route)")
            guard [.superAdmin, .editor, .businessEditor, .businessOwner].contains(access[row.route]) else { continue }
            let second = try await town.send(row.method, row.target, [writing], body: row.good)
            #expect(second.status.code == (isHidden ? 404 : 403), "\(row.route)")
        }
        #expect(town.store.current.sequence == before)
        for method in [HTTP.Method.get, .head] {
            #expect(try await town.send(method, "/api/v1/me", [reading]).status.code == 200)
            #expect(try await town.send(method, "/api/v1/users", [reading]).errorCode == "insufficient_scope")
        }
        let fair = #"{"name":"Fair","event_type":"sports","business":"zeds","starts_at":"2035-07-01T10:00:00Z"}"#
        #expect(try await town.send(.post, "/api/v1/events", [writing], body: fair).status.code == 201)
    }

    /// An import of an editor does not set where the town is, nor its other settings.
    @Test(arguments: [TestCaller.edda, .ada, .folder])
    func theSettingsOfAnImport(caller: TestCaller) async throws {
        let town = try await TestTown.peopled()
        for query in ["?center=48.3,-123.7", "?settings=true", "?dry_run=true&settings=true"] {
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
        case .businessGiven: try upsert(.business, #"{"slug":"zeds","owner_id":3}"#)
        }
    }
}
