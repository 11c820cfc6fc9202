import SookeModel
import Store
import Testing

@testable import Service

/// The ends of sessions and links, and attempts at once.
@Suite struct AccountsTests {
    private static let password = "plum-ladder-oxide-42"

    private static func word<Value>(_ useCase: () async throws -> Value) async -> String {
        do {
            _ = try await useCase()
            return "done"
        } catch {
            return ServiceError(error).word
        }
    }

    /// The newest link counts, so that one in a mailbox of others ends.
    @Test func aNewerPasswordResetEndsTheOlderOne() async throws {
        let town = try await ServiceTown()
        var links: [String] = []
        for _ in 0..<2 {
            links.append(try await town.service.issuePasswordReset(of: 4, for: town.context(.ada)).token.reveal())
        }
        let other = try await town.service.issuePasswordReset(of: 3, for: town.context(.ada)).token.reveal()
        for (text, result) in [(links[0], "deadLink"), (links[1], "done"), (links[1], "deadLink"), (other, "done")] {
            #expect(
                await Self.word {
                    try await town.service.resetPassword(
                        text, to: Self.password, keepingTokens: false, for: town.context(.nobody))
                } == result)
        }
        // All sessions have ended.
        #expect(town.town.credentials[TestCaller.mia.rawValue] == nil)
    }

    /// Super admins end all sessions of an account; its tokens stay.
    @Test(arguments: [(TestCaller.ada, "done"), (.local, "done"), (.olga, "forbidden"), (.mia, "forbidden")])
    func endingSessionsOfOthers(caller: TestCaller, result: String) async throws {
        let town = try await ServiceTown()
        let input = TokenInput(name: "n", scope: "read", email: "mia@town.example", expiresAt: nil)
        let token = try await town.service.issueToken(input, for: town.context(.ada)).credential.id
        #expect(await Self.word { try await town.service.endSessions(of: 4, for: town.context(caller)) } == result)
        #expect((town.town.credentials[TestCaller.mia.rawValue] == nil) == (result == "done"))
        #expect(town.town.credentials[token] != nil && town.town.credentials[TestCaller.otto.rawValue] != nil)
        if result == "done" {
            let word = await Self.word { try await town.service.endSessions(of: 99, for: town.context(caller)) }
            #expect(word == "notFound")
        }
    }

    /// One password of an account is compared at a time.
    @Test func wrongCurrentPasswordsAreComparedOneByOne() async throws {
        let town = try await ServiceTown()
        try await town.service.setPassword(Self.password, of: 3, keepingTokens: true, for: town.context(.local))
        let session = try await town.service.logIn(
            "otto@town.example", password: Self.password, staysSignedIn: false, for: town.context(.nobody))
        let caller = try town.service.authenticate(session.token, in: town.store.current).caller
        let context = RequestContext(
            caller: caller, isSuperAdmin: false, network: town.context(.nobody).clientNetwork,
            version: town.store.current)
        let service = town.service
        let words = await withTaskGroup(of: String.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    await Self.word {
                        try await service.changePassword(from: "wrong", to: "another-plum-ladder-7", for: context)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(words.contains("invalid password") && words.contains("limited logins"), "\(words)")
        #expect(Set(words) == ["invalid password", "limited logins"])
    }
}
