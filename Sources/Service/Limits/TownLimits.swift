import Bytes
import Limits
import Platform
import Store
import Synchronization

/// What clients and accounts may use of the town: attempts, changes, bytes in the log, histories and imports.
///
/// Requests over the local socket are not counted: administration must be possible when the server is overloaded. The
/// counts are in memory; a start sets them to zero, and no account can cause one.
package final class TownLimits: Sendable {
    /// Each lets one through at a time.
    package enum Door: Hashable, Sendable {
        case importing
        case history(Int)
        /// For a request with a token of the account: many such requests would delay the logins of others.
        case comparing(Int)
    }

    /// Whose bytes in the log are limited. Those of an account's changes, and of its logins, are counted separately, so
    /// that nobody who uses up the one keeps the owner of the account out. What needs no account also counts for the
    /// network of the client, and for all such clients together, unless the person has logged in from there before.
    package enum Payer: Hashable, Sendable {
        /// Except for imports of super admins.
        case account(Int)
        case logins(Int)
        /// Without an account.
        case network(ClientNetwork)
        /// All requests without an account, except for proposals.
        case strangers
        /// Of proposals: a network, or a site.
        case sender(ClientNetwork)
        case proposals

        /// The history of the town is stored for weeks, and a change of a few bytes may log a record of 250 kB; a login
        /// logs 1 kB. It takes more than 500 networks to use up those of all proposals.
        var bytesPerDay: Int {
            switch self {
            case .sender(let network): network == network.site ? 192 << 10 : 96 << 10
            case .account, .proposals: 64 << 20
            case .logins, .network: 16 << 20
            case .strangers: 256 << 20
            }
        }
    }

    static let historiesPerMinute = 30
    private static let historyTurns = 40
    /// Nanoseconds that a write waits before it begins, at the longest.
    private static let patience = 5_000_000_000

    private let clock: TimeSource
    private let bytesPerDay: @Sendable (Payer) -> Int
    private let attempts: Mutex<Bucket<ClientNetwork>>
    private let knownLogins = Mutex(Bucket<Int>(name: "attempts", quota: 600, seconds: 60))
    private let changes: Mutex<Bucket<Int>>
    private let histories = Mutex(Bucket<Int>(quota: historiesPerMinute, seconds: 60))
    /// The time for which the log is read: after a history that took longer than a tenth of a second the account pauses
    /// for four times as long, so that it never occupies much more than a fifth of a core.
    private let reading = Mutex(Bucket<Int>(quota: 100_000_000, seconds: 0.4, longestWait: 3600))
    private let log = Mutex(Bucket<Payer>(quota: 1, seconds: 86_400, longestWait: 86_400))
    private let strangerMails = Mutex(Bucket<ClientNetwork>(quota: 3, seconds: 86_400))
    private let doors = Gate<Door>()
    /// The writes in flight, and their bodies: one beyond what the disk can take is rejected at once, instead of
    /// waiting ever longer and filling the memory.
    private let writing = Gate<Bool>(limit: 4096, sizeLimit: 16 << 20)
    let logins: LoginThrottle

    /// - Parameter networks: how many of clients without an account are counted separately.
    package init(
        clock: TimeSource, changesPerMinute: Int = 120, networks: Int = 65_536,
        bytesPerDay: @escaping @Sendable (Payer) -> Int = \.bytesPerDay
    ) {
        (self.clock, self.bytesPerDay) = (clock, bytesPerDay)
        // A person may have to share a network with four who guess: see `LoginThrottle`.
        attempts = Mutex(Bucket(name: "attempts", quota: 60, seconds: 60, capacity: networks))
        changes = Mutex(Bucket(name: "writes", quota: changesPerMinute, seconds: 60))
        logins = LoginThrottle(clock: clock)
    }

    /// - Parameter knownPerson: who logs in from a network from which they have logged in before. They are counted
    ///   separately, so that others who fill up the table of networks do not lock them out.
    package func admitAttempt(
        from network: ClientNetwork, knownPerson: Int? = nil
    ) throws(ServiceError) -> BucketDecision {
        let now = clock.monotonic()
        let decision =
            if let knownPerson {
                knownLogins.withLock { $0.take(knownPerson, now: now) }
            } else {
                attempts.withLock { $0.take(network, now: now) }
            }
        guard decision.isAllowed else { throw .limited(.attempts(decision), seconds: decision.resetSeconds) }
        return decision
    }

    package func admitChange(by caller: Caller) throws(ServiceError) -> BucketDecision? {
        guard let person = caller.personID else { return nil }
        let decision = changes.withLock { $0.take(person, now: clock.monotonic()) }
        guard decision.isAllowed else { throw .limited(.writes(decision), seconds: decision.resetSeconds) }
        return decision
    }

    /// Of who has no account, to an address that they type.
    func admitMail(from network: ClientNetwork) -> Bool {
        strangerMails.withLock { $0.take(network, now: clock.monotonic()).isAllowed }
    }

    package var writes: Int { writing.count(true) }

    package func hasRoom(for bytes: Int) -> Bool { writing.hasRoom(true, size: bytes) }

    package func admitWrite(of bytes: Int) throws(ServiceError) -> Gate<Bool>.Permit {
        guard let permit = writing.enter(true, size: bytes) else { throw .overloaded }
        return permit
    }

    package func patience() -> @Sendable () -> Bool {
        let (clock, end) = (clock, clock.monotonic() + Self.patience)
        return { clock.monotonic() < end }
    }

    package var mayImport: Bool { doors.hasRoom(.importing) }

    /// The body of an import may take more memory than all others together, so it is outside their budget.
    package func admitImport() throws(ServiceError) -> Gate<Door>.Permit {
        guard let permit = doors.enter(.importing) else { throw .importRunning }
        return permit
    }

    /// For an account, because it costs far more than any other request, and more the longer the log is. Nil means
    /// the local socket.
    func readLog<Result>(for person: Int?, _ read: () async throws -> Result) async throws(ServiceError) -> Result {
        // Pages that somebody opens at once are read one after the other, with short pauses.
        for _ in 0..<Self.historyTurns where person.map(mustWait) ?? false {
            try? await Task.sleep(for: .milliseconds(50))
        }
        let start = clock.monotonic()
        let permit = try person.map { person throws(ServiceError) in try admitHistory(of: person, now: start) }
        defer {
            permit?.release()
            if let person {
                let end = clock.monotonic()
                reading.withLock { $0.charge(end - start, to: person, now: end) }
            }
        }
        do { return try await read() } catch { throw ServiceError(error) }
    }

    private func mustWait(_ person: Int) -> Bool {
        !doors.hasRoom(.history(person)) || reading.withLock { $0.wait(person, now: clock.monotonic()) } > 0
    }

    private func admitHistory(of person: Int, now: Int) throws(ServiceError) -> Gate<Door>.Permit {
        let pause = reading.withLock { $0.wait(person, now: now) }
        var seconds = (pause + 999_999_999) / 1_000_000_000
        if seconds == 0 {
            guard let permit = doors.enter(.history(person)) else {
                throw .limited(.histories(perMinute: Self.historiesPerMinute), seconds: 1)
            }
            let decision = histories.withLock { $0.take(person, now: now) }
            if decision.isAllowed { return permit }
            seconds = decision.resetSeconds
        }
        throw .limited(.histories(perMinute: Self.historiesPerMinute), seconds: seconds)
    }

    func beginComparing(_ person: Int) throws(ServiceError) -> Gate<Door>.Permit {
        guard let permit = doors.enter(.comparing(person)) else { throw .limited(.logins, seconds: 1) }
        return permit
    }

    func requireBytes(of payers: [Payer]) throws(ServiceError) {
        let now = clock.monotonic()
        for payer in payers {
            let most = bytesPerDay(payer)
            let wait = log.withLock { $0.wait(payer, for: 1, of: most, now: now) }
            if wait > 0 { throw .limited(.logBytes(most), seconds: (wait + 999_999_999) / 1_000_000_000) }
        }
    }

    /// Negative ones are given back.
    func addBytes(_ count: Int, to payers: [Payer]) {
        let now = clock.monotonic()
        log.withLock { log in
            for payer in payers { log.charge(count, of: bytesPerDay(payer), to: payer, now: now) }
        }
    }
}

extension RequestContext {
    /// - Parameter isKnown: whether the author has logged in from the network of the client before.
    func payers(for author: Author, isLogin: Bool = false, isKnown: Bool = false) -> [TownLimits.Payer] {
        var payers: [TownLimits.Payer] = []
        if case .person(let id) = author { payers = [isLogin ? .logins(id) : .account(id)] }
        if caller == .anonymous, !isKnown { payers += [.network(clientNetwork), .strangers] }
        return payers
    }

    var proposalPayers: [TownLimits.Payer] {
        if caller != .anonymous { return payers(for: caller.author) }
        return [.sender(clientNetwork), .sender(clientNetwork.site), .proposals]
    }
}
