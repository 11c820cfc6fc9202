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

    /// The table of networks is full, and all others share one bucket, which is empty.
    @Test func aFloodOfNetworksDoesNotKeepItsPersonOut() async throws {
        let town = try await TestTown.peopled()
        #expect(try await Self.logIn(town, from: Self.home) == 201)
        let limits = TownLimits(clock: town.clock.source, networks: 100)
        func admit(_ address: String) throws {
            let network = ClientNetwork(Self.peer(address))
            let person = town.service.knownPerson("mia@town.example", from: network, in: town.store.current)
            _ = try limits.admitAttempt(from: network, knownPerson: person)
        }
        for number in 0..<1_000 { try? admit("2001:db8:\(String(number, radix: 16))::1") }
        #expect(throws: ServiceError.self) { try admit("198.51.100.1") }
        try admit("192.0.2.1")
    }

    @Test func theLastEightAreStoredWithThePassword() async throws {
        let town = try await TestTown.peopled()
        for number in 1...10 { #expect(try await Self.logIn(town, from: Self.peer("192.0.2.\(number)")) == 201) }
        let last = Self.networks(town)
        #expect(last.count == 8 && Set(last).count == 8)
        #expect(last.allSatisfy { $0.utf8.count == 32 })
        // The last used network is the first; a login from it changes nothing.
        #expect(try await Self.logIn(town, from: Self.peer("192.0.2.5")) == 201)
        #expect(Self.networks(town) == [last[5]] + last[..<5] + last[6...])
        #expect(try await Self.logIn(town, from: Self.peer("192.0.2.5")) == 201)
        #expect(Self.networks(town).first == last[5])
        let record = try #require(town.store.current.town.passwords[4])
        for number in 1...10 {
            let network = ClientNetwork(Self.peer("192.0.2.\(number)"))
            #expect(record.knows(network) == (number > 2), "\(network)")
        }
        #expect(!record.knows(ClientNetwork(Self.peer("192.0.2.99"))), "a neighbour is a stranger")
        #expect(!String(decoding: record.written, as: UTF8.self).contains("192.0.2"))
    }

    /// A /64 of IPv6 is one network; its digests differ for two people.
    @Test func aNetworkOfIPv6IsOne() async throws {
        let town = try await TestTown.peopled()
        #expect(try await Self.logIn(town, from: Self.peer("2001:db8:1:2::5")) == 201)
        let mia = try #require(town.store.current.town.passwords[4])
        #expect(mia.knows(ClientNetwork(Self.peer("2001:db8:1:2:aaaa::1"))))
        #expect(!mia.knows(ClientNetwork(Self.peer("2001:db8:1:3::5"))))
        let other = PasswordRecord(of: 9, hash: "", setAt: mia.setAt)
            .remembering(ClientNetwork(Self.peer("2001:db8:1:2::5")))
        #expect(other.networks.count == 1 && other.networks != mia.networks)
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
