import HTTP
import Platform
import SookeModel
import Store
import Testing

@testable import API
@testable import Service

/// Logins from known networks, beside attempts from elsewhere.
@Suite struct KnownNetworkTests {
    private static let home = peer("192.0.2.1")

    private static func peer(_ address: String) -> Peer { .inet(address: address, port: 1, isLoopback: false) }

    private static func logIn(_ town: TestTown, from peer: Peer, _ password: String = TestSecrets.password) async throws
        -> Int
    {
        let body = #"{"email":"mia@town.example","password":"\#(password)"}"#
        return try await town.send(.post, "/api/v1/session", body: body, from: peer).status.code
    }

    private static func networks(_ town: TestTown) -> [String] {
        town.store.current.town.passwords[4]?.networks ?? []
    }

    /// After a hundred wrong attempts from as many addresses an unknown network waits, and Mia at home does not.
    @Test func strangersDoNotKeepItsPersonOut() async throws {
        let town = try await TestTown.peopled()
        #expect(try await Self.logIn(town, from: Self.home) == 201)
        for number in 0..<100 {
            #expect(try await Self.logIn(town, from: Self.peer("203.0.113.\(number)"), "wrong") == 401)
        }
        #expect(try await Self.logIn(town, from: Self.peer("198.51.100.1")) == 429)
        #expect(try await Self.logIn(town, from: Self.home) == 201)
        // Known networks survive a restart, because they are stored; counts do not.
        let again = try await town.reopened()
        #expect(Self.networks(again).count == 1)
    }

    /// A backup before it has what counts, but not one before another password.
    @Test func aLoginChangesSessionsOnly() async throws {
        let town = try await TestTown.peopled()
        let before = town.store.current.position
        #expect(try await Self.logIn(town, from: Self.home) == 201)
        #expect(town.store.current.position != before)
        #expect(try await town.send(.delete, "/api/v1/session", as: .mia).status.code == 204)
        #expect(town.store.current.changedOnlySessions(since: before))
        let position = town.store.current.position
        #expect(town.store.current.changedOnlySessions(since: position))
        let body = #"{"new_password":"\#(TestSecrets.newPassword)"}"#
        #expect(try await town.send(.post, "/api/v1/users/4/password", as: .folder, body: body).status.code == 204)
        #expect(!town.store.current.changedOnlySessions(since: position))
        #expect(!town.store.current.changedOnlySessions(since: before))
        let unknown = try #require(HistoryPosition("\(position.sequence).0000000000000000"))
        #expect(!town.store.current.changedOnlySessions(since: unknown))
    }

    @Test func theLastEightAreStoredWithThePassword() async throws {
        let town = try await TestTown.peopled()
        for number in 1...10 { #expect(try await Self.logIn(town, from: Self.peer("192.0.2.\(number)")) == 201) }
        let last = Self.networks(town)
        #expect(Set(last).count == 8 && last.allSatisfy { $0.utf8.count == 32 })
        // The last used network is the first.
        #expect(try await Self.logIn(town, from: Self.peer("192.0.2.5")) == 201)
        #expect(Self.networks(town) == [last[5]] + last[..<5] + last[6...])
        let record = try #require(town.store.current.town.passwords[4])
        for number in 1...11 {
            let network = ClientNetwork(Self.peer("192.0.2.\(number)"))
            #expect(record.knows(network) == (3...10 ~= number), "\(network)")
        }
        #expect(!String(decoding: record.written, as: UTF8.self).contains("192.0.2"))
        let other = PasswordRecord(of: 9, hash: "", setAt: record.setAt)
            .remembering(ClientNetwork(Self.peer("192.0.2.5")))
        #expect(other.networks.count == 1 && other.networks[0] != last[5], "digests differ for two people")
    }

    /// Accepting a link makes its network known; a reset by a link removes those from before.
    @Test func linksMakeANetworkKnown() async throws {
        let town = try await TestTown.peopled()
        #expect(try await Self.logIn(town, from: Self.home) == 201)
        let reset = #"{"token":"\#(TestSecrets.reset.reveal())","new_password":"\#(TestSecrets.newPassword)"}"#
        let there = Self.peer("192.0.2.77")
        #expect(try await town.send(.post, "/api/v1/password-reset", body: reset, from: there).status.code == 201)
        let record = try #require(town.store.current.town.passwords[4])
        #expect(record.knows(ClientNetwork(there)) && !record.knows(ClientNetwork(Self.home)))
    }

    @Test func wrongLoginsMakeNothingKnown() async throws {
        let town = try await TestTown.peopled()
        #expect(try await Self.logIn(town, from: Self.home, "wrong") == 401)
        #expect(Self.networks(town).isEmpty)
        let written = try #require(town.store.current.town.passwords[4]?.written)
        #expect(!String(decoding: written, as: UTF8.self).contains("network"), "absent while unused")
    }
}
