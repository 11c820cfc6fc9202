/// Slows down who guesses passwords, and keeps nobody out.
///
/// - An attempt on an account from an address: five wrong ones are free, before each further one comes a wait of 1, 2,
///   4 … up to 60 seconds. So it is for an address over all accounts together. Who is refused during a wait does not
///   make it longer. What was quiet for 15 minutes is forgotten; that is so long that pausing never allows more guesses
///   than going on at one a minute.
/// - An account over all addresses from which its owner has never logged in: 100 wrong attempts within an hour; further
///   ones wait until the hour has passed. So a guesser with a thousand addresses gets no more.
/// - From an address from which its owner has logged in, only the attempts on that account from that address count:
///   whatever strangers do elsewhere, the owner gets in.
///
/// An attempt counts as wrong from the moment it is admitted, so that guesses which are sent together do not all get
/// through before the first has failed. A success takes that back.
///
/// The bound on memory: an attempt makes at most one entry in each table and costs a hash, and hashes are computed one
/// at a time. An entry may stay for half an hour; at 15 ms a hash no more than 120,000 are computed in that time, so a
/// table of 131,072 is never full. Were it full all the same, no count is lost: newcomers share one. Known addresses
/// have a table of their own, which only logins of their owners fill.
///
/// It has no lock of its own; time is nanoseconds of a clock that never goes back.
public struct LoginThrottle: Sendable {
    /// Who tries to log in to which account.
    public struct Attempt: Sendable {
        fileprivate let pair: Key
        fileprivate let address: Key
        fileprivate let account: Key
        fileprivate let isKnown: Bool

        /// An attempt.
        ///
        /// - Parameters:
        ///   - address: what stands for the client's address: of IPv6 its network, since one customer has 2⁶⁴
        ///     addresses.
        ///   - account: what accounts are found by, in the form they are found by; of an account that does not exist
        ///     too.
        ///   - isKnown: whether the account's owner has logged in from that address.
        public init(address: [UInt8], account: String, isKnown: Bool) {
            self.address = Key(address)
            self.account = Key(Array(account.utf8))
            pair = Key([self.address, self.account].flatMap(\.bytes))
            self.isKnown = isKnown
        }
    }

    /// What is to happen with an attempt.
    public enum Decision: Sendable, Equatable {
        /// It may be tried. It counts as wrong until `succeeded` or `abandoned` is called.
        case allowed
        /// It must not be tried before so many seconds, at least 1, have passed: 429 with `Retry-After`.
        case wait(seconds: Int)
    }

    /// What is known of an address, or of an address with an account.
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

    /// A digest, so that an entry is small however long a name a client sends.
    fileprivate struct Key: Sendable, Hashable {
        let first: UInt64
        let second: UInt64

        init(_ name: [UInt8]) {
            let digest = SHA256.digest(name)
            first = digest[..<8].reduce(0) { $0 << 8 | UInt64($1) }
            second = digest[8..<16].reduce(0) { $0 << 8 | UInt64($1) }
        }

        var bytes: [UInt8] {
            [first, second].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) } }
        }
    }

    private typealias Table = ExpiringTable<Key, Failures>

    /// The wrong attempts on an account that strangers have within an hour.
    public static let strangersPerHour = 100

    private static let second = 1_000_000_000
    private static let freeFailures = 5
    private static let longestWait = 60
    private static let memory = 15 * 60 * second

    private var pairs: Table
    private var knownPairs: Table
    private var addresses: Table
    private var accounts = HourlyCounts<Key>()

    /// A throttle that knows of no failure.
    ///
    /// - Parameter capacity: how many addresses, and how many pairs of an address and an account, it remembers.
    public init(capacity: Int = 131_072) {
        pairs = Table(capacity: capacity, lifetime: Self.memory, fresh: Failures())
        knownPairs = pairs
        addresses = Table(capacity: capacity, lifetime: Self.memory, fresh: Failures())
    }

    /// The entries stored, of all kinds.
    public var entryCount: Int { pairs.count + knownPairs.count + addresses.count }

    /// Admits an attempt, and counts it, or says how long to wait, and counts nothing.
    ///
    /// - Parameter now: nanoseconds.
    public mutating func admit(_ attempt: Attempt, now: Int) -> Decision {
        let pair = (attempt.isKnown ? knownPairs : pairs)[attempt.pair]
        var until = Self.current(pair, now).until
        if !attempt.isKnown {
            let delay = accounts.delay(attempt.account, limit: Self.strangersPerHour, now: now)
            until = max(until, Self.current(addresses[attempt.address], now).until, now + delay)
        }
        guard until <= now else { return .wait(seconds: (until - now + Self.second - 1) / Self.second) }
        changePairs(of: attempt) { $0.update(attempt.pair, now: now) { Self.count(&$0, now) } }
        addresses.update(attempt.address, now: now) { Self.count(&$0, now) }
        if !attempt.isKnown { accounts.add(attempt.account, now: now) }
        return .allowed
    }

    /// Records that an attempt was right: the account has no failures from that address any more. The address keeps
    /// those that it had, or a guesser would clear it by logging in to an account of his own; so does the account, or
    /// its owner's logins would give strangers a hundred more.
    public mutating func succeeded(_ attempt: Attempt, now: Int) {
        changePairs(of: attempt) { pairs in
            if !pairs.remove(attempt.pair) { Self.takeBack(attempt.pair, in: &pairs, now) }
        }
        takeBackShared(attempt, now)
    }

    /// Records that an attempt was not made, because the server was too busy.
    public mutating func abandoned(_ attempt: Attempt, now: Int) {
        changePairs(of: attempt) { Self.takeBack(attempt.pair, in: &$0, now) }
        takeBackShared(attempt, now)
    }

    private mutating func changePairs(of attempt: Attempt, _ change: (inout Table) -> Void) {
        if attempt.isKnown { change(&knownPairs) } else { change(&pairs) }
    }

    private mutating func takeBackShared(_ attempt: Attempt, _ now: Int) {
        Self.takeBack(attempt.address, in: &addresses, now)
        if !attempt.isKnown { accounts.remove(attempt.account, now: now) }
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
