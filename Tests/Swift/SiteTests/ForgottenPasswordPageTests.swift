import HTTP
import Platform
import Service
import Store
import TestSupport
import Testing

@testable import Site

@Suite struct ForgottenPasswordPageTests {
    @Test func onlyTheMailRevealsWhoHasAnAccount() async throws {
        let town = try await SiteTown()
        var answers: [Response] = []
        for email in ["olga@private.example", "nobody@private.example"] {
            answers.append(try await town.send(form: [("login-email", email)], to: "/forgotten-password"))
        }
        #expect(answers.map(\.status) == [.seeOther, .seeOther])
        #expect(answers[0].headers.first("Location") == answers[1].headers.first("Location"))
        try await town.settled { $0.mailCount > 0 }
        let mails = try await town.takeMails()
        #expect(mails.map(\.to) == ["olga@private.example"])
        let code = try #require(mails[0].text.parts(between: "/password-reset#", and: "\n").first)
        let fields = [("code", code), ("new_password", "seven rain coats dry")]
        let done = try await town.send(form: fields, to: "/password-reset")
        #expect(done.status == .seeOther)
        #expect(done.headers.first("Set-Cookie") != nil)
    }

    /// Anyone may ask for the mail of anyone.
    @Test func aLinkThatAnAdministratorMadeStaysValid() async throws {
        let town = try await SiteTown()
        let context = RequestContext(
            caller: .owner, isSuperAdmin: true, network: ClientNetwork(localUser: 0), version: town.store.current)
        let made = try await town.service.issuePasswordReset(of: 12, for: context).token.reveal()
        _ = try await town.send(form: [("login-email", "olga@private.example")], to: "/forgotten-password")
        try await town.settled { $0.mailCount > 0 }
        let mails = try await town.takeMails()
        #expect(mails.count == 1)
        let done = try await town.send(
            form: [("code", made), ("new_password", "seven rain coats dry")], to: "/password-reset")
        #expect(done.status == .seeOther)
        // It ends with the others when a password is set.
        let code = try #require(mails[0].text.parts(between: "/password-reset#", and: "\n").first)
        let late = try await town.send(
            form: [("code", code), ("new_password", "eight rain coats dry")], to: "/password-reset")
        #expect(late.status.code == 410)
    }

    @Test func oneMailInTenMinutesIsEnough() async throws {
        let town = try await SiteTown()
        for _ in 0..<3 {
            _ = try await town.send(form: [("login-email", "olga@private.example")], to: "/forgotten-password")
            try await town.settled { $0.mailCount > 0 }
        }
        town.clock.advance(bySeconds: 601)
        _ = try await town.send(form: [("login-email", "olga@private.example")], to: "/forgotten-password")
        try await town.settled { $0.mailCount > 1 }
        #expect(town.mailCount == 2)
    }
}
