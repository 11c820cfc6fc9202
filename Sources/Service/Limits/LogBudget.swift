import Bytes
import Credentials
import Platform
import SookeModel
import Store
import Synchronization

/// Limits the bytes that accounts, and clients without one, add to the log in a day: the history of the town is stored
/// for weeks, and a change of a few bytes may log a record of 250 kB.
///
/// Each transaction has payers. Those of an account's changes, and of its logins, are counted separately, so that nobody
/// who uses up the one keeps the owner of the account out. What needs no account also counts for the network of the
/// client, and for all such clients together, unless the person has logged in from there before.
///
/// Days are those since the machine started. The counts are in memory; a start begins them anew, and no account can
/// cause one.
final class LogBudget: Sendable {
    /// Whose bytes are limited.
    enum Payer: Hashable, Sendable {
        /// The changes of an account.
        case account(Int)
        /// The logins and passwords of an account.
        case logins(Int)
        /// The requests without an account from a network.
        case network(ClientNetwork)
        /// All requests without an account, except for proposals.
        case strangers
        /// All proposals without an account.
        case proposals
    }

    /// The use in the day under way.
    private struct Use {
        var day = 0
        var bytes = 0
    }

    private static let day = 86_400 * 1_000_000_000

    private let clock: TimeSource
    private let limits: AccountLimits
    private let uses: Mutex<ExpiringTable<Payer, Use>>

    init(clock: TimeSource, limits: AccountLimits = .standard) {
        (self.clock, self.limits) = (clock, limits)
        uses = Mutex(ExpiringTable(capacity: 65_536, lifetime: Self.day, fresh: Use()))
    }

    /// Checks that none of the payers has used up its bytes.
    ///
    /// - Throws: `limited`.
    func require(_ payers: [Payer]) throws(ServiceError) {
        let now = clock.monotonic()
        let day = now / Self.day
        let exhausted = uses.withLock { uses in
            payers.first { payer in
                let use = uses[payer]
                return use.day == day && use.bytes >= limit(of: payer)
            }
        }
        guard let exhausted else { return }
        let seconds = ((day + 1) * Self.day - now - 1) / 1_000_000_000 + 1
        throw .limited(.logBytes(limit(of: exhausted)), seconds: seconds)
    }

    /// Counts bytes, or takes them back when they are negative.
    func add(_ bytes: Int, to payers: [Payer]) {
        let now = clock.monotonic()
        let day = now / Self.day
        uses.withLock { uses in
            for payer in payers {
                uses.update(payer, now: now) { use in
                    use = Use(day: day, bytes: max(0, (use.day == day ? use.bytes : 0) + bytes))
                }
            }
        }
    }

    private func limit(of payer: Payer) -> Int {
        switch payer {
        case .account: limits.logBytesPerDay
        case .logins: limits.loginLogBytesPerDay
        case .network: limits.networkLogBytesPerDay
        case .strangers: limits.strangerLogBytesPerDay
        case .proposals: limits.proposalLogBytesPerDay
        }
    }
}

/// The bytes that one transaction has added to the log.
final class LogCharge: Sendable {
    private let budget: LogBudget
    private let payers: [LogBudget.Payer]
    private let bytes = Atomic<Int>(0)

    init(_ budget: LogBudget, _ payers: [LogBudget.Payer]) {
        (self.budget, self.payers) = (budget, payers)
    }

    /// - Throws: `limited`.
    func require() throws(ServiceError) { try budget.require(payers) }

    func add(_ count: Int) {
        bytes.add(count, ordering: .relaxed)
        budget.add(count, to: payers)
    }

    /// Takes the bytes back: they did not get onto the disk.
    func takeBack() {
        let count = bytes.exchange(0, ordering: .relaxed)
        if count > 0 { budget.add(-count, to: payers) }
    }
}

extension RequestContext {
    /// Who pays for the bytes of a transaction.
    ///
    /// - Parameters:
    ///   - author: the author of the change in the log.
    ///   - isLogin: whether it is about sessions and passwords.
    ///   - isKnown: whether the author has logged in from the network of the client before.
    func payers(for author: Author, isLogin: Bool = false, isKnown: Bool = false) -> [LogBudget.Payer] {
        var payers: [LogBudget.Payer] = []
        if case .person(let id) = author { payers = [isLogin ? .logins(id) : .account(id)] }
        if caller == .anonymous, !isKnown { payers += [.network(clientNetwork), .strangers] }
        return payers
    }

    /// Who pays for the bytes of a proposal.
    var proposalPayers: [LogBudget.Payer] {
        payers(for: caller.author).map { payer in payer == .strangers ? .proposals : payer }
    }
}
