import Bytes
import Limits
import Platform
import SookeModel
import Store

/// Passwords are verified and hashed on threads of their own, before a transaction.
extension TownService {
    package func knownPerson(_ email: String, from network: ClientNetwork, in version: Version) -> Int? {
        guard let person = version.town.people[email: email],
            version.town.passwords[person.id]?.knows(network) ?? false
        else { return nil }
        return person.id
    }

    /// - Returns: the stored password; nil when the password is wrong, or when there is no such account.
    /// - Throws: `limited` after too many wrong ones; `overloaded` when too many requests wait.
    func verify(
        _ text: String, of email: String, for context: RequestContext
    ) async throws(ServiceError) -> PasswordRecord? {
        let hasher = try accounts.hasher()
        let person = context.town.people[email: email]
        if let person { context.subject?.set(person) }
        let stored = person.flatMap { context.town.passwords[$0.id] }
        let network = context.clientNetwork
        let isKnown = stored?.knows(network) ?? false
        // All spellings that find the same person count as one.
        let account = String(decoding: CaseFolding.fold(email), as: UTF8.self)
        let attempt = LoginThrottle.Attempt(address: network.bytes, account: account, isKnown: isKnown)
        let permit = try context.caller.personID.map { person throws(ServiceError) in
            try limits.beginComparing(person)
        }
        defer { permit?.release() }
        if case .wait(let seconds) = await limits.logins.admit(attempt, isWanted: context.isWanted) {
            throw .limited(.logins, seconds: seconds)
        }
        do throws(PasswordHashError) {
            let hash = stored.flatMap { try? PasswordHash(stored: $0.hash) }
            let lane = isKnown ? PasswordLane.known(network.bytes) : context.passwordLane
            guard try await hasher.verify(Password(text), against: hash, in: lane, isWanted: context.isWanted) else {
                return nil
            }
        } catch {
            if error == .unusablePassword { return nil }
            limits.logins.abandoned(attempt)
            throw .overloaded
        }
        limits.logins.succeeded(attempt)
        return stored
    }

    /// - Parameter others: finds further problems, when there are any.
    /// - Throws: `invalid` when it is too easy to guess; `overloaded` when too many requests wait.
    func hash(
        _ text: String, _ field: String, of email: String, _ problems: FieldProblems, for context: RequestContext,
        others: () -> FieldProblems = { FieldProblems() }
    ) async throws(ServiceError) -> PasswordHash {
        var problems = problems.adding(password: text, field, of: email, in: context.town)
        if !problems.isEmpty {
            problems.add(consequences: others())
            throw .invalid(problems)
        }
        // The caller has proved a token, a link or a password.
        let lane = PasswordLane.known(context.clientNetwork.bytes)
        let hasher = try accounts.hasher()
        do throws(PasswordHashError) {
            return try await hasher.hash(Password(text), in: lane, isWanted: context.isWanted)
        } catch {
            throw .overloaded
        }
    }
}

extension FieldProblems {
    func adding(password: String, _ field: String, of email: String, in town: Town) -> FieldProblems {
        let facts = [email, town.people[email: email]?.displayName ?? "", town.settings.name]
        guard let problem = PasswordPolicy.problem(with: Password(password), knowing: facts) else { return self }
        var problems = self
        problems.add(field, "\(problem)")
        return problems
    }
}

extension RequestContext {
    /// Callers with a token precede others.
    fileprivate var passwordLane: PasswordLane {
        caller.isKnown ? .known(clientNetwork.bytes) : .stranger(clientNetwork.site.bytes)
    }
}

/// The networks from which a person has logged in: an IPv4 address, or the /64 of an IPv6 address. A larger network
/// would include other people in the same street. Their digests use a random key, so that no address is stored, and two
/// people in one network have different digests.
extension PasswordRecord {
    func knows(_ network: ClientNetwork) -> Bool {
        guard let networkKey, !networks.isEmpty else { return false }
        return networks.contains(Self.digest(of: network, key: networkKey))
    }

    /// As the newest one. Without random bytes for a key it is not added.
    func remembering(_ network: ClientNetwork, limit: Int = AccountLimits.standard.knownNetworks) -> PasswordRecord {
        guard let key = networkKey ?? (try? RandomSource.bytes(16)).map({ Hex.encode($0) }) else { return self }
        let digest = Self.digest(of: network, key: key)
        var record = self
        record.networkKey = key
        record.networks = [digest] + networks.filter { $0 != digest }.prefix(limit - 1)
        return record
    }

    /// Key and network have fixed lengths, so that it is enough to put the key before the bytes.
    private static func digest(of network: ClientNetwork, key: String) -> String {
        Hex.encode(Array(SHA256.digest(Array(key.utf8) + network.bytes).prefix(16)))
    }
}
