import Bytes

/// Hashes and verifies passwords, one at a time and on a thread of its own, so that logins can neither delay the rest
/// of the server nor use up its memory.
package final class PasswordHasher: Sendable {
    /// Beside the one that is being hashed; further ones are refused.
    package static let limitPerNetwork = 8
    /// In each lane: half a second's work.
    static let queueLimit = 32

    private let cost: PasswordCost
    /// The hash of a random password, for accounts that do not exist.
    let dummy: PasswordHash
    private let queue: PasswordQueue

    /// Takes as long as a hash.
    package convenience init(cost: PasswordCost = .standard) throws(PasswordHashError) {
        try self.init(cost: cost, queue: PasswordQueue(limit: Self.queueLimit, limitPerNetwork: Self.limitPerNetwork))
    }

    init(cost: PasswordCost, queue: PasswordQueue) throws(PasswordHashError) {
        (self.cost, self.queue) = (cost, queue)
        dummy = try .make(Password(Base64URL.encode(try PasswordHash.randomBytes(32))), cost: cost)
    }

    /// - Throws: `busy` when too many are waiting; `cancelled`, `noThread`; else as `PasswordHash.make`.
    package func hash(
        _ password: Password, in lane: PasswordLane, isWanted: @escaping @Sendable () -> Bool = { true }
    ) async throws(PasswordHashError) -> PasswordHash {
        let cost = cost
        return try await queue.run(in: lane, isWanted: isWanted) { () throws(PasswordHashError) in
            try .make(password, cost: cost)
        }
    }

    /// Without a hash, for an account that does not exist, it returns false after the same work, so that the time does
    /// not reveal which accounts exist.
    ///
    /// - Throws: `busy` when too many are waiting; `cancelled`, `noThread`; else as `PasswordHash.verify`.
    package func verify(
        _ password: Password, against hash: PasswordHash?, in lane: PasswordLane,
        isWanted: @escaping @Sendable () -> Bool = { true }
    ) async throws(PasswordHashError) -> Bool {
        let dummy = dummy
        return try await queue.run(in: lane, isWanted: isWanted) { () throws(PasswordHashError) in
            let isRight = try (hash ?? dummy).verify(password)
            return isRight && hash != nil
        }
    }
}
