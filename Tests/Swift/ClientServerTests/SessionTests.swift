import Foundation
import Testing

@testable import ClientTestSupport
@testable import SookeClient

/// A session with the responses of a real server.
@MainActor @Suite struct SessionTests {
    @Test func fromTheLoginToTheLogout() async throws {
        let town = try await ClientTown.small()
        let email = "olga@town.example"
        let json = [("Content-Type", "application/json")]
        let user = #"{"email":"\#(email)","role":"business_owner","display_name":"Olga"}"#
        #expect(try await town.send(.post, "/api/v1/users", json, body: user).status.code == 201)
        let password = #"{"new_password":"plum-ladder-oxide-42"}"#
        #expect(try await town.send(.post, "/api/v1/users/1/password", json, body: password).status.code == 204)
        let model = SessionViewModel()
        model.apiClient = town.server(for: .inet(address: "127.0.0.1", port: 1, isLoopback: true)).client
        await model.logIn(email: email, password: "wrong")
        #expect((model.error as? APIError)?.statusCode == 401 && !model.isLoggedIn)
        await model.logIn(email: email, password: "plum-ladder-oxide-42")
        let account = try #require(model.account)
        #expect(account.email == email && account.role == "business_owner" && account.displayName == "Olga")
        let later = SessionViewModel(token: model.token)
        later.apiClient = model.apiClient
        await later.fetchAccount()
        #expect(later.account == account)
        await model.logOut()
        #expect(model.error == nil && !model.isLoggedIn)
        await later.fetchAccount()
        #expect(!later.isLoggedIn, "the server has ended the session")
    }
}
