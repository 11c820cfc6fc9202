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
    private static let rows: [(HTTP.Method, String, String, Int)] = [
        (.get, "If-Match", "tag", 200), (.get, "If-Match", "*", 200), (.get, "If-Match", "W/tag", 200),
        (.get, "If-Match", "\"x\"", 412), (.head, "If-Match", "\"x\"", 412), (.get, "If-None-Match", "tag", 304),
        (.get, "If-None-Match", "*", 304), (.patch, "If-None-Match", "\"x\"", 200),
        (.patch, "If-None-Match", "*", 412), (.patch, "If-None-Match", "tag", 412),
        (.patch, "If-None-Match", "W/tag", 412), (.delete, "If-None-Match", "*", 412),
        (.delete, "If-Match", "\"x\"", 412),
    ]

    @Test(arguments: ["businesses/zeds", "events/gig", "categories/unused", "event-types/unused", "users/4"])
    func readsAndWrites(path: String) async throws {
        let town = try await TestTown.peopled()
        let target = "/api/v1/" + path
        let tag = try #require(try await town.send(.get, target, as: .ada).headers.first("ETag"))
        for (method, field, value, status) in Self.rows {
            for caller in [TestCaller.ada, .nobody] where caller == .ada || method.isSafe && !path.contains("users") {
                // Without an account the first response is cached, and the second one comes from the cache.
                for _ in 1...2 {
                    let response = try await town.send(
                        method, target, as: caller, [(field, value.replacing("tag", with: tag))],
                        body: method == .patch ? "{}" : "")
                    #expect(response.status.code == status, "\(caller) \(method.name) \(field): \(value)")
                    #expect(response.errorCode == (status == 412 ? "precondition_failed" : nil))
                }
            }
        }
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
}
