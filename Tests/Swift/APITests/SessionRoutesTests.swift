import HTTP
import SookeModel
import Store
import Testing

@testable import API
@testable import Service

/// Logging in and out, and other passwords.
@Suite struct SessionRoutesTests {
    private static func credentials(_ email: String, _ password: String) -> String {
        #"{"email":"\#(email)","password":"\#(password)"}"#
    }

    @Test func loggingInAndOut() async throws {
        let town = try await TestTown.peopled()
        let answer = try await town.send(
            .post, "/api/v1/session", body: Self.credentials("MIA@town.example", TestSecrets.password))
        #expect(answer.status.code == 201)
        #expect(answer.text.contains(#""expires_at":"2026-11-21T21:30:00Z""#))
        #expect(answer.text.contains(#""user":{"id":4,"email":"mia@town.example","#))
        #expect(answer.headers.first("Cache-Control") == "no-store")
        let token = try answer.token
        #expect(try await town.send(.get, "/api/v1/me", [token.asField]).text.contains(#""id":4"#))
        #expect(try await town.send(.delete, "/api/v1/session", [token.asField]).status.code == 204)
        #expect(try await town.send(.get, "/api/v1/me", [token.asField]).errorCode == "invalid_token")
        #expect(try await town.send(.get, "/api/v1/me", as: .mia).status.code == 200)
        #expect(try !town.files().contains(token.reveal()))
    }

    /// An unknown address gets the same response as a wrong password.
    @Test func loginsThatFail() async throws {
        let town = try await TestTown.peopled()
        let before = town.store.current.sequence
        let bodies = [
            Self.credentials("mia@town.example", "plum-ladder-oxide-43"), Self.credentials("mia@town.example", ""),
            Self.credentials("mia@town.example", #"a\u0000b"#), Self.credentials("nobody@town.example", "x"),
            Self.credentials("", TestSecrets.password),
        ]
        var answers: Set<[UInt8]> = []
        for body in bodies {
            let answer = try await town.send(.post, "/api/v1/session", [("X-Request-ID", "one")], body: body)
            #expect(answer.status.code == 401)
            #expect(answer.errorCode == "wrong_password")
            answers.insert(answer.body)
        }
        #expect(answers.count == 1)
        #expect(town.store.current.sequence == before)
        // The throttle admitted five. It covers other spellings of the address, and the right password.
        let late = try await town.send(
            .post, "/api/v1/session", body: Self.credentials("mia@town.example", TestSecrets.password))
        #expect(late.status.code == 429)
        #expect(late.errorCode == "too_many_logins")
        let wait = try #require(late.headers.first("Retry-After").flatMap { Int($0) })
        town.clock.advance(bySeconds: wait)
        let right = try await town.send(
            .post, "/api/v1/session", body: Self.credentials("mia@town.example", TestSecrets.password))
        #expect(right.status.code == 201)
    }

    @Test func aNewPasswordEndsTheOtherSessions() async throws {
        let town = try await TestTown.peopled()
        let other = try await town.give(.session, .session, to: 4, lasting: 3600).token
        let program = try await town.give(.api, .apiToken, to: 4, lasting: nil) { $0.scope = .read }.token
        let answer = try await town.send(
            .post, "/api/v1/me/password", as: .mia,
            body: #"{"password":"\#(TestSecrets.password)","new_password":"\#(TestSecrets.newPassword)"}"#)
        #expect(answer.status.code == 204)
        #expect(try await town.send(.get, "/api/v1/me", as: .mia).status.code == 200)
        #expect(try await town.send(.get, "/api/v1/me", [program.asField]).status.code == 200)
        #expect(try await town.send(.get, "/api/v1/me", [other.asField]).status.code == 401)
        #expect(town.store.current.town.credentials[6] == nil, "the reset that was under way is over")
        for (password, status) in [(TestSecrets.password, 401), (TestSecrets.newPassword, 201)] {
            let login = try await town.send(
                .post, "/api/v1/session", body: Self.credentials("mia@town.example", password))
            #expect(login.status.code == status)
        }
    }

    @Test func aPasswordThatIsEasyToGuess() async throws {
        let town = try await TestTown.peopled()
        let before = town.store.current.sequence
        let answer = try await town.send(
            .post, "/api/v1/me/password", as: .mia,
            body: #"{"password":"\#(TestSecrets.password)","new_password":"mia@town.example"}"#)
        #expect(answer.status.code == 422)
        #expect(answer.text.contains(#""fields":{"new_password":"#))
        #expect(!answer.text.contains("mia@town.example"))
        #expect(town.store.current.sequence == before)
    }
}

extension Response {
    /// The token in a response.
    var token: Token {
        get throws {
            let match = try #require(text.firstMatch(of: /sooke_[a-z]{3}_[A-Za-z0-9_-]{43}/))
            return try #require(Token(text: match.output.utf8))
        }
    }
}
