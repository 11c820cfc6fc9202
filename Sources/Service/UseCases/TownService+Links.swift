import Bytes
import SookeModel
import Store

/// Invitations, the first account and forgotten passwords: use cases with one-time links.
extension TownService {
    /// - Parameter business: the ID of what they own then, unless it has another owner by that time.
    package func invite(
        _ input: PatchInput<Person>, toOwn business: Int? = nil, for context: RequestContext
    ) async throws(ServiceError) -> IssuedCredential {
        let (token, clock) = (try Token.make(.invitation), expiryClock)
        return try await run(
            once(for: context, .superAdmin) { [self] transaction in
                let (patch, problems) = input.restricted(to: SettableFields.person)
                try transaction.requireNone(of: problems) { trial throws(WriteError) in try trial.create(patch) }
                // Fails now if the account could not be created, not when the link is opened.
                var trial = transaction
                let person = try trial.create(patch)
                var credential = Credential(.invitation, token, at: clock.now(), lasting: 7 * 86_400)
                (credential.email, credential.role, credential.name) = (person.email, person.role, person.displayName)
                credential.business = business
                credential.setCreator(context.caller, in: transaction.town)
                let issued = transaction.issue(token, credential, for: context)
                send(.invitation, issued, to: nil, at: clock.now(), in: &transaction)
                return issued
            }, for: context)
    }

    package func acceptInvitation(
        _ text: String, password: String, displayName: String?, _ problems: FieldProblems = FieldProblems(),
        for context: RequestContext
    ) async throws(ServiceError) -> OpenedSession {
        let clock = expiryClock
        let credential = try link(text, for: .invitation, in: context.town, or: problems)
        context.subject?.set(credential)
        let account = Patch(
            email: credential.email ?? "", displayName: displayName ?? credential.name, role: credential.role)
        let hash = try await hash(password, "password", of: credential.email ?? "", problems, for: context) {
            context.town.problems(creating: account)
        }
        let token = try Token.make(.session)
        let transaction = Transaction(for: context, by: .local, .anyone) { [self] transaction in
            // Only the first of two requests with the link succeeds.
            let credential = try link(text, for: .invitation, in: transaction.town)
            let person = try transaction.create(account)
            transaction.setPassword(hash, of: person.id, at: clock.now(), revokingTokens: true)
            transaction.deleteCredential(credential.id)
            if let id = credential.business, transaction.town.businesses[id].map({ $0.ownerID == nil }) ?? false {
                var right = Patch<Business>()
                (right.values.ownerID, right.fields) = (person.id, ["owner_id"])
                try transaction.update(id, right)
            }
            context.subject?.set(person)
            return transaction.openSession(for: person, token, at: clock.now(), context)
        }
        return try await run(transaction, for: context)
    }

    /// It ends the one before.
    package func makeSetupLink() throws(ServiceError) -> String {
        guard store.current.town.people.count == 0 else { throw .hasAccount }
        guard let token = try? accounts.makeSetupToken() else { throw .internalError }
        return link(for: token)
    }

    /// The first account, a super admin. Throws `deadLink`, also when there already is an account.
    package func setUp(
        _ text: String, email: String, password: String, displayName: String?,
        _ problems: FieldProblems = FieldProblems(), for context: RequestContext
    ) async throws(ServiceError) -> OpenedSession {
        guard let setup = Token(text: text.utf8), accounts.isSetup(setup) else {
            throw problems.isEmpty ? .deadLink : .invalid(problems)
        }
        let account = Patch(email: email, displayName: displayName, role: .superAdmin)
        let hash = try await hash(password, "password", of: email, problems, for: context) {
            context.town.problems(creating: account)
        }
        let (token, clock) = (try Token.make(.session), expiryClock)
        let transaction = Transaction(for: context, by: .local, .anyone) { transaction in
            guard transaction.town.people.count == 0 else { throw ServiceError.deadLink }
            let person = try transaction.create(account)
            transaction.setPassword(hash, of: person.id, at: clock.now(), revokingTokens: true)
            context.subject?.set(person)
            return transaction.openSession(for: person, token, at: clock.now(), context)
        }
        let session = try await run(transaction, for: context)
        accounts.endSetup()
        return session
    }

    /// It ends the earlier ones of the person.
    package func issuePasswordReset(
        of id: Int, for context: RequestContext
    ) async throws(ServiceError) -> IssuedCredential {
        let (token, clock) = (try Token.make(.passwordReset), expiryClock)
        return try await run(
            once(for: context, .superAdmin) { [self] transaction in
                let person = try person(id, in: transaction.town)
                var credential = transaction.passwordReset(of: person, token, at: clock.now())
                credential.setCreator(context.caller, in: transaction.town)
                return transaction.issue(token, credential, for: context)
            }, for: context)
    }

