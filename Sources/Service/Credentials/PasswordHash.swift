import Platform

/// The stored form of a password: its yescrypt hash with method, cost and salt, in the format of crypt(5)
/// (`$y$j9T$…$…`).
package struct PasswordHash: Sendable, Equatable, Secret {
    /// It allows no login, but offline guessing: it must not appear in logs and responses.
    package let stored: String

    /// - Throws: `malformedHash` for any other text than a yescrypt hash. An older method is never accepted.
    package init(stored: String) throws(PasswordHashError) {
        let parts = stored.utf8.split(separator: UInt8(ascii: "$"), omittingEmptySubsequences: false)
        guard stored.utf8.count <= Self.storedLimit, stored.hasPrefix(Self.prefix), parts.count == 5,
            !parts[2].isEmpty, parts[4].count == Self.digestLength,
            parts[2...].joined().allSatisfy(Self.isDigit)
        else { throw .malformedHash }
        self.stored = stored
    }

    /// - Throws: `unusablePassword`, or `failed` when there is no memory for it.
    package static func make(
        _ password: Password, cost: PasswordCost = .standard
    ) throws(PasswordHashError) -> PasswordHash {
        let phrase = try phrase(password)
        let hash = try failing { () throws(SystemError) in
            let salt = try RandomSource.bytes(saltByteCount)
            let setting = try Crypt.setting(method: prefix, cost: Int(cost.level), salt: salt)
            return try Crypt.hash(phrase, setting: setting)
        }
        return try PasswordHash(stored: String(decoding: hash, as: UTF8.self))
    }

    /// The time does not depend on where the hashes differ. Throws `failed` also when the stored cost is impossible.
    package func verify(_ password: Password) throws(PasswordHashError) -> Bool {
        let phrase = try Self.phrase(password)
        let hash = try Self.failing { () throws(SystemError) in try Crypt.hash(phrase, setting: stored) }
        return hash.constantTimeEquals(Array(stored.utf8))
    }

    static let prefix = "$y$"
    /// 128 bits, so that salts are unique.
    private static let saltByteCount = 16
    /// 256 bits, six in a character.
    private static let digestLength = 43
    /// Method and parameters, a salt of at most 64 bytes and the digest are shorter.
    private static let storedLimit = 192

    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ".")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }

    static func failing<Value>(_ call: () throws(SystemError) -> Value) throws(PasswordHashError) -> Value {
        do throws(SystemError) {
            return try call()
        } catch {
            throw .failed(code: error.code)
        }
    }

    private static func phrase(_ password: Password) throws(PasswordHashError) -> [UInt8] {
        let phrase = password.reveal()
        guard 1...PasswordPolicy.maximumBytes ~= phrase.count, !phrase.contains(0) else { throw .unusablePassword }
        return phrase
    }
}

/// A level of crypt_gensalt(3) for yescrypt. Each doubles work and memory: level 5 needs 16 MiB (N = 4096, r = 32), 11
/// needs 1 GiB.
package struct PasswordCost: Sendable, Hashable {
    package let level: Int

    package init?(level: Int) {
        guard 1...11 ~= level else { return nil }
        self.level = level
    }

    private init(known level: Int) {
        self.level = level
    }

    /// The level of libxcrypt and of Debian's logins: 5.
    package static let standard = PasswordCost(known: 5)
    /// The lowest level, for tests: 1 MiB.
    package static let lowest = PasswordCost(known: 1)
}

/// Why a password was not hashed or compared. It never depends on whether the password is right: no hash matches an
/// unusable one.
package enum PasswordHashError: Error, Equatable {
    case unusablePassword
    case malformedHash
    /// The error number of the operating system, as in `noThread`.
    case failed(code: Int32)
    case noThread(code: Int32)
    /// Too many passwords are waiting. The client must try again: 503 with `Retry-After: 1`.
    case busy
    case cancelled
}

extension [UInt8] {
    /// In a time that depends on the lengths but not on where they differ. Not inlined: in a caller that knows one side
    /// the compiler could end the loop early.
    @inline(never)
    package func constantTimeEquals(_ other: [UInt8]) -> Bool {
        guard count == other.count else { return false }
        var difference: UInt8 = 0
        for index in indices { difference |= self[index] ^ other[index] }
        return difference == 0
    }
}
