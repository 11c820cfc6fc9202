import Bytes
import Synchronization

/// Slows down password guessing without locking any owner out.
///
/// - Attempts from an address: five failures are free, then each further one requires a wait of 1, 2, 4 … up to 60
///   seconds. An attempt during a wait does not extend it. Failures expire after 15 minutes without an attempt; that is
///   so long that pausing never allows more guesses than continuing at one a minute.
/// - Attempts on an account from all addresses from which its owner has never logged in: 100 failures, and then 100 an
///   hour. So an attacker with a thousand addresses gets no more.
/// - From an address from which its owner has logged in, only the attempts on that account from that address count: the
///   owner can log in despite all that happens elsewhere. Five failures are free, then there is one attempt a second;
///   the waits do not double, because others may be guessing there. Attempts wait for their turn: beside four who
///   guess, the owner gets through within five seconds. Eight may wait; a further one takes the turn of a random one,
///   so that who has many connections cannot keep all turns for themselves.
///
/// An attempt counts as a failure from its admission on, so that concurrent guesses are not all admitted before the
/// first has failed. A success removes it.
///
/// An entry may stay for half an hour; at 15 ms per hash at most 120,000 are made in that time, so a table of 131,072
/// is never full. Even in a full table no count is lost: new keys share one. The accounts have 16,384 buckets, by a
/// hash that is unpredictable outside the process: all hashes of an hour are 15 per bucket.
package final class LoginThrottle: Sendable {
    package struct Attempt: Sendable, Hashable {
        // Swift's hash has a random seed for each process.
        fileprivate let address: Int
        fileprivate let account: Int
        fileprivate let pair: Int
        fileprivate let isKnown: Bool

        /// - Parameters:
        ///   - address: the client's address; for IPv6 its network, since one customer has 2⁶⁴ addresses.
        ///   - account: the normalized name of the account, whether it exists or not.
        package init(address: [UInt8], account: String, isKnown: Bool) {
            (self.address, self.account, self.isKnown) = (address.hashValue, account.hashValue & 16_383, isKnown)
            var hasher = Hasher()
            hasher.combine(address)
            hasher.combine(account)
            pair = hasher.finalize()
        }
    }

    package enum Decision: Sendable, Equatable {
        /// It counts as a failure until `succeeded` or `abandoned` is called.
        case allowed
        /// It must not be made for this many seconds, at least 1: 429 with `Retry-After`.
        case wait(seconds: Int)
    }

    private struct Failures: Sendable {
        var count = 0
        var last = 0

        var until: Int {
            let waits = count - LoginThrottle.freeFailures
            return waits < 0 ? last : last + min(1 << min(waits, 6), 60) * LoginThrottle.second
        }

        func current(_ now: Int) -> Failures {
            count > 0 && now - last < LoginThrottle.memory ? self : Failures(count: 0, last: now)
        }
    }

    struct Turn: Sendable {
        fileprivate let number: Int
        let at: Int
    }

    private struct State {
        var addresses: ExpiringTable<Int, Failures>
        var accounts = Bucket<Int>(quota: 100, seconds: 3600, longestWait: 3600, capacity: 16_384)
        var known: Bucket<Int>
        /// By pair.
        var lines: [Int: [Turn]] = [:]
        var lastNumber = 0

        mutating func addFailure(of address: Int, _ now: Int) {
            addresses.update(address, now: now) { $0 = Failures(count: $0.current(now).count + 1, last: now) }
        }
    }

    enum Start {
        case decided(Decision)
        case waits(Turn)
    }

    /// The most attempts that wait on an account from a network.
    private static let lineLimit = 8
    private static let second = 1_000_000_000
    private static let freeFailures = 5
    private static let memory = 15 * 60 * second

    private let clock: TimeSource
    private let sleep: @Sendable (Duration) async -> Void
    private let state: Mutex<State>

    /// - Parameter capacity: the number of addresses, and of pairs of a known address and an account, that it stores.
    package init(
        clock: TimeSource, capacity: Int = 131_072,
        sleep: @escaping @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }
    ) {
        (self.clock, self.sleep) = (clock, sleep)
        state = Mutex(
            State(
                addresses: ExpiringTable(capacity: capacity, lifetime: Self.memory, fresh: Failures()),
                known: Bucket(quota: Self.freeFailures, seconds: 5, longestWait: 60, capacity: capacity)))
    }

    var entryCount: Int { state.withLock { $0.addresses.count + $0.known.count } }

    /// Admits an attempt, perhaps after a while, and counts it, or returns how long to wait without counting it.
    /// `isWanted` says whether the client still waits when its turn comes.
    package func admit(_ attempt: Attempt, isWanted: @Sendable () -> Bool = { true }) async -> Decision {
        let now = clock.monotonic()
        switch begin(attempt, now: now) {
        case .decided(let decision): return decision
        case .waits(let turn):
            await sleep(.nanoseconds(turn.at - now))
            let isOwn = state.withLock { state in
                let line = state.lines[attempt.pair] ?? []
                let rest = line.filter { $0.number != turn.number }
                state.lines[attempt.pair] = rest.isEmpty ? nil : rest
                return rest.count < line.count
            }
            return isOwn && isWanted() && !Task.isCancelled ? .allowed : .wait(seconds: 1)
        }
    }

    func begin(_ attempt: Attempt, now: Int) -> Start {
        state.withLock { state in
            if attempt.isKnown { return Self.beginKnown(attempt, &state, now) }
            let delay = max(
                state.addresses[attempt.address].current(now).until - now,
                state.accounts.wait(attempt.account, for: 1, now: now))
            guard delay <= 0 else { return .decided(.wait(seconds: (delay + Self.second - 1) / Self.second)) }
            state.addFailure(of: attempt.address, now)
            state.accounts.charge(1, to: attempt.account, now: now)
            return .decided(.allowed)
        }
    }

    private static func beginKnown(_ attempt: Attempt, _ state: inout State, _ now: Int) -> Start {
        let pair = attempt.pair
        var line = state.lines[pair] ?? []
        state.lastNumber += 1
        if line.count >= lineLimit, let place = line.indices.randomElement() {
            line[place] = Turn(number: state.lastNumber, at: line[place].at)
            state.lines[pair] = line
            return .waits(line[place])
        }
        let delay = state.known.wait(pair, for: 1, now: now)
        state.known.charge(1, to: pair, now: now)
        state.addFailure(of: attempt.address, now)
        guard delay > 0 else { return .decided(.allowed) }
        let turn = Turn(number: state.lastNumber, at: now + delay)
        state.lines[pair] = line + [turn]
        return .waits(turn)
    }

    /// Removes the failures of the account from that address. Those of an address that is not known remain, or an
    /// attacker could clear them by logging in to an account of their own; so do those of the account, or its owner's
    /// logins would give attackers a hundred more guesses.
    package func succeeded(_ attempt: Attempt) {
        abandoned(attempt)
        if attempt.isKnown { state.withLock { $0.known.fill(attempt.pair) } }
    }

    /// An attempt that was not made because the server was too busy.
    package func abandoned(_ attempt: Attempt) {
        let now = clock.monotonic()
        state.withLock { state in
            if attempt.isKnown {
                state.known.charge(-1, to: attempt.pair, now: now)
            } else {
                state.accounts.charge(-1, to: attempt.account, now: now)
            }
            state.addresses.update(attempt.address, now: now) { failures in
                failures.count = max(0, failures.current(now).count - 1)
            }
        }
    }
}
