import HTTP
import SookeModel
import Store
import Testing

@testable import API
@testable import Service

/// Accounts and their tokens.
@Suite struct UserRoutesTests {
    @Test func theLastAdminStays() async throws {
        let town = try await TestTown.peopled()
        for (method, target, body) in [
            (HTTP.Method.delete, "/api/v1/users/1", ""), (.patch, "/api/v1/users/1", #"{"role":"general_user"}"#),
            (.post, "/api/v1/users/1/promote", #"{"role":"business_owner"}"#),
        ] {
            let answer = try await town.send(method, target, as: .folder, body: body)
            #expect(answer.status.code == 409 && answer.errorCode == "last_admin")
        }
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

    @Test func theListOfUsers() async throws {
        let town = try await TestTown.peopled()
        for (query, total) in [
            ("", 5), ("?email=MIA%40town.example", 1), ("?email=una%40town.example", 0), ("?per_page=1&page=4", 5),
        ] {
            let answer = try await town.send(.get, "/api/v1/users\(query)", as: .ada)
            #expect(answer.text.contains(#""total_items":\#(total),"#))
            #expect(answer.text.contains("mia@town.example") == (total > 0))
            #expect(!answer.text.contains("$y$"))
        }
    }

    @Test func unusedIDs() async throws {
        let town = try await TestTown.peopled()
        for id in ["0", "-1", "99", "x", "9999999999999999999999", "1x"] {
            #expect(try await town.send(.get, "/api/v1/users/\(id)", as: .ada).status.code == 404)
            #expect(try await town.send(.delete, "/api/v1/admin/tokens/\(id)", as: .ada).status.code == 404)
        }
    }

    /// The problems of an API token, by field.
    @Test func tokensThatAreRefused() async throws {
        let town = try await TestTown.peopled()
        for (body, field) in [
            (#"{"name":""}"#, "name"), (#"{"name":"a","scope":"all"}"#, "scope"),
            (#"{"name":"a","expires_at":"soon"}"#, "expires_at"),
            (#"{"name":"a","expires_at":"2026-11-21T09:30:00Z"}"#, "expires_at"),
            (#"{"name":"a","email":"una@town.example"}"#, "email"), (#"{"name":"a","user_id":"2"}"#, "user_id"),
        ] {
            let answer = try await town.send(.post, "/api/v1/admin/tokens", as: .ada, body: body)
            #expect(answer.status.code == 422)
            #expect(answer.text.contains(#""fields":{"\#(field)":"#), "\(answer.text)")
        }
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
