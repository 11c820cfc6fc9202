import HTTP
import SookeModel
import Store
import Testing

@testable import API
@testable import Dispatcher
@testable import Service

/// `If-Match`: the client has read the current version (RFC 9110, section 13.1.1).
@Suite struct PreconditionTests {
    @Test func whichFieldsMatch() async throws {
        let town = try await TestTown.peopled()
        let target = "/api/v1/businesses/zeds"
        let tag = try #require(try await town.send(.get, target).headers.first("ETag"))
        let fields: [([String], Int)] = [
            ([], 200), ([tag], 200), (["*"], 200), (["\"x\", \(tag)"], 200), (["\"x\"", tag], 200),
            (["W/\(tag)"], 200), (["\"x\", W/\(tag) "], 200), (["\(tag.dropLast())-gzip\""], 200),
            (["\"x\""], 412), (["W/\"x\""], 412), ([""], 412), (["\""], 412), (["**"], 412),
            ([String(tag.dropFirst())], 412),
        ]
        for (values, status) in fields {
            let headers = values.map { ("If-Match", $0) }
            let response = try await town.send(.patch, target, as: .olga, headers, body: "{}")
            #expect(response.status.code == status, "If-Match: \(values)")
            #expect(response.errorCode == (status == 200 ? nil : "precondition_failed"))
        }
    }

