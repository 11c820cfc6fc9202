import HTTP
import SookeModel
import Store
import Testing

@testable import API
@testable import Service

/// Accounts, their roles, and the records of deleted ones.
@Suite struct UserRoutesTests {
    /// The last super admin cannot be removed.
    @Test(arguments: [
        (HTTP.Method.delete, "/api/v1/users/1", ""), (.patch, "/api/v1/users/1", #"{"role":"general_user"}"#),
        (.post, "/api/v1/users/1/promote", #"{"role":"business_owner"}"#),
    ])
    func theLastAdminStays(method: HTTP.Method, target: String, body: String) async throws {
        let town = try await TestTown.peopled()
        for caller in [TestCaller.ada, .folder] {
            let before = town.store.current.sequence
            let answer = try await town.send(method, target, as: caller, body: body)
            #expect(answer.status.code == 409)
            #expect(answer.errorCode == "last_admin")
            #expect(town.store.current.sequence == before)
        }
        let second = try await town.send(.post, "/api/v1/users/2/promote", as: .ada, body: #"{"role":"super_admin"}"#)
        #expect(second.status.code == 200)
        #expect(try await town.send(method, target, as: .olga, body: body).status.code < 300)
    }

    /// In a town without a super admin, the owner of the folder can continue.
    @Test func aTownWithoutAnAdmin() async throws {
        let town = try await TestTown()
        for (method, target, body) in [
            (HTTP.Method.post, "/api/v1/users", #"{"email":"una@town.example"}"#),
            (.patch, "/api/v1/users/1", #"{"display_name":"Una"}"#),
            (.post, "/api/v1/users/1/promote", #"{"role":"business_owner"}"#), (.delete, "/api/v1/users/1", ""),
        ] {
            #expect(try await town.send(method, target, as: .folder, body: body).status.code < 300, "\(target)")
        }
    }

    @Test func theBusinessesOfADeletedPersonStay() async throws {
        let town = try await TestTown.peopled()
        #expect(try await town.send(.delete, "/api/v1/users/2", as: .ada).status.code == 204)
        #expect(try await town.send(.delete, "/api/v1/users/4", as: .ada).status.code == 204)
        let community = town.store.current.town
        #expect(community.businesses[Slug("zeds")]?.value.ownerID == nil)
        #expect(community.events[Slug("quiz")]?.value.submittedBy == nil)
        #expect(community.passwords[2] == nil)
        #expect(community.credentials.of(person: 2).isEmpty)
        for caller in [TestCaller.olga, .mia] {
            #expect(try await town.send(.get, "/api/v1/me", as: caller).status.code == 401)
        }
        let reset = try await town.send(
            .post, "/api/v1/password-reset",
            body: #"{"token":"\#(TestSecrets.reset.reveal())","new_password":"\#(TestSecrets.newPassword)"}"#)
        #expect(reset.errorCode == "dead_link")
        #expect(try await town.send(.delete, "/api/v1/users/4", as: .ada).errorCode == "not_found")
    }

    @Test func aRoleCountsAtOnce() async throws {
        let town = try await TestTown.peopled()
        #expect(try await town.send(.get, "/api/v1/users", as: .mia).status.code == 403)
        let answer = try await town.send(.post, "/api/v1/users/4/promote", as: .ada, body: #"{"role":"super_admin"}"#)
        #expect(answer.text.contains(#""role":"super_admin""#))
        #expect(try await town.send(.get, "/api/v1/users", as: .mia).status.code == 200)
    }

    @Test(arguments: [
        ("", 5), ("?email=MIA%40town.example", 1), ("?email=una%40town.example", 0), ("?per_page=1&page=4", 5),
    ])
    func theListOfUsers(query: String, total: Int) async throws {
        let town = try await TestTown.peopled()
        let answer = try await town.send(.get, "/api/v1/users\(query)", as: .ada)
        #expect(answer.text.contains(#""total_items":\#(total),"#))
        #expect(answer.text.contains("mia@town.example") == (total > 0))
        #expect(!answer.text.contains("$y$"))
    }

    @Test(arguments: ["0", "-1", "99", "x", "9999999999999999999999", "1x"])
    func unusedIDs(_ id: String) async throws {
        let town = try await TestTown.peopled()
        #expect(try await town.send(.get, "/api/v1/users/\(id)", as: .ada).status.code == 404)
        #expect(try await town.send(.delete, "/api/v1/users/\(id)", as: .ada).status.code == 404)
        #expect(try await town.send(.delete, "/api/v1/admin/tokens/\(id)", as: .ada).status.code == 404)
    }

    /// The problems of an API token, by field.
    @Test(arguments: [
        (#"{"name":""}"#, "name"), (#"{"name":"a","scope":"all"}"#, "scope"),
        (#"{"name":"a","expires_at":"soon"}"#, "expires_at"),
        (#"{"name":"a","expires_at":"2026-11-21T09:30:00Z"}"#, "expires_at"),
        (#"{"name":"a","email":"una@town.example"}"#, "email"), (#"{"name":"a","user_id":"2"}"#, "user_id"),
    ])
    func tokensThatAreRefused(body: String, field: String) async throws {
        let town = try await TestTown.peopled()
        let answer = try await town.send(.post, "/api/v1/admin/tokens", as: .ada, body: body)
        #expect(answer.status.code == 422)
        #expect(answer.text.contains(#""fields":{"\#(field)":"#))
    }

    @Test func aTokenOfAProgram() async throws {
        let town = try await TestTown.peopled()
        let made = try await town.send(
            .post, "/api/v1/admin/tokens", as: .ada,
            body: #"{"name":"Sign","email":"olga@town.example","expires_at":"2026-11-21T10:30:00Z"}"#)
        let token = try made.token
        let list = try await town.send(.get, "/api/v1/admin/tokens", as: .ada)
        #expect(list.text.contains(#""name":"Sign","scope":"write","user_id":2,"#))
        #expect(!list.text.contains("sooke_") && !list.text.contains(token.digest))
        let patch = try await town.send(.patch, "/api/v1/businesses/zeds", [token.asField], body: #"{"phone":"1"}"#)
        #expect(patch.status.code == 200)
        town.clock.advance(bySeconds: 3600)
        #expect(try await town.send(.get, "/api/v1/me", [token.asField]).status.code == 401)
    }
}
