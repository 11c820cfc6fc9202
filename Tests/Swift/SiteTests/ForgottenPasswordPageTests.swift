import HTTP
import TestSupport
import Testing

@testable import Site

@Suite struct ForgottenPasswordPageTests {
    @Test func onlyTheMailTellsWhoHasAnAccount() async throws {
        let town = try await SiteTown()
        var answers: [Response] = []
        for email in ["olga@private.example", "nobody@private.example"] {
            answers.append(try await town.send(form: [("login-email", email)], to: "/forgotten-password"))
        }
        #expect(answers.map(\.status) == [.seeOther, .seeOther])
        #expect(answers[0].headers.first("Location") == answers[1].headers.first("Location"))
        try await town.settled { !$0.outbox.mails.isEmpty }
        let mails = town.outbox.mails
        #expect(mails.map(\.to) == ["olga@private.example"])
        let code = try #require(mails[0].text.parts(between: "/password-reset#", and: "\n").first)
        let fields = [("code", code), ("new_password", "seven rain coats dry")]
        let done = try await town.send(form: fields, to: "/password-reset")
        #expect(done.status == .seeOther)
        #expect(done.headers.first("Set-Cookie") != nil)
    }

    @Test func oneMailInTenMinutesIsEnough() async throws {
        let town = try await SiteTown()
        for _ in 0..<3 {
            _ = try await town.send(form: [("login-email", "olga@private.example")], to: "/forgotten-password")
            try await town.settled { !$0.outbox.mails.isEmpty }
        }
        town.clock.advance(bySeconds: 601)
        _ = try await town.send(form: [("login-email", "olga@private.example")], to: "/forgotten-password")
        try await town.settled { $0.outbox.mails.count > 1 }
        #expect(town.outbox.mails.count == 2)
    }
}
