import HTTP
import SookeModel
import Testing

@testable import API

/// The rate limits of clients.
@Suite struct RateLimitRoutesTests {
    private static let category = "/api/v1/categories/bars"

    private func rename(_ town: TestTown, _ field: (String, String)) async throws -> Response {
        try await town.send(.patch, Self.category, [field], body: #"{"name":"Bars"}"#)
    }

    /// Another token of the same account has the same limit.
    @Test func changesOfAnAccountAreLimited() async throws {
        let town = try await TestTown.withAccounts()
        let (one, other) = (try await town.authorization(of: 1), try await town.authorization(of: 1, scope: .admin))
        let first = try await rename(town, one)
        #expect(first.status == .ok)
        #expect(first.headers.first("RateLimit-Policy") == #""writes";q=120;w=60"#)
        #expect(first.headers.first("RateLimit") == #""writes";r=119;t=1"#)
        for _ in 1..<120 { #expect(try await rename(town, one).status == .ok) }
        let refused = try await rename(town, one)
        #expect(refused.status == .tooManyRequests)
        #expect(refused.headers.first("Retry-After") == "1")
        #expect(refused.headers.first("RateLimit") == #""writes";r=0;t=1"#)
        #expect(refused.headers.first("RateLimit-Policy") == #""writes";q=120;w=60"#)
        #expect(refused.text.contains(#""code":"too_many_writes""#))
        #expect(try await rename(town, other).status == .tooManyRequests)
        // Other accounts and reads are not affected.
        #expect(try await rename(town, try await town.authorization(of: 3)).status == .forbidden)
        let reading = try await town.send(.get, "/api/v1/admin/audit", [one])
        #expect(reading.status == .ok)
        #expect(reading.headers.first("RateLimit") == nil)
        town.clock.advance(bySeconds: 1)
        for status in [Status.ok, .ok, .tooManyRequests] { #expect(try await rename(town, one).status == status) }
    }

    @Test(arguments: ["/api/v1/session", "/api/v1/setup"])
    func whatNeedsNoAccountIsLimitedByAddress(path: String) async throws {
        let town = try await TestTown.withAccounts()
        let (one, other) = (Self.peer("192.0.2.1"), Self.peer("192.0.2.2"))
        for _ in 0..<60 { #expect(try await town.send(.post, path, from: one).status == .badRequest) }
        let refused = try await town.send(.post, path, from: one)
        #expect(refused.status == .tooManyRequests)
        #expect(refused.headers.first("Retry-After") == "1")
        #expect(refused.text.contains(#""code":"too_many_attempts""#))
        #expect(try await town.send(.post, path, from: other).status == .badRequest)
        #expect(try await town.send(.get, "/api/v1/businesses", from: one).status == .ok)
        town.clock.advance(bySeconds: 1)
        #expect(try await town.send(.post, path, from: one).status == .badRequest)
    }

    @Test func theOwnerOfTheFolderIsNotLimited() async throws {
        let town = try await TestTown.withAccounts()
        for _ in 0..<130 {
            let response = try await town.ask(.patch, Self.category, body: #"{"name":"Bars"}"#)
            #expect(response.status == .ok)
            #expect(response.headers.first("RateLimit") == nil)
        }
    }

    private static func peer(_ address: String) -> Peer {
        .inet(address: address, port: 1, isLoopback: false)
    }
}