    /// At most one in ten minutes. Nobody waits for it, so that not even the time says who has an account.
    package func sendPasswordReset(to email: String, for context: RequestContext) throws(ServiceError) {
        try requireWritable()
        guard sendsMail, let person = context.town.people[email: email] else { return }
        context.subject?.set(person)
        let (token, now) = (try Token.make(.passwordReset), expiryClock.now())
        let payers = context.payers(for: .person(person.id), isLogin: true)
        let transaction = Transaction(for: context, by: .local, .anyone, payers: payers) { [self] transaction in
            guard let person = transaction.town.people[person.id] else { throw ServiceError.deadLink }
            let last = transaction.town.credentials.of(person: person.id).last(where: \.isMailedReset)
            if let last, last.createdAt > now.advanced(bySeconds: -600) { throw ServiceError.deadLink }
            var credential = transaction.passwordReset(of: person, token, at: now, isMailed: true)
            credential.name = Credential.mailedReset
            let issued = transaction.issue(token, credential, for: context)
            send(.password, issued, to: person.id, at: now, in: &transaction)
        }
        run(transaction) { _ in }
    }

    private func send(
        _ topic: Mail.Topic, _ issued: IssuedCredential, to person: Int?, at now: Timestamp,
        in transaction: inout WriteTransaction
    ) {
        var mail = Mail(topic, to: person, email: person == nil ? issued.credential.email : nil, at: now)
        mail.credential = issued.credential.id
        queue(mail, in: &transaction)
    }

    package func resetPassword(
        _ text: String, to password: String, keepingTokens: Bool, _ problems: FieldProblems = FieldProblems(),
        for context: RequestContext
    ) async throws(ServiceError) -> OpenedSession {
        let clock = expiryClock
        let credential = try link(text, for: .passwordReset, in: context.town, or: problems)
        context.subject?.set(credential)
        guard let id = credential.person, let person = context.town.people[id] else { throw .deadLink }
        let hash = try await hash(password, "new_password", of: person.email, problems, for: context)
        let token = try Token.make(.session)
        let payers = context.payers(for: .person(id), isLogin: true)
        let transaction = Transaction(for: context, by: .person(id), .anyone, payers: payers) { [self] transaction in
            // Setting a password deletes the link, and all others of the person.
            _ = try link(text, for: .passwordReset, in: transaction.town)
            guard let person = transaction.town.people[id] else { throw ServiceError.deadLink }
            transaction.setPassword(hash, of: id, at: clock.now(), revokingTokens: !keepingTokens)
            return transaction.openSession(for: person, token, at: clock.now(), context)
        }
        return try await run(transaction, for: context)
    }

    /// Throws `deadLink` when the link was used, has expired, or its creator no longer has the authority.
    func link(
        _ text: String, for purpose: Credential.Purpose, in town: Town,
        or problems: FieldProblems = FieldProblems()
    ) throws(ServiceError) -> Credential {
        let (dead, now) = (problems.isEmpty ? ServiceError.deadLink : .invalid(problems), expiryClock.now())
        guard let token = Token(text: text.utf8), let credential = town.credentials[digest: token.digest],
            credential.purpose == purpose, credential.expiresAt != nil
        else { throw dead }
        guard isValid(credential, at: now) else {
            endIfExpired(credential, at: now)
            throw dead
        }
        guard town.isAuthorized(credential, at: now) else { throw dead }
        // A link that confirms a business may be that of its owner.
        let creator = purpose == .confirmation ? nil : credential.createdBy
        if let creator, town.people.role(of: creator) != .superAdmin { throw dead }
        return credential
    }
}

extension WriteTransaction {
    mutating func issue(_ token: Token, _ credential: Credential, for context: RequestContext) -> IssuedCredential {
        let stored = put(credential)
        context.subject?.set(stored)
        return IssuedCredential(token: token, credential: stored)
    }
}

extension Patch<Person> {
    fileprivate init(email: String, displayName: String?, role: Person.Role?) {
        self.init()
        (values.email, values.displayName, values.role) = (email, displayName, role ?? .generalUser)
        fields = ["email", "display_name", "role"]
    }
}

extension Town {
    fileprivate func problems(creating account: Patch<Person>) -> FieldProblems {
        var trial = WriteTransaction(self)
        do {
            try trial.create(account)
        } catch {
            if case .invalid(let problems) = error { return problems }
        }
        return FieldProblems()
    }
}

extension WriteTransaction {
    /// It ends the earlier ones of the person. One that is mailed, which anyone may ask for, does not end those that
    /// administrators made.
    fileprivate mutating func passwordReset(
        of person: Person, _ token: Token, at now: Timestamp, isMailed: Bool = false
    ) -> Credential {
        for link in town.credentials.of(person: person.id) where link.purpose == .passwordReset {
            if !isMailed || link.isMailedReset { deleteCredential(link.id) }
        }
        var credential = Credential(.passwordReset, token, at: now, lasting: 24 * 3600)
        (credential.person, credential.email) = (person.id, person.email)
        return credential
    }
}

extension Credential {
    /// Of a link that was mailed on request.
    fileprivate static let mailedReset = "mail"

    fileprivate var isMailedReset: Bool {
        purpose == .passwordReset && name?.hasSameBytes(as: Self.mailedReset) == true
    }
}