    /// A tag identifies the stored record: neither the next day nor a change of another record affects it.
    @Test(arguments: ["", "W/"])
    func aTagIsGoodUntilTheRecordChanges(_ mark: String) async throws {
        let town = try await TestTown.peopled()
        let target = "/api/v1/businesses/zeds"
        let first = try await town.send(.get, target)
        let tag = try #require(first.headers.first("ETag"))
        town.clock.advance(bySeconds: 24 * 3600)
        let category = try await town.send(.patch, "/api/v1/categories/bars", as: .folder, body: #"{"name":"Pubs"}"#)
        #expect(category.status == .ok)
        let second = try await town.send(.get, target, [("If-None-Match", tag)])
        #expect(second.status == .ok, "the hours of another day and the category's other name are news")
        #expect(second.body != first.body)
        #expect(second.headers.first("ETag") != tag)

        let changes = [(#"{"phone":"1"}"#, 200), (#"{"phone":"2"}"#, 412)]
        for (body, status) in changes {
            let response = try await town.send(.patch, target, as: .folder, [("If-Match", mark + tag)], body: body)
            #expect(response.status.code == status, "\(body): the first change makes the tag an old one")
        }
    }

    /// `If-Match` and `If-None-Match` of reads and changes; `tag` represents the tag of the record.
    @Test(arguments: [
        (HTTP.Method.get, "If-Match", "tag", 200), (.get, "If-Match", "*", 200), (.get, "If-Match", "W/tag", 200),
        (.get, "If-Match", "\"x\"", 412), (.head, "If-Match", "\"x\"", 412), (.get, "If-None-Match", "tag", 304),
        (.get, "If-None-Match", "*", 304), (.patch, "If-None-Match", "\"x\"", 200),
        (.patch, "If-None-Match", "*", 412), (.patch, "If-None-Match", "tag", 412),
        (.patch, "If-None-Match", "W/tag", 412), (.delete, "If-None-Match", "*", 412),
        (.delete, "If-Match", "\"x\"", 412),
    ])
    func readsAndWrites(method: HTTP.Method, field: String, value: String, status: Int) async throws {
        let town = try await TestTown.peopled()
        let targets = ["businesses/zeds", "events/gig", "categories/unused", "event-types/unused", "users/4"]
        for target in targets.map({ "/api/v1/" + $0 }) {
            let tag = try #require(try await town.send(.get, target, as: .ada).headers.first("ETag"))
            for caller in [TestCaller.ada, .nobody] where caller == .ada || method.isSafe && !target.contains("users") {
                // Without an account the first response is cached, and the second one comes from the cache.
                for _ in 1...2 {
                    let response = try await town.send(
                        method, target, as: caller, [(field, value.replacing("tag", with: tag))],
                        body: method == .patch ? "{}" : "")
                    #expect(response.status.code == status, "\(caller) \(target)")
                    #expect(response.errorCode == (status == 412 ? "precondition_failed" : nil))
                }
            }
        }
    }

    /// All routes that change or delete a record evaluate preconditions.
    @Test(arguments: [
        (HTTP.Method.patch, "businesses/zeds"), (.delete, "businesses/zeds"), (.post, "businesses/zeds/menus"),
        (.patch, "businesses/zeds/menus/1"), (.delete, "businesses/zeds/menus/1"),
        (.post, "businesses/zeds/menus/1/items"), (.patch, "businesses/zeds/menus/2/items/1"),
        (.delete, "businesses/zeds/menus/2/items/1"), (.patch, "events/gig"), (.delete, "events/gig"),
        (.post, "events/quiz/approve"), (.post, "events/gig/cancel"), (.post, "events/walk/resubmit"),
        (.patch, "categories/bars"), (.delete, "categories/unused"), (.patch, "event-types/sports"),
        (.delete, "event-types/unused"), (.patch, "users/4"), (.delete, "users/4"), (.delete, "admin/tokens/1"),
    ])
    func everyWriteRoute(method: HTTP.Method, target: String) async throws {
        let town = try await TestTown.peopled()
        let before = town.store.current.sequence
        for (field, value) in [("If-Match", "\"x\""), ("If-None-Match", "*")] {
            let response = try await town.send(
                method, "/api/v1/" + target, as: .ada, [(field, value)], body: method == .delete ? "" : "{}")
            #expect(response.errorCode == "precondition_failed", "\(field)")
        }
        #expect(town.store.current.sequence == before)
    }

    /// The tag in the response to a change is that of the next read.
    @Test(arguments: ["/api/v1/businesses/zeds", "/api/v1/events/gig", "/api/v1/users/4"])
    func theTagOfAResponse(_ target: String) async throws {
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
                    .patch, target, headers: [token.asField, JSONBody.field, ("If-Match", tag)],
                    body: Array(#"{"phone":"\#(number)"}"#.utf8))
                group.addTask { await api.response(to: request).status.code }
            }
            return try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
        #expect(statuses == [200: 1, 412: 19])
        #expect(town.store.current.sequence == before + 1)
    }

    /// The loss of a permission takes effect with its commit, also for requests under way.
    @Test func theRightIsCheckedOnTheVersionThatIsChanged() async throws {
        typealias Loss = @Sendable (inout WriteTransaction) throws -> Void
        let asked: [(caller: TestCaller, body: String, loss: Loss, status: Int)] = [
            (.olga, #"{"phone":"1"}"#, { try $0.upsert(.business, #"{"slug":"zeds","owner_id":3}"#) }, 403),
            (.olga, #"{"phone":"1"}"#, { $0.deleteCredential(2) }, 401),
            (
                .edda, #"{"phone":"1"}"#,
                { try $0.upsert(.person, #"{"email":"edda@town.example","role":"business_owner"}"#) }, 403
            ),
            (
                .ada, #"{"owner_id":3}"#,
                { try $0.upsert(.person, #"{"email":"ada@town.example","role":"editor"}"#) }, 403
            ),
            (
                .ada, #"{"slug":"mine"}"#,
                { transaction in
                    try transaction.upsert(.person, #"{"email":"ada@town.example","role":"business_owner"}"#)
                    try transaction.upsert(.business, #"{"slug":"zeds","owner_id":1}"#)
                }, 403
            ),
        ]
        for (caller, body, loss, status) in asked {
            let town = try await TestTown.peopled()
            let request = try Request(
                .patch, "/api/v1/businesses/zeds",
                headers: [#require(TestSecrets.sessions[caller]).asField, JSONBody.field],
                body: Array(body.utf8))
            guard case .found(let captures) = town.api.router.match(.patch, request.path),
                case .transaction(let prepare) = town.api.endpoint(of: captures).handler
            else {
                Issue.record("there is no such route")
                return
            }
            let call = try Call(request, captures: captures, dispatcher: town.api)
            _ = try await town.store.write(by: .local, loss)
            let before = town.store.current.sequence
            let transaction = try prepare(call)
            let error = try await #require(throws: ServiceError.self) {
                try await town.service.run(transaction, for: call.context())
            }
            #expect(HTTPError(error).status.code == status, "\(body)")
            #expect(town.store.current.sequence == before)
        }
    }
}
