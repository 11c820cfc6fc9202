import Service
import Foundation
import HTTP
import SookeModel
import Store
import Testing

@testable import API

/// `Idempotency-Key`: a repeated request has one effect.
@Suite struct IdempotencyTests {
    private static let path = "/api/v1/categories"
    private static let body = #"{"name":"Libraries"}"#
    private static let key = [("Idempotency-Key", "once")]

    @Test(arguments: [TestCaller.ada, .folder])
    func theSameResponseTwice(_ caller: TestCaller) async throws {
        let town = try await TestTown.peopled()
        let first = try await town.send(.post, Self.path, as: caller, Self.key, body: Self.body)
        #expect(first.status.code == 201)
        let before = town.store.current.sequence
        let again = try await town.reopened()
        let second = try await again.send(.post, Self.path, as: caller, Self.key, body: Self.body)
        #expect(second.status.code == 201)
        #expect(second.body == first.body)
        for name in ["Location", "ETag", "Content-Type"] as [StaticString] {
            #expect(second.headers.first(name) == first.headers.first(name))
        }
        #expect(again.store.current.sequence == before)
        #expect(again.store.current.town.categories[Slug("libraries-2")] == nil)
    }

    @Test func atOnceToo() async throws {
        let town = try await TestTown.peopled()
        let api = town.api
        let token = try #require(TestSecrets.sessions[.ada])
        let before = town.store.current.sequence
        let bodies = try await withThrowingTaskGroup { group in
            for _ in 1...10 {
                let request = try Request(
                    .post, Self.path, headers: [token.asField, JSONBody.field] + Self.key, body: Array(Self.body.utf8))
                group.addTask { await api.response(to: request).body }
            }
            return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
        }
        #expect(bodies.count == 1)
        #expect(town.store.current.sequence == before + 1)
    }

    /// A different request with the same key; keys are separate for each account.
    @Test func anotherRequest() async throws {
        let town = try await TestTown.peopled()
        #expect(try await town.send(.post, Self.path, as: .ada, Self.key, body: Self.body).status.code == 201)
        let before = town.store.current.sequence
        let other = try await town.send(.post, Self.path, as: .ada, Self.key, body: #"{"name":"Parks"}"#)
        #expect(other.status.code == 422)
        #expect(other.errorCode == "key_reused")
        let elsewhere = try await town.send(.post, "/api/v1/event-types", as: .ada, Self.key, body: Self.body)
        #expect(elsewhere.errorCode == "key_reused")
        #expect(town.store.current.sequence == before)
        #expect(
            try await town.send(.post, Self.path, as: .folder, Self.key, body: #"{"name":"Parks"}"#).status.code == 201)
        #expect(town.store.current.town.categories[Slug("parks")] != nil)
    }

    /// Nothing is stored of a refused request, so that the key can be used again.
    @Test func aRefusedRequest() async throws {
        let town = try await TestTown.peopled()
        #expect(try await town.send(.post, Self.path, as: .ada, Self.key, body: #"{"name":""}"#).status.code == 422)
        #expect(try await town.send(.post, Self.path, as: .ada, Self.key, body: Self.body).status.code == 201)
        for key in ["", String(repeating: "k", count: 201)] {
            let response = try await town.send(.post, Self.path, as: .ada, [("Idempotency-Key", key)], body: Self.body)
            #expect(response.errorCode == "invalid_parameter")
        }
    }

    /// Responses with a secret: it is shown once, and is not stored.
    @Test func secretsAreShownOnce() async throws {
        let town = try await TestTown.peopled()
        for (target, body) in [
            ("/api/v1/invitations", #"{"email":"una@town.example"}"#), ("/api/v1/admin/tokens", #"{"name":"Sign"}"#),
        ] {
            let key = [("Idempotency-Key", target)]
            let first = try await town.send(.post, target, as: .ada, key, body: body)
            #expect(first.status.code == 201)
            let secret = try first.token.reveal()
            let before = town.store.current.sequence
            let second = try await town.send(.post, target, as: .ada, key, body: body)
            #expect(second.status.code == 409 && second.errorCode == "shown_once")
            #expect(town.store.current.sequence == before)
            #expect(try !town.files().contains(secret))
        }
    }

    /// Requests with a password: not even a digest of it is stored, with any key.
    @Test(arguments: [
        (TestCaller.folder, "/api/v1/users/4/password", #"{"new_password":"\#(TestSecrets.newPassword)"}"#),
        (
            .mia, "/api/v1/me/password",
            #"{"password":"\#(TestSecrets.password)","new_password":"\#(TestSecrets.newPassword)"}"#
        ),
    ])
    func passwordsAreNotStored(caller: TestCaller, target: String, body: String) async throws {
        let town = try await TestTown.peopled()
        #expect(try await town.send(.post, target, as: caller, Self.key, body: body).status.code == 204)
        #expect(town.store.current.town.receipts.count == 0)
        #expect(try !town.files().contains(TestSecrets.newPassword))
    }
}

extension TestTown {
    /// The contents of all files of the data folder.
    func files() throws -> String {
        try FileManager.default.contentsOfDirectory(atPath: store.folder).map { name in
            let data = FileManager.default.contents(atPath: "\(store.folder)/\(name)") ?? Data()
            return String(decoding: data, as: UTF8.self)
        }.joined()
    }
}
