import HTTP
import Testing

@testable import API
@testable import Dispatcher
@testable import Service

/// The host names that a server serves.
@Suite struct AllowedHostsTests {
    @Test(arguments: [
        ("localhost", true), ("LOCALHOST:8080", true), ("127.0.0.1", true), ("127.0.0.1:8080", true), ("[::1]", true),
        ("[::1]:8080", true), ("192.0.2.7:80", true), ("town.example", true), ("Town.Example:443", true),
        ("town.example.", true), ("evil.example", false), ("town.example.evil.example", false),
        ("evil-town.example", false), ("localhost.evil.example", false), ("127.0.0.1.evil.example", false),
        ("a", false),
    ])
    func names(host: String, isAllowed: Bool) throws {
        let request = try Request(.get, "/", headers: [("Host", host)])
        let hosts = AllowedHosts(["town.example"])
        #expect(((try? hosts.check(request)) != nil) == isAllowed)
        #expect((try? AllowedHosts.all.check(request)) != nil)
    }

    @Test func theSocketOfTheFolderHasNoName() throws {
        let request = try Request(.get, "/", headers: [("Host", "evil.example")], peer: TestTown.owner)
        try AllowedHosts([]).check(request)
    }

    @Test func whatIsMeantForOthersIsRefusedWith421() async throws {
        let town = try await TestTown.withAccounts()
        for target in ["/api/v1/health", "/nope", "/api/v1/businesses"] {
            #expect(try await town.send(.get, target, [("Host", "evil.example")]).status.code == 421)
        }
        #expect(try await town.send(.get, "/api/v1/health", [("Host", "town.example")]).status == .ok)
    }
}
