import Foundation
import Testing

@testable import ClientTestSupport
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
}
