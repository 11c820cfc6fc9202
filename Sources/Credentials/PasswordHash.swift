import Platform

/// What is kept of a password: its yescrypt hash with method, cost and salt, as crypt(5) writes it (`$y$j9T$…$…`).
///
/// Making one and verifying against one take the time and memory of the cost; the server does both by `PasswordHasher`.
public struct PasswordHash: Sendable, Equatable, Secret {
    /// The text for storage. It lets nobody in, but lets passwords be tried elsewhere: it is not for logs and answers.
    public let stored: String

    /// Reads a stored hash.
    ///
    /// - Throws: `malformedHash` for anything but the text of a yescrypt hash. An older method is never accepted.
    public init(stored: String) throws(PasswordHashError) {
        let parts = stored.utf8.split(separator: UInt8(ascii: "$"), omittingEmptySubsequences: false)
        guard stored.utf8.count <= Self.storedLimit, stored.hasPrefix(Self.prefix), parts.count == 5,
            !parts[2].isEmpty, parts[4].count == Self.digestLength,
            parts[2...].joined().allSatisfy(Self.isDigit)
        else { throw .malformedHash }
        self.stored = stored
    }

    /// Hashes a password with a new random salt.
    ///
    /// - Throws: `unusablePassword`, `noRandomBytes`, or `failed` when there is no memory for it.
    public static func make(
        _ password: Password, cost: PasswordCost = .standard
    ) throws(PasswordHashError) -> PasswordHash {
        let phrase = try phrase(password)
        let salt = try randomBytes(saltByteCount)
        let hash = try failing { () throws(SystemError) in
            let setting = try Crypt.setting(method: prefix, cost: Int(cost.level), salt: salt)
            return try Crypt.hash(phrase, setting: setting)
        }
        return try PasswordHash(stored: String(decoding: hash, as: UTF8.self))
    }

    /// Whether this is the hash of the password. Where the hashes differ does not show in the time it takes.
    ///
    /// - Throws: `unusablePassword`, or `failed` when there is no memory for it or the stored cost is impossible.
    public func verify(_ password: Password) throws(PasswordHashError) -> Bool {
        let phrase = try Self.phrase(password)
        let hash = try Self.failing { () throws(SystemError) in try Crypt.hash(phrase, setting: stored) }
        return hash.constantTimeEquals(Array(stored.utf8))
    }

    /// Beginning of every yescrypt hash.
    static let prefix = "$y$"
    /// 128 bits, so that no two salts are ever the same.
    private static let saltByteCount = 16
    /// 256 bits, six in a character.
    private static let digestLength = 43
    /// Method and parameters, a salt of at most 64 bytes and the digest take less.
    private static let storedLimit = 192

    /// A character of crypt's base 64.
    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ".")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }

    private static func failing<Value>(
        _ call: () throws(SystemError) -> Value
    ) throws(PasswordHashError) -> Value {
        do throws(SystemError) {
            return try call()
        } catch {
            throw .failed(code: error.code)
        }
    }

    static func randomBytes(_ count: Int) throws(PasswordHashError) -> [UInt8] {
        do throws(RandomBytes.Failure) {
            return try RandomBytes.make(count)
        } catch {
            throw .noRandomBytes(code: error.code)
        }
    }

    private static func phrase(_ password: Password) throws(PasswordHashError) -> [UInt8] {
        let phrase = password.reveal()
        guard 1...PasswordPolicy.maximumBytes ~= phrase.count, !phrase.contains(0) else { throw .unusablePassword }
        return phrase
    }
}

/// How much work and memory a hash of a password takes: a level of crypt_gensalt(3) for yescrypt, 1 to 11.
///
/// A level more doubles both. Level 5 takes 16 MiB while it works (N = 4096, r = 32), 11 takes 1 GiB.
public struct PasswordCost: Sendable, Hashable {
    /// The level, 1 to 11.
    public let level: Int

    /// A level from 1 to 11; nil for another.
    public init?(level: Int) {
        guard 1...11 ~= level else { return nil }
        self.level = level
    }

    private init(known level: Int) {
        self.level = level
    }

    /// What libxcrypt and Debian's logins use: level 5.
    public static let standard = PasswordCost(known: 5)
    /// The cheapest, for tests: 1 MiB.
    public static let lowest = PasswordCost(known: 1)
}

/// Why a password was not hashed or compared. None of it depends on whether the password is right.
public enum PasswordHashError: Error, Equatable {
    /// The password is empty, holds a NUL byte or is longer than `PasswordPolicy.maximumBytes`. No hash stands for it.
    case unusablePassword
    /// The stored text is no hash of yescrypt.
    case malformedHash
    /// The operating system had no random bytes for the salt; its error number.
    case noRandomBytes(code: Int32)
    /// libcrypt could not do it, for want of memory as a rule; the operating system's error number.
    case failed(code: Int32)
    /// The thread could not be started; the operating system's error number.
    case noThread(code: Int32)
    /// As many passwords wait as may. The client is to come again: 503 with `Retry-After: 1`.
    case busy
    /// The task that waited was cancelled before its turn came.
    case cancelled
}
