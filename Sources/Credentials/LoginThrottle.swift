import Bytes

/// Slows down password guessing without locking any owner out.
///
/// - Attempts on an account from an address: five failures are free, then each further one requires a wait of 1, 2, 4 …
///   up to 60 seconds. The same holds for an address over all accounts. An attempt during a wait does not extend it.
///   Failures expire after 15 minutes without an attempt; that is so long that pausing never allows more guesses than
///   continuing at one a minute.
/// - Attempts on an account from all addresses from which its owner has never logged in: 100 failures within an hour;
///   further ones wait until the hour has passed. So an attacker with a thousand addresses gets no more.
/// - From an address from which its owner has logged in, only the attempts on that account from that address count: the
///   owner can log in whatever happens elsewhere. After five failures there is one attempt a second; the waits do not
///   double, because others may be guessing there.
///
/// An attempt counts as a failure from the moment it is admitted, so that concurrent guesses are not all admitted
/// before the first has failed. A success removes it.
///
/// The memory is bounded: an attempt adds at most one entry to each table and costs a hash, and hashes are computed one
/// at a time. An entry may stay for half an hour; at 15 ms per hash at most 120,000 are computed in that time, so a
/// table of 131,072 is never full. Even in a full table no count is lost: new keys share one. Known addresses have a
/// table of their own, which only logins of their owners fill.
///
/// It has no lock of its own; time is nanoseconds of a monotonic clock.
package struct LoginThrottle: Sendable {
    package struct Attempt: Sendable, Hashable {
        fileprivate let pair: Key
        fileprivate let address: Key
        fileprivate let account: Key
        /// Whether the account's owner has logged in from the address.
        package let isKnown: Bool

        /// - Parameters:
        /// - address: the client's address; for IPv6 its network, since one customer has 2⁶⁴ addresses.
        /// - account: the normalized name of the account, whether it exists or not.
        package init(address: [UInt8], account: String, isKnown: Bool) {
            self.address = Key(address)
            self.account = Key(Array(account.utf8))
            pair = Key([self.address, self.account].flatMap(\.bytes))
            self.isKnown = isKnown
        }
    }

    package enum Decision: Sendable, Equatable {
        /// It is admitted. It counts as a failure until `succeeded` or `abandoned` is called.
        case allowed
        /// It must not be made for this many seconds, at least 1: 429 with `Retry-After`.
        case wait(seconds: Int)
    }

    /// The failures of an address, or of an address with an account.
    private struct Failures: Sendable {
        var count = 0
        var last = 0

        /// When the next attempt is allowed; `longestWait` is in seconds.
        func until(longestWait: Int = LoginThrottle.longestWait) -> Int {
            let waits = count - LoginThrottle.freeFailures
            guard waits >= 0 else { return last }
            return last + min(1 << min(waits, 6), longestWait) * LoginThrottle.second
        }
    }

    /// A digest, so that an entry is small even for a long name.
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

    package static let strangersPerHour = 100

    private static let second = 1_000_000_000
    private static let freeFailures = 5
    private static let longestWait = 60
    private static let memory = 15 * 60 * second

    private var pairs: Table
    private var knownPairs: Table
    private var addresses: Table
    private var accounts = HourlyCounts<Key>()

    /// - Parameter capacity: the number of addresses, and of pairs of an address and an account, that it stores.
    package init(capacity: Int = 131_072) {
        pairs = Table(capacity: capacity, lifetime: Self.memory, fresh: Failures())
        knownPairs = pairs
        addresses = Table(capacity: capacity, lifetime: Self.memory, fresh: Failures())
    }

    package var entryCount: Int { pairs.count + knownPairs.count + addresses.count }

    /// Admits an attempt and counts it, or returns how long to wait without counting it.
    package mutating func admit(_ attempt: Attempt, now: Int) -> Decision {
        let delay = delay(attempt, now: now)
        guard delay == 0 else { return .wait(seconds: (delay + Self.second - 1) / Self.second) }
        changePairs(of: attempt) { $0.update(attempt.pair, now: now) { Self.count(&$0, now) } }
        addresses.update(attempt.address, now: now) { Self.count(&$0, now) }
        if !attempt.isKnown { accounts.add(attempt.account, now: now) }
        return .allowed
    }

    /// Nanoseconds until an attempt is admitted; 0 when it would be now.
    package func delay(_ attempt: Attempt, now: Int) -> Int {
        if attempt.isKnown { return max(0, Self.current(knownPairs[attempt.pair], now).until(longestWait: 1) - now) }
        let until = max(
            Self.current(pairs[attempt.pair], now).until(), Self.current(addresses[attempt.address], now).until())
        return max(0, until - now, accounts.delay(attempt.account, limit: Self.strangersPerHour, now: now))
    }

    /// Records that an attempt succeeded: it removes the failures of the account from that address. The failures of the
    /// address remain, or an attacker could clear them by logging in to an account of their own; so do those of the
    /// account, or its owner's logins would give attackers a hundred more guesses.
    package mutating func succeeded(_ attempt: Attempt, now: Int) {
        changePairs(of: attempt) { pairs in
            if !pairs.remove(attempt.pair) { Self.takeBack(attempt.pair, in: &pairs, now) }
        }
        takeBackShared(attempt, now)
    }

    /// Records that an attempt was not made because the server was too busy.
    package mutating func abandoned(_ attempt: Attempt, now: Int) {
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
