import HTTP
import SookeModel
import Store
import Testing

@testable import API

/// `If-Match`: who changes a record has seen it as it is (RFC 9110, section 13.1.1).
@Suite struct PreconditionTests {
    @Test func whichFieldsMatch() async throws {
        let town = try await TestTown.peopled()
        let target = "/api/v1/businesses/zeds"
        let tag = try #require(try await town.send(.get, target).headers.first("ETag"))
        let fields: [([String], Int)] = [
            ([], 200), ([tag], 200), (["*"], 200), (["\"x\", \(tag)"], 200), (["\"x\"", tag], 200),
            (["W/\(tag)"], 412), (["\"x\""], 412), ([""], 412), ([String(tag.dropLast())], 412),
        ]
        for (values, status) in fields {
            let headers = values.map { ("If-Match", $0) }
            let response = try await town.send(.patch, target, as: .olga, headers, body: "{}")
            #expect(response.status.code == status, "If-Match: \(values)")
            #expect(response.errorCode == (status == 200 ? nil : "precondition_failed"))
        }
    }

    /// The tag of an answer to a change is that of the record as it is read next.
    @Test(arguments: ["/api/v1/businesses/zeds", "/api/v1/events/gig", "/api/v1/users/4"])
    func theTagOfAnAnswer(_ target: String) async throws {
        let town = try await TestTown.peopled()
        let body = target.contains("users") ? #"{"display_name":"A"}"# : #"{"description":"A"}"#
        let changed = try await town.send(.patch, target, as: .ada, body: body)
        let read = try await town.send(.get, target, as: .ada)
        #expect(changed.headers.first("ETag") == read.headers.first("ETag"))
        #expect(changed.body == read.body)
    }

    @Test func ofTwoWritersWithOneTagOneIsFirst() async throws {
        let town = try await TestTown.peopled()
        let target = "/api/v1/businesses/zeds"
        let tag = try #require(try await town.send(.get, target).headers.first("ETag"))
        let before = town.store.current.sequence
        let api = town.api
        let token = try #require(TestSecrets.sessions[.olga])
        let statuses = try await withThrowingTaskGroup { group in
            for number in 1...20 {
                let request = try Request(
                    .patch, target, headers: [token.asField, ("If-Match", tag)],
                    body: Array(#"{"phone":"\#(number)"}"#.utf8))
                group.addTask { await api.response(to: request).status.code }
            }
            return try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
        #expect(statuses == [200: 1, 412: 19])
        #expect(town.store.current.sequence == before + 1)
    }

    /// A right that is lost while a request is under way counts from its commit on.
    @Test func theRightIsCheckedOnTheVersionThatIsChanged() async throws {
        let town = try await TestTown.peopled()
        let route = try #require(
            town.api.routes.routes.first { $0.method == .patch && $0.pattern == "/api/v1/businesses/{slug}" })
        let asked: [(caller: TestCaller, body: String, loss: @Sendable (inout Edit) throws -> Void, status: Int)] = [
            (.olga, #"{"phone":"1"}"#, { try $0.upsert(.business, #"{"slug":"zeds","owner_id":3}"#) }, 403),
            (.olga, #"{"phone":"1"}"#, { $0.deleteGrant(2) }, 401),
            (
                .ada, #"{"slug":"mine"}"#,
                { edit in
                    try edit.upsert(.person, #"{"email":"ada@town.example","role":"business_owner"}"#)
                    try edit.upsert(.business, #"{"slug":"zeds","owner_id":1}"#)
                }, 403
            ),
        ]
        for (caller, body, loss, status) in asked {
            let town = try await TestTown.peopled()
            let request = try Request(
                .patch, "/api/v1/businesses/zeds", headers: [#require(TestSecrets.sessions[caller]).asField],
                body: Array(body.utf8))
            guard case .found(_, let captures) = town.api.routes.match(.patch, request.path),
                case .change(let prepare) = route.handler.handler
            else {
                Issue.record("there is no such route")
                return
            }
            let call = try Call(request, captures: captures, access: route.handler.access, town: town.town)
            _ = try await town.store.write(by: .local, loss)
            let before = town.store.current.sequence
            let transaction = try call.transaction(prepare(call)) { true }
            let error = await #expect(throws: HTTPError.self) {
                try await town.store.write(by: call.caller.author, transaction)
            }
            #expect(error?.status.code == status, "\(body)")
            #expect(town.store.current.sequence == before)
        }
    }
}
