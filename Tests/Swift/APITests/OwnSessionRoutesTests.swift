import HTTP
import SookeModel
import Store
import Testing

@testable import API
@testable import Service

/// The lifetime of sessions, and how people list and end their own.
@Suite struct OwnSessionRoutesTests {
    private static let path = "/api/v1/me/sessions"
    private static let day = 86_400

    private static func logIn(_ town: TestTown, _ more: String = "") async throws -> Response {
        try await town.send(
            .post, "/api/v1/session",
            body: #"{"email":"mia@town.example","password":"\#(TestSecrets.password)"\#(more)}"#)
    }

    private static func status(_ town: TestTown, _ token: Token) async throws -> Int {
        try await town.send(.get, "/api/v1/me", [token.asField]).status.code
    }

    @Test func whoStaysSignedInHas90DaysAfterEachUse() async throws {
        let town = try await TestTown.peopled()
        let answer = try await Self.logIn(town, #","stay_signed_in":true"#)
        #expect(answer.text.contains(#""expires_at":"2027-02-19T09:30:00Z""#))
        let token = try answer.token
        for _ in 1...5 {
            town.clock.advance(bySeconds: 89 * Self.day)
            #expect(try await Self.status(town, token) == 200)
            // Its use is stored by a task that no request waits for.
            let now = town.clock.now
            while !town.store.current.town.credentials.inOrderOfID.contains(where: { $0.seenAt == now }) {
                await Task.yield()
            }
        }
        town.clock.advance(bySeconds: 90 * Self.day)
        #expect(try await Self.status(town, token) == 401)
    }

    /// Its use is stored once a day.
    @Test func itsUseIsWrittenOnceADay() async throws {
        let town = try await TestTown.peopled()
        let token = try await Self.logIn(town, #","stay_signed_in":true"#).token
        let before = town.store.current.sequence
        for _ in 0..<23 {
            town.clock.advance(bySeconds: 3600)
            #expect(try await Self.status(town, token) == 200)
        }
        // This write comes after all earlier ones.
        _ = try await town.store.write(by: .local) { transaction in
            try transaction.upsert(.category, #"{"name":"Late"}"#)
        }
        #expect(town.store.current.sequence == before + 1)
    }

    @Test func listingThem() async throws {
        let town = try await TestTown.peopled()
        _ = try await Self.logIn(town, #","stay_signed_in":true"#)
        town.clock.advance(bySeconds: 60)
        let list = try await town.send(.get, Self.path, as: .mia)
        #expect(
            list.text == #"{"items":["#
                + #"{"id":4,"created_at":"2026-11-21T09:30:00Z","last_used_at":"2026-11-21T09:31:00Z","#
                + #""expires_at":"2026-11-21T10:01:00Z","stay_signed_in":false,"is_current":true,"device":null},"#
                + #"{"id":9,"created_at":"2026-11-21T09:30:00Z","last_used_at":"2026-11-21T09:30:00Z","#
                + #""expires_at":"2027-02-19T09:30:00Z","stay_signed_in":true,"is_current":false,"device":null}]}"#)
        // An administrator sees the same, of which none is theirs.
        let seen = try await town.send(.get, "/api/v1/users/4/sessions", as: .ada).text
        #expect(seen == list.text.replacing("\"is_current\":true", with: "\"is_current\":false"))
        #expect(try await town.send(.get, "/api/v1/users/99/sessions", as: .ada).status.code == 404)
        // Expired sessions are not listed, and neither are those of other accounts.
        town.clock.advance(bySeconds: Accounts.idleSeconds)
        let token = try await Self.logIn(town).token
        let later = try await town.send(.get, Self.path, [token.asField]).text
        #expect(!later.contains(#""id":4,"#) && later.contains(#""id":9,"#) && later.contains(#""id":10,"#))
    }

    @Test func endingThem() async throws {
        let town = try await TestTown.peopled()
        let (one, two, three) = (
            try await Self.logIn(town).token, try await Self.logIn(town).token, try await Self.logIn(town).token
        )
        let program = try await town.give(.api, .apiToken, to: 4, lasting: nil) { $0.scope = .read }
        #expect(try await town.send(.delete, "\(Self.path)/9", [two.asField]).status.code == 204)
        #expect(try await Self.status(town, one) == 401)
        #expect(try await Self.status(town, two) == 200)
        for other in ["\(Self.path)/9", "\(Self.path)/1", "\(Self.path)/\(program.id)", "\(Self.path)/0"] {
            #expect(try await town.send(.delete, other, [two.asField]).status.code == 404, "\(other)")
        }
        #expect(try await town.send(.delete, Self.path, [two.asField]).status.code == 204)
        for (token, status) in [(two, 200), (three, 401), (program.token, 200)] {
            #expect(try await Self.status(town, token) == status)
        }
        #expect(try await town.send(.get, "/api/v1/me", as: .mia).status.code == 401)
        #expect(try await town.send(.get, "/api/v1/me", as: .olga).status.code == 200)
    }

    /// Beyond twenty, the oldest sessions end.
    @Test func anAccountHasTwentyAtMost() async throws {
        let town = try await TestTown.peopled()
        var tokens: [Token] = []
        for _ in 1...22 {
            tokens.append(try await Self.logIn(town).token)
            town.clock.advance(bySeconds: 1)
        }
        let open = town.store.current.town.credentials.of(person: 4).filter { $0.purpose == .session }
        #expect(open.count == 20)
        for (index, token) in tokens.enumerated() {
            #expect(try await Self.status(town, token) == (index < 2 ? 401 : 200), "session \(index)")
        }
        #expect(try await town.send(.get, "/api/v1/me", as: .mia).status.code == 401, "the first of all")
    }
}
