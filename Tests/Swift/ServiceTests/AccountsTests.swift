import SookeModel
import Store
import Testing

@testable import Service

/// Accounts, sessions, links and tokens.
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

    @Test(arguments: [
        (TestCaller.ada, "done"), (.local, "done"), (.olga, "forbidden"), (.edda, "forbidden"),
        (.nobody, "loginRequired"),
    ])
    func accountsAreForSuperAdmins(caller: TestCaller, result: String) async throws {
        let town = try await ServiceTown()
        let input = PatchInput<Person> { $0.email = "new@town.example" }
        #expect(await Self.word { try await town.service.createPerson(input, for: town.context(caller)) } == result)
        #expect(
            await Self.word { try await town.service.promote(4, to: .superAdmin, for: town.context(caller)) } == result)
        #expect(await Self.word { try await town.service.deletePerson(3, for: town.context(caller)) } == result)
    }

    @Test func aSuperAdminIsLeft() async throws {
        let town = try await ServiceTown()
        #expect(
            await Self.word { try await town.service.promote(1, to: .generalUser, for: town.context(.ada)) }
                == "lastAdmin"
        )
        #expect(await Self.word { try await town.service.deletePerson(1, for: town.context(.ada)) } == "lastAdmin")
        _ = try await town.service.promote(4, to: .superAdmin, for: town.context(.ada))
        #expect(await Self.word { try await town.service.deletePerson(1, for: town.context(.ada)) } == "done")
    }

    @Test func loggingInAndOut() async throws {
        let town = try await ServiceTown()
        try await town.service.setPassword(Self.password, of: 4, keepingTokens: false, for: town.context(.local))
        let context = town.context(.nobody)
        for (email, password, result) in [
            ("mia@town.example", Self.password, "done"), ("mia@town.example", "x", "wrongPassword"),
            ("una@town.example", Self.password, "wrongPassword"),
        ] {
            #expect(
                await Self.word {
                    try await town.service.logIn(email, password: password, staysSignedIn: false, for: context)
                } == result)
        }
        let session = try await town.service.logIn(
            "mia@town.example", password: Self.password, staysSignedIn: false, for: town.context(.nobody))
        let (caller, isSuperAdmin) = try town.service.authenticate(session.token, in: town.store.current)
        #expect(caller.personID == 4 && !isSuperAdmin)
        #expect(try town.service.ownSessions(of: caller, in: town.town).filter(\.isCurrent).count == 1)
        let open = RequestContext(
            caller: caller, isSuperAdmin: false, network: context.clientNetwork, version: town.store.current)
        #expect(try await town.service.logOut(for: open).word == "deleted")
        #expect(throws: ServiceError.self) { try town.service.authenticate(session.token, in: town.store.current) }
        #expect(await Self.word { try await town.service.logOut(for: town.context(.local)) } == "noAccount")
    }

    @Test func invitations() async throws {
        let town = try await ServiceTown()
        let context = town.context(.nobody)
        let input = PatchInput<Person> { ($0.email, $0.role) = ("una@town.example", .businessOwner) }
        let issued = try await town.service.invite(input, for: town.context(.ada))
        #expect(town.sent.all.map(\.to) == ["una@town.example"])
        #expect(town.sent.all.first?.text.contains(town.service.link(for: issued.token)) == true)
        let text = issued.token.reveal()
        let fresh = town.context(.nobody)
        for (token, password, name, result) in [
            ("x", Self.password, nil, "deadLink"), (text, "short", nil, "invalid password"),
            (text, "short", String(repeating: "n", count: 10_000), "invalid display_name password"),
            (text, Self.password, "Una", "done"), (text, Self.password, nil, "deadLink"),
        ] as [(String, String, String?, String)] {
            #expect(
                await Self.word {
                    try await town.service.acceptInvitation(token, password: password, displayName: name, for: fresh)
                } == result)
        }
        #expect(town.town.people[email: "una@town.example"]?.role == .businessOwner)
        #expect(context.subject?.value.user == nil && fresh.subject?.value.user != nil)
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

    @Test func tokens() async throws {
        let town = try await ServiceTown()
        for (input, result) in [
            (TokenInput(name: "", scope: "all", email: "x", expiresAt: "now"), "invalid email expires_at name scope"),
            (TokenInput(name: "n", scope: nil, email: nil, expiresAt: "2001-01-01T00:00:00Z"), "invalid expires_at"),
            (TokenInput(name: "n", scope: "metrics", email: "mia@town.example", expiresAt: nil), "invalid scope"),
            (TokenInput(name: "n", scope: "read", email: "mia@town.example", expiresAt: nil), "done"),
        ] {
            #expect(await Self.word { try await town.service.issueToken(input, for: town.context(.ada)) } == result)
        }
        let id = try #require(town.service.tokens(in: town.town).first).id
        #expect(
            await Self.word { try await town.service.revokeCredential(id, for: town.context(.olga)) } == "forbidden")
        #expect(await Self.word { try await town.service.revokeCredential(id, for: town.context(.ada)) } == "done")
        #expect(await Self.word { try await town.service.revokeCredential(id, for: town.context(.ada)) } == "notFound")
    }
}
