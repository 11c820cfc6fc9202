import HTTP
import JSON
import Testing

@testable import API

@Suite struct InvitationRoutesTests {
    @Test func anInvitationGivesALinkThatMakesTheAccount() async throws {
        let town = try await TestTown()
        let invitation = try await town.send(
            .post, "/api/v1/invitations", body: #"{"email":"dan@slacktide.example","role":"business_owner"}"#,
            from: TestTown.owner)
        #expect(invitation.status == .created)
        let token = try #require(try text("token", of: invitation))
        let account = #"{"token":"\#(token)","password":"kelp and driftwood, 5 a.m."}"#
        #expect(try await town.send(.post, "/api/v1/invitations/accept", body: account).status == .created)
        #expect(try await town.send(.post, "/api/v1/invitations/accept", body: account).status == .gone)
    }

    @Test(arguments: ["", "no address", "two@town.example, more@town.example"])
    func anInvitationNeedsAnAddress(email: String) async throws {
        let answer = try await TestTown().send(
            .post, "/api/v1/invitations", body: #"{"email":"\#(email)"}"#, from: TestTown.owner)
        #expect(answer.status == .unprocessableContent)
        #expect(String(decoding: answer.body, as: UTF8.self).contains(#""fields":{"email":"#))
    }

    /// The text of a member of an answer.
    private func text(_ name: String, of response: Response) throws -> String? {
        var reader = JSONReader(response.body)
        try reader.beginObject()
        while let key = try reader.nextKey() {
            if key == name { return try reader.readString() }
            try reader.skipValue()
        }
        return nil
    }
}
