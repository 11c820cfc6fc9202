import Bytes
import Platform
import SookeModel
import Store

extension TownService {
    /// An unknown address takes as long, and fails in the same way, as a wrong password.
    package func logIn(
        _ email: String, password: String, staysSignedIn: Bool, for context: RequestContext
    ) async throws(ServiceError) -> OpenedSession {
        guard let checked = try await verify(password, of: email, for: context) else { throw .wrongPassword }
        let (token, clock) = (try Token.make(.session), expiryClock)
        let author = Author.person(checked.id)
        let payers = context.payers(for: author, isLogin: true, isKnown: checked.knows(context.clientNetwork))
        let transaction = Transaction(for: context, by: author, .anyone, payers: payers) { transaction in
            // The password may have been changed meanwhile, which has ended all sessions.
            guard let stored = transaction.town.passwords[checked.id], stored.isSamePassword(as: checked),
                let person = transaction.town.people[checked.id]
            else { throw ServiceError.wrongPassword }
            return transaction.openSession(for: person, token, at: clock.now(), context, staysSignedIn: staysSignedIn)
        }
        return try await run(transaction, for: context)
    }

    package func logOut(for context: RequestContext) async throws(ServiceError) -> Outcome {
        let credential = try context.caller.account().credential
        return try await run(
            Transaction(ofLogin: context) { transaction in
                transaction.deleteCredential(credential)
                return .deleted
            }, for: context)
    }

    package func account(of caller: Caller, in town: Town) throws(ServiceError) -> Person {
        guard let person = caller.person(in: town) else { throw .noAccount }
        return person
    }

    /// Ends all other sessions.
    package func changePassword(
        from old: String, to new: String, _ problems: FieldProblems = FieldProblems(), for context: RequestContext
    ) async throws(ServiceError) {
        let person = try account(of: context.caller, in: context.town)
        if !problems.isEmpty {
            throw .invalid(problems.adding(password: new, "new_password", of: person.email, in: context.town))
        }
        let session = try context.caller.account().credential
        let isWrong = ServiceError.invalid("password", "is not correct")
        guard let checked = try await verify(old, of: person.email, for: context) else { throw isWrong }
        let hash = try await hash(new, "new_password", of: person.email, problems, for: context)
        let clock = expiryClock
        let transaction = Transaction(ofLogin: context) { transaction in
            guard let stored = transaction.town.passwords[person.id], stored.isSamePassword(as: checked) else {
                throw isWrong
            }
            transaction.setPassword(
                hash, of: person.id, at: clock.now(), revokingTokens: false, keepingCredential: session)
            transaction.storeNetwork(of: context, for: person.id)
        }
        try await run(transaction, for: context)
    }

    /// Those that have not expired.
    package func ownSessions(of caller: Caller, in town: Town) throws(ServiceError) -> [OpenSession] {
        let (person, current) = try caller.account()
        return sessions(of: person, current: current, in: town)
    }

    package func sessions(of person: Int, current: Int? = nil, in town: Town) -> [OpenSession] {
        let now = expiryClock.now()
        return town.credentials.of(person: person).compactMap { credential in
            guard credential.purpose == .session, isValid(credential, at: now),
                let end = accounts.end(of: credential, at: now)
            else {
                return nil
            }
            return OpenSession(
                credential: credential, lastUsedAt: accounts.lastUse(of: credential), expiresAt: end,
                isCurrent: credential.id == current)
        }
    }

    package func endOtherSessions(for context: RequestContext) async throws(ServiceError) -> Outcome {
        let (person, current) = try context.caller.account()
        return try await run(
            Transaction(ofLogin: context) { transaction in
                for credential in transaction.town.credentials.of(person: person)
                where credential.purpose == .session && credential.id != current {
                    transaction.deleteCredential(credential.id)
                }
                return .deleted
            }, for: context)
    }

    package func endSession(_ id: Int, for context: RequestContext) async throws(ServiceError) -> Outcome {
        let person = try context.caller.account().person
        return try await run(
            Transaction(ofLogin: context) { transaction in
                guard let credential = transaction.town.credentials[id], credential.purpose == .session,
                    credential.person == person
                else {
                    throw ServiceError.notFound(.ownSession)
                }
                context.subject?.set(credential)
                transaction.deleteCredential(id)
                return .deleted
            }, for: context)
    }
}

package struct OpenSession: Sendable {
    package let credential: Credential
    package let lastUsedAt: Timestamp
    /// If it is not used again.
    package let expiresAt: Timestamp
    package let isCurrent: Bool
}

extension Caller {
    func account() throws(ServiceError) -> (person: Int, credential: Int) {
        guard case .token(let credential, let person, _) = proof else { throw .noAccount }
        return (person, credential)
    }
}

extension Token {
    static func make(_ kind: TokenKind) throws(ServiceError) -> Token {
        guard let token = try? Token(kind) else { throw .internalError }
        return token
    }
}

package struct OpenedSession: Sendable {
    package let token: Token
    package let expiresAt: Timestamp?
    package let person: Person
}

extension WriteTransaction {
    /// Adds the network of the request to the known ones of the person. The session whose cookie the new one replaces
    /// ends, and the oldest ones beyond the limit of an account.
    mutating func openSession(
        for person: Person, _ token: Token, at now: Timestamp, _ context: RequestContext, staysSignedIn: Bool = false,
        limits: AccountLimits = .standard
    ) -> OpenedSession {
        for credential in town.credentials.expired(at: now) { deleteCredential(credential.id) }
        if let replaced = context.cookieSession { deleteCredential(replaced) }
        let open = town.credentials.of(person: person.id).filter { $0.purpose == .session }
        for session in open.prefix(max(0, open.count + 1 - limits.sessions)) { deleteCredential(session.id) }
        let seconds = staysSignedIn ? Accounts.signedInSeconds : Accounts.sessionSeconds
        var credential = Credential(.session, token, at: now, lasting: seconds)
        (credential.person, credential.staysSignedIn) = (person.id, staysSignedIn)
        credential.name = context.device
        put(credential)
        storeNetwork(of: context, for: person.id)
        return OpenedSession(token: token, expiresAt: credential.expiresAt, person: person)
    }

    mutating func storeNetwork(of context: RequestContext, for person: Int) {
        guard let network = context.remoteNetwork, let password = town.passwords[person] else { return }
        // Most logins come from the same network as the last one, and change nothing.
        put(password.remembering(network))
    }

    /// Ends all sessions and resets before it.
    ///
    /// - Parameter revokingTokens: whether to revoke all trust: the API tokens of the person and those that they made
    ///   for others are deleted, and the known networks are removed. Tokens of the person that only read metrics stay,
    ///   so that the monitoring of the server goes on.
    mutating func setPassword(
        _ hash: PasswordHash, of person: Int, at now: Timestamp, revokingTokens: Bool,
        keepingCredential kept: Int? = nil
    ) {
        var record = PasswordRecord(of: person, hash: hash.stored, setAt: now)
        if !revokingTokens, let old = town.passwords[person] {
            (record.networkKey, record.networks) = (old.networkKey, old.networks)
        }
        put(record)
        for credential in town.credentials.of(person: person) where credential.id != kept {
            switch credential.purpose {
            case .session, .passwordReset: deleteCredential(credential.id)
            case .apiToken where credential.scope == .metrics: break
            case .apiToken, .confirmation: if revokingTokens { deleteCredential(credential.id) }
            case .invitation, .reference: break
            }
        }
        if revokingTokens { deleteCredentials(madeForOthersBy: person) }
    }
}
