import Foundation
import Testing

@testable import SookeClient

@MainActor @Suite(.timeLimit(.minutes(20))) struct SessionViewModelTests {
    private let server = MockServer()
    private static let user = #"{"id":3,"email":"a@town.example","display_name":null,"role":"business_owner"}"#
    private static let refused = #"{"error":{"code":"unauthorized","message":"wrong"}}"#

    private func model(token: String? = nil) -> SessionViewModel {
        let model = SessionViewModel(token: token)
        model.apiClient = server.client
        return model
    }

    @Test func aWrongPassword() async {
        let model = model(token: "old")
        async let login: Void = model.logIn(email: "a@town.example", password: "wrong")
        await server.request(0).respond(401, [:], Self.refused)
        await login
        #expect((model.error as? APIError)?.statusCode == 401 && model.token == "old")
    }

    @Test(arguments: [(200, true), (401, false), (500, true)])
    func continuesALogin(status: Int, isLoggedIn: Bool) async {
        let model = model(token: "t0")
        async let fetched: Void = model.fetchAccount()
        let pending = await server.request(0)
        #expect(pending.request.value(forHTTPHeaderField: "Authorization") == "Bearer t0")
        pending.respond(status, [:], status == 200 ? Self.user : Self.refused)
        await fetched
        #expect(model.isLoggedIn == isLoggedIn && (model.account != nil) == (status == 200))
        #expect((model.error != nil) == (status == 500))
    }

    /// The responses of a real server, from the login to the logout.
    @Test func againstAServer() async throws {
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
