import Credentials
import HTTP
import SookeModel
import Testing

@testable import API

/// What the audit keeps, and what it never does.
@Suite struct AuditTests {
    private static let password = "seven otters under the pier"
    private static let from = #""from":"127.0.0.1","method":"#

    /// A town where 1 has a password.
    private func town() async throws -> AdminTown {
        let town = try await AdminTown()
        let body = #"{"new_password":"\#(Self.password)"}"#
        #expect(try await town.ask(.post, "/api/v1/users/1/password", body: body).status == .noContent)
        #expect(
            town.audit.take() == [
                #"{"action":"password_change","result":"ok","status":204,"by":"local","user":1,"#
                    + #""email":"p1@town.example","from":"uid:0","method":"POST","path":"/api/v1/users/1/password"}"#
            ])
        return town
    }

    @Test func logins() async throws {
        let town = try await town()
        func login(_ email: String, _ password: String) async throws -> Int {
            try await town.send(
                .post, "/api/v1/session", body: #"{"email":"\#(email)","password":"\#(password)"}"#
            ).status.code
        }
        let end = #"\#(Self.from)"POST","path":"/api/v1/session"}"#
        let known = #""user":1,"email":"p1@town.example","#
        #expect(try await login("p1@town.example", Self.password) == 201)
        #expect(
            town.audit.take() == [#"{"action":"login","result":"ok","status":201,"by":null,\#(known)\#(end)"#])
        #expect(try await login("p1@town.example", "not the password") == 401)
        #expect(try await login("stranger@town.example", "not the password") == 401)
        let failed = #"{"action":"login","result":"failed","status":401,"code":"wrong_password","by":null,"#
        #expect(town.audit.take() == ["\(failed)\(known)\(end)", "\(failed)\(end)"])
        for _ in 0..<3 { _ = try await login("p1@town.example", "not the password") }
        _ = town.audit.take()
        #expect(try await login("p1@town.example", Self.password) == 429)
        let throttled = #"{"action":"login","result":"throttled","status":429,"code":"too_many_logins","by":null,"#
        #expect(town.audit.take() == ["\(throttled)\(known)\(end)"])
    }

    @Test func refusals() async throws {
        let town = try await AdminTown()
        let session = try await town.authorization(of: 3)
        let requests: [(HTTP.Method, String, [(String, String)], String?)] = [
            (.get, "/api/v1/me", [], nil), (.get, "/api/v1/businesses", [], nil),
            (.get, "/api/v1/businesses", [("Authorization", "Bearer nonsense")], nil),
            (
                .post, "/api/v1/businesses?password=x", [],
                #"{"action":"request","result":"refused","status":401,"code":"unauthorized","by":null,\#(Self.from)"POST","#
                    + #""path":"/api/v1/businesses"}"#
            ),
            (
                .patch, "/api/v1/businesses/zeds", [session],
                #"{"action":"request","result":"refused","status":403,"code":"forbidden","by":3,\#(Self.from)"PATCH","#
                    + #""path":"/api/v1/businesses/zeds"}"#
            ),
            (
                .get, "/api/v1/admin/status", [session],
                #"{"action":"request","result":"refused","status":403,"code":"forbidden","by":3,\#(Self.from)"GET","#
                    + #""path":"/api/v1/admin/status"}"#
            ),
            (.patch, "/api/v1/businesses/shed", [session], nil), (.get, "/nope", [], nil),
        ]
        for (method, target, headers, line) in requests {
            _ = try await town.send(method, target, headers, body: method == .get ? "" : "{}")
            #expect(town.audit.take() == [line].compactMap(\.self), "\(method.name) \(target)")
        }
    }

    @Test func keysAndLinks() async throws {
        let town = try await AdminTown()
        let session = try await town.authorization(of: 1)
        var bodies = ""
        for (method, target, body, line) in [
            (
                .post, "/api/v1/admin/tokens", #"{"name":"bot"}"#,
                #""action":"token_made","result":"ok","status":201,"by":1,"user":1,"grant":2,"#
            ),
            (
                .delete, "/api/v1/admin/tokens/2", "",
                #""action":"token_revoked","result":"ok","status":204,"by":1,"user":1,"grant":2,"#
            ),
            (
                .post, "/api/v1/invitations", #"{"email":"new@town.example"}"#,
                #""action":"invitation","result":"ok","status":201,"by":1,"email":"new@town.example","grant":3,"#
            ),
            (
                .post, "/api/v1/users/3/password-reset", "",
                #""action":"password_link","result":"ok","status":201,"by":1,"user":3,"email":"p3@town.example","#
            ),
            (
                .post, "/api/v1/invitations/accept", #"{"token":"x","password":"\#(Self.password)"}"#,
                #""action":"invitation_accepted","result":"failed","status":410,"code":"dead_link","by":1,"#
            ),
            (.delete, "/api/v1/session", "", #""action":"logout","result":"ok","status":204,"by":1,"#),
        ] as [(HTTP.Method, String, String, String)] {
            let response = try await town.send(method, target, [session], body: body)
            let lines = town.audit.take()
            #expect(lines.count == 1, "\(response.text)")
            #expect(lines.first?.hasPrefix("{\(line)") == true, "\(lines) \(response.text)")
            for secret in response.text.split(separator: "\"") where Token(text: secret.utf8) != nil {
                #expect(!lines.joined().contains(secret))
                bodies += secret
            }
        }
        #expect(!bodies.isEmpty)
    }

    @Test func whoMayReadIt() async throws {
        let town = try await AdminTown()
        for (person, status) in [(1, 200), (2, 403), (3, 403)] {
            let session = try await town.authorization(of: person)
            #expect(try await town.send(.get, "/api/v1/admin/audit", [session]).status.code == status)
        }
        #expect(try await town.send(.get, "/api/v1/admin/audit").status.code == 401)
        let newest = try await town.ask(.get, "/api/v1/admin/audit?limit=1").text
        let first = #"{"items":[{"at":"2026-11-21T09:30:00Z","action":"request","result":"refused","status":401,"#
        #expect(newest.hasPrefix(first))
        #expect(newest.hasSuffix(#""path":"/api/v1/admin/audit"}]}"#))
        for limit in ["0", "1001", "x"] {
            #expect(try await town.ask(.get, "/api/v1/admin/audit?limit=\(limit)").status.code == 400)
        }
    }

    @Test func aPathIsCutAndIsText() async throws {
        let town = try await AdminTown()
        _ = try await town.send(.delete, "/api/v1/businesses/" + String(repeating: "%22", count: 1000))
        let line = try #require(town.audit.take().first)
        #expect(line.utf8.count < 400)
        #expect(line.contains(#""path":"/api/v1/businesses/%22%22"#))
    }
}
