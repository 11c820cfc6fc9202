import Testing

@testable import Credentials

/// What a login asks of the hasher.
@Suite(.timeLimit(.minutes(20))) struct PasswordHasherTests {
    static let password = Password("wet gravel under")

    @Test func rightAndWrong() async throws {
        let hasher = try PasswordHasher(cost: .lowest)
        let hash = try await hasher.hash(Self.password)
        #expect(try await hasher.verify(Self.password, against: hash))
        #expect(try await !hasher.verify(Password("wet gravel over"), against: hash))
    }

    @Test func nobodyIsNeverRight() async throws {
        let hasher = try PasswordHasher(cost: .lowest)
        #expect(try await !hasher.verify(Self.password, against: nil))
    }

    /// What somebody who is not there is compared with costs what a real hash costs.
    @Test(arguments: [1, 3]) func nobodyCostsAHashToo(level: Int) async throws {
        let hasher = try PasswordHasher(cost: #require(PasswordCost(level: level)))
        let real = try await hasher.hash(Self.password)
        #expect(real.stored.split(separator: "$").prefix(2) == hasher.dummy.stored.split(separator: "$").prefix(2))
        #expect(real.stored.utf8.count == hasher.dummy.stored.utf8.count)
    }

    @Test func errorsDoNotTellWhoIsThere() async throws {
        let hasher = try PasswordHasher(cost: .lowest)
        let hash = try await hasher.hash(Self.password)
        for known in [hash, nil] {
            await #expect(throws: PasswordHashError.unusablePassword) {
                try await hasher.verify(Password("a\0b"), against: known)
            }
        }
    }

    @Test func hashesAndComparisonsShareOneQueue() async throws {
        let (queue, gate) = (PasswordQueue(limit: PasswordHasher.queueLimit), Gate())
        let hasher = try PasswordHasher(cost: .lowest, queue: queue)
        let hash = try await hasher.hash(Self.password)
        let held = (0...PasswordHasher.queueLimit).map { _ in
            Task { try? await queue.run { () throws(PasswordHashError) in gate.pass() } }
        }
        while queue.waitingCount != PasswordHasher.queueLimit { await Task.yield() }
        await #expect(throws: PasswordHashError.busy) { try await hasher.hash(Self.password) }
        await #expect(throws: PasswordHashError.busy) { try await hasher.verify(Self.password, against: hash) }
        await #expect(throws: PasswordHashError.busy) { try await hasher.verify(Self.password, against: nil) }
        gate.open()
        for task in held { await task.value }
        #expect(try await hasher.verify(Self.password, against: hash))
    }
}
