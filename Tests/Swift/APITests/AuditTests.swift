import HTTP
import SookeModel
import Testing

@testable import API
@testable import Dispatcher
@testable import Service

/// What the audit stores, and what it never does.
@Suite struct AuditTests {
    private static let password = "seven otters under the pier"
    private static let from = #""from":"127.0.0.1","method":"#

    /// A town where 1 has a password.
    private func town() async throws -> TestTown {
        let town = try await TestTown.withAccounts()
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
        for _ in 0..<4 { _ = try await login("p1@town.example", "not the password") }
        _ = town.audit.take()
        #expect(try await login("stranger@town.example", Self.password) == 429)
        let throttled = #"{"action":"login","result":"throttled","status":429,"code":"too_many_logins","by":null,"#
        #expect(town.audit.take() == ["\(throttled)\(end)"])
    }

    @Test func refusals() async throws {
        let town = try await TestTown.withAccounts()
        let session = try await town.authorization(of: 3)
        let requests: [(HTTP.Method, String, [(String, String)], String?)] = [
            (.get, "/api/v1/me", [], nil), (.get, "/api/v1/businesses", [], nil),
            (.get, "/api/v1/businesses", [("Authorization", "Bearer nonsense")], nil),
            // A refusal without an account is only counted.
            (.post, "/api/v1/businesses?password=x", [], nil),
            (.get, "/api/v1/admin/status", [("Authorization", "Bearer nonsense")], nil),
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
        town.service.audit?.flush()
        #expect(town.audit.take(.strangers) == [#"{"action":"request","result":"refused","count":2,"by":null}"#])
        #expect(town.audit.take() == [])
    }

    /// Neither many refusals and guesses without an account, nor many refusals of one account, displace the entries of
    /// people.
    @Test func floods() async throws {
        let town = try await town()
        let session = try await town.authorization(of: 3)
        func login(_ number: Int) async throws {
            let peer = Peer.inet(address: "198.51.100.\(number % 250)", port: 1, isLoopback: false)
            let body = #"{"email":"p1@town.example","password":"wrong"}"#
            _ = try await town.send(.post, "/api/v1/session", body: body, from: peer)
        }
        for number in 0..<150 {
            _ = try await town.send(.get, "/api/v1/admin/status")
            _ = try await town.send(.get, "/api/v1/admin/status", [session])
            try await login(number)
        }
        let refused = #""action":"request","result":"refused","status":403,"code":"forbidden""#
        let lines = town.audit.take(.people)
        #expect(lines.count == 10 && lines.allSatisfy { $0.contains(refused) }, "ten, and then a count")
        #expect(town.audit.take(.strangers).count == 100, "a hundred networks in ten minutes")
        // The period ends with the first entry after it.
        town.clock.advance(bySeconds: 600)
        _ = try await town.send(.get, "/api/v1/admin/status")
        let people = town.audit.take(.people)
        #expect(people.count == 1)
        #expect(people.first?.hasPrefix(#"{\#(refused),"count":140,"by":3,"#) == true)
        let strangers = town.audit.take(.strangers)
        #expect(strangers.contains(#"{"action":"request","result":"refused","count":150,"by":null}"#))
        // One line for the kinds beyond the limit.
        let logins = strangers.filter { $0.contains(#""action":"login""#) }
        let others = try #require(logins.last?.firstMatch(of: /"count":(\d+),"by":null\}$/))
        var sum = 100 + (Int(others.1) ?? 0)
        for line in logins.dropLast() {
            sum += try Int(#require(line.firstMatch(of: /"count":(\d+)/)).1) ?? 0
        }
        #expect(sum == 150)
        let metrics = try await town.ask(.get, "/metrics").text
        #expect(metrics.contains("\nsooke_strangers_refused_total 151\n"))
        #expect(metrics.contains("\nsooke_logins_failed_total 150\n"))
    }

    /// Each use of a restricted route leaves a line with the beginning of its row, and none has a secret.
    private static let uses: [(method: HTTP.Method, target: String, body: String, line: String)] = [
        (.get, "/api/v1/admin/backup", "", #""action":"backup","result":"ok","status":200,"by":1,"#),
        (.get, "/api/v1/admin/export?format=no", "", #""action":"export","result":"failed","status":400,"#),
        (
            .post, "/api/v1/users", #"{"email":"new@town.example"}"#,
            #""action":"account_made","result":"ok","status":201,"by":1,"user":6,"email":"new@town.example","#
        ),
        (
            .post, "/api/v1/users/6/promote", #"{"role":"super_admin"}"#,
            #""action":"promotion","result":"ok","status":200,"by":1,"user":6,"email":"new@town.example","#
        ),
        (
            .patch, "/api/v1/users/6", #"{"role":"general_user"}"#,
            #""action":"account_changed","result":"ok","status":200,"by":1,"user":6,"#
        ),
        (.delete, "/api/v1/users/6", "", #""action":"account_removed","result":"ok","status":204,"by":1,"user":6,"#),
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
            .post, "/api/v1/invitations/accept", #"{"token":"x","password":"\#(password)"}"#,
            #""action":"invitation_accepted","result":"failed","status":410,"code":"dead_link","by":1,"#
        ),
        (.delete, "/api/v1/session", "", #""action":"logout","result":"ok","status":204,"by":1,"#),
    ]

    @Test func whatOnlyFewMayDo() async throws {
        let town = try await TestTown.withAccounts()
        let session = try await town.authorization(of: 1)
        _ = try await town.ask(.get, "/api/v1/admin/backup")
        let own = #""action":"backup","result":"ok","status":200,"by":"local""#
        #expect(town.audit.take(.people).first?.contains(own) == true)
        var secrets = 0
        for (method, target, body, line) in Self.uses {
            let response = try await town.send(method, target, [session], body: body)
            let lines = town.audit.take()
            #expect(lines.count == 1 && lines.first?.hasPrefix("{\(line)") == true, "\(lines) \(response.text)")
            guard response.status == .created else { continue }
            for secret in response.text.split(separator: "\"") where Token(text: secret.utf8) != nil {
                #expect(!lines.joined().contains(secret))
                secrets += 1
            }
        }
        #expect(secrets > 0)
    }

    @Test func itsNewestEntries() async throws {
        let town = try await TestTown.withAccounts()
        let session = try await town.authorization(of: 3)
        #expect(try await town.send(.get, "/api/v1/admin/audit", [session]).status.code == 403)
        #expect(try await town.send(.get, "/api/v1/admin/audit").status.code == 401)
        let newest = try await town.ask(.get, "/api/v1/admin/audit?limit=1").text
        let first =
            #"{"items":[{"at":"2026-11-21T09:30:00Z","action":"request","result":"refused","count":1,"by":null}]}"#
        #expect(newest == first)
        let people = try await town.ask(.get, "/api/v1/admin/audit?limit=1&strangers=false").text
        #expect(
            people.hasPrefix(
                #"{"items":[{"at":"2026-11-21T09:30:00Z","action":"request","result":"refused","status":403,"#))
        #expect(people.hasSuffix(#""path":"/api/v1/admin/audit"}]}"#))
        for limit in ["0", "1001", "x"] {
            #expect(try await town.ask(.get, "/api/v1/admin/audit?limit=\(limit)").status.code == 400)
        }
    }

    @Test func aPathIsCutAndIsText() async throws {
        let town = try await TestTown.withAccounts()
        let session = try await town.authorization(of: 3)
        _ = try await town.send(
            .patch, "/api/v1/businesses/zeds?" + String(repeating: "x", count: 3000), [session], body: "{}")
        #expect(town.audit.take().first?.contains(#""path":"/api/v1/businesses/zeds"}"#) == true)
        let path = "/api/v1/users/" + String(repeating: "%22", count: 1000)
        _ = try await town.send(.delete, path, [session])
        let line = try #require(town.audit.take().first)
        #expect(line.utf8.count < 400)
        #expect(line.contains(#""path":"/api/v1/users/%22%22"#))
    }
}
