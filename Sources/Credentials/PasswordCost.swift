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
