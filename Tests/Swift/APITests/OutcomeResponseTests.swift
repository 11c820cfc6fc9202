import Foundation
import HTTP
import SookeModel
import Store
import Testing

@testable import API
@testable import Dispatcher
@testable import Service

/// The responses to outcomes and errors of use cases.
@Suite struct OutcomeResponseTests {
    private static let key = [("Idempotency-Key", "once")]

    private static func members(_ response: Response) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any])
    }

    /// 412 contains the record as in the response to a read, with its tag.
    @Test(arguments: [
        ("businesses/zeds", #"{"phone":"1"}"#), ("events/gig", #"{"description":"x"}"#),
        ("categories/bars", #"{"name":"Pubs"}"#), ("users/4", #"{"display_name":"M"}"#),
    ])
    func aStaleVersionGetsTheCurrentRecord(target: String, body: String) async throws {
        let town = try await TestTown.peopled()
        let read = try await town.send(.get, "/api/v1/" + target, as: .ada)
        for field in [("If-Match", "\"x\""), ("If-None-Match", "*")] {
            let refused = try await town.send(.patch, "/api/v1/" + target, as: .ada, [field], body: body)
            #expect(refused.status == .preconditionFailed)
            #expect(refused.headers.first("ETag") == read.headers.first("ETag"))
            let error = try #require(try Self.members(refused)["error"] as? [String: Any])
            let current = try #require(error["current"] as? [String: Any])
            #expect(NSDictionary(dictionary: current) == NSDictionary(dictionary: try Self.members(read)))
        }
    }

    /// A repeated request gets the current record, or 410 when it was deleted.
    @Test func aRepeatedRequest() async throws {
        let town = try await TestTown.peopled()
        let (path, body) = ("/api/v1/categories", #"{"name":"Libraries"}"#)
        let first = try await town.send(.post, path, as: .ada, Self.key, body: body)
        let renamed = try await town.send(.patch, path + "/libraries", as: .ada, body: #"{"name":"Books"}"#)
        let again = try await town.send(.post, path, as: .ada, Self.key, body: body)
        #expect(again.status == .created && again.body == renamed.body)
        #expect(again.headers.first("ETag") == renamed.headers.first("ETag"))
        #expect(again.headers.first("Location") == first.headers.first("Location"))
        #expect(try await town.send(.delete, path + "/libraries", as: .ada).status == .noContent)
        let gone = try await town.send(.post, path, as: .ada, Self.key, body: body)
        #expect(gone.status.code == 410 && gone.errorCode == "gone")
    }

    /// A route checks the permission of its use case before it reads a body.
    @Test func routesAndUseCasesAgree() async throws {
        let town = try await TestTown.peopled()
        for row in AccessTests.rows {
            let request = try Request(
                row.method, row.target, headers: [JSONBody.field], body: Array(try town.filled(row.good).utf8),
                peer: TestTown.owner)
            guard case .found(let captures) = town.api.router.match(request.method, request.path) else {
                Issue.record("there is no route \(row.route)")
                continue
            }
            let endpoint = town.api.endpoint(of: captures)
            guard case .transaction(let prepare) = endpoint.handler else { continue }
            let call = try Call(request, captures: captures, dispatcher: town.api)
            #expect(try prepare(call).access == endpoint.access, "\(row.route)")
        }
    }
}
