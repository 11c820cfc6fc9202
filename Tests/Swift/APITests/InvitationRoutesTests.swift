import HTTP
import SookeModel
import Store
import Testing

@testable import API
@testable import Service

/// One-time links: invitations, resets of passwords, and the first account.
@Suite struct InvitationRoutesTests {
    private static func acceptance(_ token: Token, _ more: String = "") -> String {
        #"{"token":"\#(token.reveal())","password":"\#(TestSecrets.newPassword)"\#(more)}"#
    }

    private static func newPassword(_ token: Token) -> String {
        #"{"token":"\#(token.reveal())","new_password":"\#(TestSecrets.newPassword)"}"#
    }

    @Test func anInvitationFromEndToEnd() async throws {
        let town = try await TestTown.peopled()
        let made = try await town.send(
            .post, "/api/v1/invitations", as: .ada,
            body: #"{"email":"una@town.example","role":"business_owner","display_name":"Una"}"#)
        #expect(made.status.code == 201)
        let token = try made.token
        let link = "https://town.example/invitation#\(token.reveal())"
        #expect(made.text.contains(#""link":"\#(link)""#))
        let mail = try await town.service.takeMail(from: nil)
        #expect(mail?.to == "una@town.example")
        #expect(mail?.text.contains("https://town.example/invitation#sooke_inv_") == true)

        let long = Self.acceptance(token, #","display_name":"\#(String(repeating: "n", count: 600))""#)
        #expect(try await town.send(.post, "/api/v1/invitations/accept", body: long).status.code == 422)
        let accepted = try await town.send(
            .post, "/api/v1/invitations/accept", body: Self.acceptance(token))
        #expect(accepted.status.code == 201)
        let me = try await town.send(.get, "/api/v1/me", [try accepted.token.asField])
        #expect(
            me.text == #"{"id":6,"email":"una@town.example","display_name":"Una","role":"business_owner"}"#)
        let before = town.store.current.sequence
        let again = try await town.send(
            .post, "/api/v1/invitations/accept", body: Self.acceptance(token))
        #expect(again.status.code == 410)
        #expect(again.errorCode == "dead_link")
        #expect(town.store.current.sequence == before)
    }

    /// An account that could not be created is rejected at its invitation.
    @Test func invitationsThatAreRefused() async throws {
        let town = try await TestTown.peopled()
        let before = town.store.current.sequence
        for (body, field) in [
            (#"{"email":"MIA@town.example"}"#, #""email":"\"MIA@town.example\" is the address of another user""#),
            (#"{}"#, #""email":"must not be empty""#),
            (#"{"email":"una@town.example","role":"king"}"#, #""role":"must be one of general_user"#),
        ] {
            let answer = try await town.send(.post, "/api/v1/invitations", as: .ada, body: body)
            #expect(answer.status.code == 422 && answer.text.contains(field), "\(answer.text)")
        }
        #expect(town.store.current.town.mails.count == 0 && town.store.current.sequence == before)
    }

    @Test func ofManyWhoUseALinkOneIsFirst() async throws {
        let town = try await TestTown.peopled()
        let api = town.api
        let statuses = try await withThrowingTaskGroup { group in
            for _ in 1...4 {
                let request = try Request(
                    .post, "/api/v1/invitations/accept", headers: [JSONBody.field],
                    body: Array(Self.acceptance(TestSecrets.invitation).utf8))
                group.addTask { await api.response(to: request).status.code }
            }
            return try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
        #expect(statuses == [201: 1, 410: 3])
    }

    // MARK: - The first account

    private static func setup(_ token: Token) -> String {
        acceptance(token, #","email":"first@town.example","display_name":"First""#)
    }

    @Test func theFirstAccount() async throws {
        let town = try await TestTown()
        let token = try town.service.accounts.makeSetupToken()
        let wrong = try await town.send(.post, "/api/v1/setup", body: Self.setup(try Token(.setup)))
        #expect(wrong.errorCode == "dead_link")
        let bad = try await town.send(
            .post, "/api/v1/setup", body: Self.acceptance(token, #","email":"first""#))
        #expect(bad.status.code == 422)
        let made = try await town.send(.post, "/api/v1/setup", body: Self.setup(token))
        #expect(made.status.code == 201)
        #expect(try await town.send(.get, "/api/v1/users", [try made.token.asField]).status.code == 200)
        #expect(try await town.send(.post, "/api/v1/setup", body: Self.setup(token)).errorCode == "dead_link")
        #expect(try !town.files().contains(token.reveal()))
    }
}
