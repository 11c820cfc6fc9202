/// Slows down who guesses passwords, by the address it comes from and by the account it tries, and locks nobody out.
///
/// Five wrong logins are free, before each further try comes a wait: 1, 2, 4 … up to 60 seconds. Who is refused during
/// a wait does not make it longer. What was quiet for 15 minutes is forgotten; that is so long that pausing never
/// allows more guesses than going on at one a minute.
///
/// An attempt counts as failed from the moment it is let through, so that guesses which are sent together do not all
/// get through before the first has failed. A success takes that back.
///
/// The bound on memory: an attempt makes at most one entry in each table and costs a hash, which are done one at a
/// time. An entry may stay for half an hour; at 15 ms a hash no more than 120,000 are done in that time, so a table of
/// 131,072 is never full. Were it full all the same, nothing is dropped and no count is lost: newcomers share one.
///
/// It has no lock of its own; time is nanoseconds of a clock that never goes back.
public struct LoginThrottle: Sendable {
    /// What is to happen with an attempt.
    public enum Answer: Sendable, Equatable {
        /// It may be tried. It counts as failed until `succeeded` or `abandoned` is called.
        case allowed
        /// It must not be tried before so many seconds, at least 1, are over: 429 with `Retry-After`.
        case wait(seconds: Int)
    }

    /// What is known of an address or an account.
    private struct Failures: Sendable {
        var count = 0
        var last = 0

        /// The moment from which the next attempt is allowed.
        var until: Int {
            let waits = count - LoginThrottle.freeFailures
            guard waits >= 0 else { return last }
            return last + min(1 << min(waits, 6), LoginThrottle.longestWait) * LoginThrottle.second
        }
    }

    /// A digest of the name, so that an entry is small however long a name a client sends.
    private struct Key: Sendable, Hashable {
        let first: UInt64
        let second: UInt64

        init(_ name: String) {
            let digest = SHA256.digest(name.utf8)
            first = digest[..<8].reduce(0) { $0 << 8 | UInt64($1) }
            second = digest[8..<16].reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    private typealias Table = RecentTable<Key, Failures>

    private static let second = 1_000_000_000
    private static let freeFailures = 5
    private static let longestWait = 60
    private static let memory = 15 * 60 * second

    private var addresses: Table
    private var accounts: Table

    /// A throttle that knows of no failure.
    ///
    /// - Parameter capacity: how many addresses, and how many accounts, it remembers.
    public init(capacity: Int = 131_072) {
        addresses = Table(capacity: capacity, lifetime: Self.memory, fresh: Failures())
        accounts = Table(capacity: capacity, lifetime: Self.memory, fresh: Failures())
    }

    /// The entries held, of both kinds.
    public var entryCount: Int { addresses.count + accounts.count }

    /// Lets an attempt through, and counts it, or tells how long to wait, and counts nothing.
    ///
    /// - Parameters:
    ///   - address: what stands for the client's address: of IPv6 its network, since one customer has 2⁶⁴ addresses.
    ///   - account: what accounts are found by, in the form they are found by; of an account that does not exist too.
    ///   - now: nanoseconds.
    public mutating func admit(address: String, account: String, now: Int) -> Answer {
        let (address, account) = (Key(address), Key(account))
        let until = max(Self.current(addresses[address], now).until, Self.current(accounts[account], now).until)
        guard until <= now else { return .wait(seconds: (until - now + Self.second - 1) / Self.second) }
        addresses.update(address, now: now) { Self.count(&$0, now) }
        accounts.update(account, now: now) { Self.count(&$0, now) }
        return .allowed
    }

    /// Tells that an attempt was right: its account has no failures any more. Its address keeps those that it had, for
    /// else a guesser would clear it by logging in to an account of his own.
    public mutating func succeeded(address: String, account: String, now: Int) {
        if !accounts.remove(Key(account)) { Self.takeBack(Key(account), in: &accounts, now) }
        Self.takeBack(Key(address), in: &addresses, now)
    }

    /// Tells that an attempt came to no answer, because the server was too busy.
    public mutating func abandoned(address: String, account: String, now: Int) {
        Self.takeBack(Key(account), in: &accounts, now)
        Self.takeBack(Key(address), in: &addresses, now)
    }

    private static func current(_ failures: Failures, _ now: Int) -> Failures {
        failures.count > 0 && now - failures.last < memory ? failures : Failures(count: 0, last: now)
    }

    private static func count(_ failures: inout Failures, _ now: Int) {
        failures = Failures(count: current(failures, now).count + 1, last: now)
    }

    private static func takeBack(_ key: Key, in table: inout Table, _ now: Int) {
        let isEmpty = table.update(key, now: now) { failures in
            failures.count = max(0, current(failures, now).count - 1)
            return failures.count == 0
        }
        if isEmpty { table.remove(key) }
    }
}
