import Testing

@testable import Service

/// Hashing and verifying at a login.
@Suite(.timeLimit(.minutes(20))) struct PasswordHasherTests {
    static let password = Password("wet gravel under")
    static let lane = PasswordLane.stranger([1])

    /// Verifying for an account that does not exist costs what a real hash costs.
    @Test(arguments: [1, 3]) func nobodyCostsAHashToo(level: Int) async throws {
        let hasher = try PasswordHasher(cost: #require(PasswordCost(level: level)))
        let real = try await hasher.hash(Self.password, in: Self.lane)
        #expect(real.stored.split(separator: "$").prefix(2) == hasher.dummy.stored.split(separator: "$").prefix(2))
        #expect(real.stored.utf8.count == hasher.dummy.stored.utf8.count)
    }

    @Test func errorsDoNotTellWhoIsThere() async throws {
        let hasher = try PasswordHasher(cost: .lowest)
        let hash = try await hasher.hash(Self.password, in: Self.lane)
        for known in [hash, nil] {
            await #expect(throws: PasswordHashError.unusablePassword) {
                try await hasher.verify(Password("a\0b"), against: known, in: Self.lane)
            }
        }
    }

    @Test func hashesAndComparisonsShareOneQueue() async throws {
        let limit = PasswordHasher.limitPerNetwork
        let (hasher, gate) = (try PasswordHasher(cost: .lowest, limit: limit), Gate())
        let hash = try await hasher.hash(Self.password, in: Self.lane)
        let held = (0...limit).map { _ in
            Task { try? await hasher.run(in: Self.lane) { () throws(PasswordHashError) in gate.pass() } }
        }
        while hasher.waitingCount != limit { await Task.yield() }
        await #expect(throws: PasswordHashError.busy) { try await hasher.hash(Self.password, in: Self.lane) }
        await #expect(throws: PasswordHashError.busy) {
            try await hasher.verify(Self.password, against: hash, in: Self.lane)
        }
        await #expect(throws: PasswordHashError.busy) {
            try await hasher.verify(Self.password, against: nil, in: Self.lane)
        }
        gate.open()
        for task in held { await task.value }
        #expect(try await hasher.verify(Self.password, against: hash, in: Self.lane))
    }
}
