import Service
import HTTP
import SookeModel
import Store
import Testing

@testable import API

/// The end of API tokens: their permissions and lifetime never exceed those of their creator and of the token used to
/// make them.
@Suite struct TokenRoutesTests {
    private static let path = "/api/v1/admin/tokens"

    private static func make(_ town: TestTown, _ field: (String, String), _ members: String) async throws -> Response {
        try await town.send(.post, path, [field], body: #"{"name":"n",\#(members)}"#)
    }

    private static func ada() throws -> (String, String) { try #require(TestSecrets.sessions[.ada]).asField }

    private static func status(_ town: TestTown, _ token: Token, _ target: String = "/api/v1/me") async throws -> Int {
        try await town.send(.get, target, [token.asField]).status.code
    }

    /// Changes of the account of Una, who has made a token for Mia, and a link.
    enum Fate: CaseIterable, Sendable {
        case nothing, logout, removal, demotion, demotionToEditor, promotionRoute, importedRole, demotionAndBack
    }

    @Test(arguments: Fate.allCases)
    func theAccountThatMadeIt(_ fate: Fate) async throws {
        let town = try await TestTown.peopled()
        _ = try await town.store.write(by: .local) { transaction in
            try transaction.upsert(.person, #"{"email":"una@town.example","role":"super_admin"}"#)
        }
        let una = try await town.give(.session, .session, to: 6, lasting: 3600).token
        let forMia = try await Self.make(town, una.asField, #""email":"mia@town.example","scope":"read""#).token
        let forHerself = try await Self.make(town, una.asField, #""scope":"admin""#).token
        let link = try await town.send(
            .post, "/api/v1/invitations", [una.asField], body: #"{"email":"new2@town.example"}"#)
        #expect(link.status.code == 201)
        func role(_ name: String, _ path: String = "/promote", _ method: HTTP.Method = .post) async throws {
            let answer = try await town.send(
                method, "/api/v1/users/6\(path)", as: .ada, body: #"{"role":"\#(name)"}"#)
            #expect(answer.status.code == 200)
        }
        switch fate {
        case .nothing: break
        case .logout: #expect(try await town.send(.delete, "/api/v1/session", [una.asField]).status.code == 204)
        case .removal: #expect(try await town.send(.delete, "/api/v1/users/6", as: .ada).status.code == 204)
        case .demotion: try await role("business_owner", "", .patch)
        case .demotionToEditor: try await role("editor")
        case .promotionRoute: try await role("general_user")
        case .importedRole:
            _ = try await town.store.write(by: .local) { transaction in
                try transaction.upsert(.person, #"{"email":"una@town.example","role":"general_user"}"#)
            }
        case .demotionAndBack:
            try await role("general_user")
            try await role("super_admin")
        }
        let isOver = fate != .nothing && fate != .logout
        #expect(try await Self.status(town, forMia) == (isOver ? 401 : 200))
        #expect(try await Self.status(town, forHerself) == (fate == .removal ? 401 : 200))
        let mayList = !isOver || fate == .demotionAndBack
        #expect(
            try await Self.status(town, forHerself, "/api/v1/users") == (fate == .removal ? 401 : mayList ? 200 : 403))
        let kinds = town.store.current.town.credentials.inOrderOfID.filter { $0.createdBy == 6 && $0.person != 6 }
        #expect(kinds.count == (isOver ? 0 : 2), "what she made for others is gone in the same commit")
    }

    @Test func theTokenThatMadeIt() async throws {
        let town = try await TestTown.peopled()
        let limited = try await Self.make(
            town, Self.ada(), #""scope":"admin","expires_at":"2026-11-21T10:30:00Z""#
        ).token
        let later = try await Self.make(town, limited.asField, #""expires_at":"2026-11-21T10:30:01Z""#)
        #expect(later.status.code == 422)
        #expect(later.text.contains(#""expires_at":"must not be after 2026-11-21T10:30:00Z"#))
        let clipped = try await Self.make(town, limited.asField, #""email":"mia@town.example""#)
        #expect(clipped.text.contains(#""created_by_token":9,"expires_at":"2026-11-21T10:30:00Z""#))
        let below = try await Self.make(town, limited.asField, #""scope":"admin","expires_at":"2026-11-21T10:00:00Z""#)
        #expect(below.status.code == 201)
        let third = try await Self.make(town, try below.token.asField, #""email":"mia@town.example""#).token
        let tokens = [try clipped.token, try below.token, third]
        for token in tokens { #expect(try await Self.status(town, token) == 200) }
        #expect(try await town.send(.delete, "\(Self.path)/9", as: .ada).status.code == 204)
        for token in tokens { #expect(try await Self.status(town, token) == 401) }
        #expect(town.store.current.town.credentials.inOrderOfID.allSatisfy { $0.purpose != .apiToken })
    }

    /// A new password that the owner sets, or that a link sets, revokes tokens unless it is asked to keep them.
    @Test(arguments: ["link", "owner"], [false, true])
    func aNewPasswordRevokesThem(how: String, isKeeping: Bool) async throws {
        let town = try await TestTown.peopled()
        let own = try await town.give(.api, .apiToken, to: 4, lasting: nil) { $0.scope = .read }.token
        let monitoring = try await town.give(.api, .apiToken, to: 4, lasting: nil) { $0.scope = .metrics }.id
        let made = try await town.give(.api, .apiToken, to: 2, lasting: nil) {
            ($0.scope, $0.createdBy) = (.read, 4)
        }.id
        let keep = isKeeping ? #","keep_tokens":true"# : ""
        let password = #""new_password":"\#(TestSecrets.newPassword)"\#(keep)}"#
        let answer =
            how == "link"
            ? try await town.send(
                .post, "/api/v1/password-reset", body: #"{"token":"\#(TestSecrets.reset.reveal())",\#(password)"#)
            : try await town.send(.post, "/api/v1/users/4/password", as: .folder, body: "{\(password)")
        #expect(answer.status.code == (how == "link" ? 201 : 204))
        #expect(try await Self.status(town, own) == (isKeeping ? 200 : 401))
        #expect((town.store.current.town.credentials[made] != nil) == isKeeping)
        #expect(town.store.current.town.credentials[monitoring] != nil, "Prometheus goes on")
        #expect(try await town.send(.get, "/api/v1/me", as: .mia).status.code == 401, "sessions end always")
    }

    @Test func metricsAndNothingElse() async throws {
        let town = try await TestTown.peopled()
        let answer = try await Self.make(town, Self.ada(), #""scope":"metrics""#)
        #expect(answer.status.code == 201)
        let token = try answer.token
        #expect(try await Self.status(town, token, "/metrics") == 200)
        for target in ["/api/v1/me", "/api/v1/businesses", "/api/v1/events/quiz", "/api/v1/admin/status", Self.path] {
            let refused = try await town.send(.get, target, [token.asField])
            #expect(refused.status.code == 403, "\(target)")
            #expect(refused.errorCode == "insufficient_scope")
        }
        for (method, target) in [
            (HTTP.Method.post, "/api/v1/events"), (.post, "/api/v1/session"), (.delete, "/api/v1/me/sessions"),
        ] {
            #expect(try await town.send(method, target, [token.asField], body: "{}").status.code == 403, "\(target)")
        }
        // It acts for a super admin, and loses that permission.
        let other = try await Self.make(town, Self.ada(), #""scope":"metrics","email":"mia@town.example""#)
        #expect(other.status.code == 422)
        _ = try await town.store.write(by: .local) { transaction in
            try transaction.upsert(.person, #"{"email":"ada@town.example","role":"general_user"}"#)
        }
        #expect(try await Self.status(town, token, "/metrics") == 403)
    }
}
