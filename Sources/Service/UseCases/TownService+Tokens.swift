import Bytes
import SookeModel
import Store

package struct TokenInput: Sendable {
    package var name: String?
    /// Nil for `write`.
    package var scope: String?
    /// Of its account; nil for the caller's.
    package var email: String?
    /// RFC 3339; nil for never.
    package var expiresAt: String?
    package var problems: FieldProblems

    package init(
        name: String?, scope: String?, email: String?, expiresAt: String?, problems: FieldProblems = FieldProblems()
    ) {
        (self.name, self.scope, self.email, self.expiresAt) = (name, scope, email, expiresAt)
        self.problems = problems
    }
}

extension TownService {
    package func tokens(in town: Town) -> [Credential] {
        town.credentials.inOrderOfID.filter { $0.purpose == .apiToken }
    }

    package func issueToken(
        _ input: TokenInput, for context: RequestContext
    ) async throws(ServiceError) -> IssuedCredential {
        let valid = try valid(input, for: context)
        let (token, clock) = (try Token.make(.api), expiryClock)
        return try await run(
            once(for: context, .superAdmin) { transaction in
                guard transaction.town.people.has(id: valid.person) else {
                    throw ServiceError.notFound(.record(.person))
                }
                var credential = Credential(.apiToken, token, at: clock.now(), lasting: nil)
                (credential.person, credential.name, credential.scope) = (valid.person, input.name, valid.scope)
                credential.setCreator(context.caller, in: transaction.town)
                credential.expiresAt = try transaction.town.expiry(valid.expiresAt, of: credential)
                return transaction.issue(token, credential, for: context)
            }, for: context)
    }

    /// An API token, a session or a link.
    package func revokeCredential(_ id: Int, for context: RequestContext) async throws(ServiceError) -> Outcome {
        try await run(
            once(for: context, .superAdmin) { transaction in
                guard let credential = transaction.town.credentials[id] else {
                    throw ServiceError.notFound(.token)
                }
                try context.precondition.require(credential, in: nil)
                context.subject?.set(credential)
                transaction.deleteCredential(id)
                return .deleted
            }, for: context)
    }

    private func valid(
        _ input: TokenInput, for context: RequestContext
    ) throws(ServiceError) -> (person: Int, scope: Credential.Scope, expiresAt: Timestamp?) {
        let people = context.town.people
        var problems = input.problems
        let scope: Credential.Scope? = input.scope.map { Credential.Scope(named: $0) } ?? .write
        problems.require(scope != nil, "scope", "must be read, write, admin or metrics")
        let end = input.expiresAt.map { Timestamp(rfc3339: $0) }
        problems.require(end != .some(nil), "expires_at", "must be \(Timestamp.shape)")
        if case .some(.some(let end)) = end {
            problems.require(end > expiryClock.now(), "expires_at", "is in the past")
        }
        let person = input.email.map { people[email: $0]?.id } ?? context.caller.personID
        problems.require(
            person != nil, "email",
            input.email == nil ? "is required: the account that the token acts for" : "nobody has this address")
        if scope == .metrics, let person {
            problems.require(
                people.role(of: person) == .superAdmin, "scope",
                "metrics is for a token that acts for a super admin")
        }
        problems.require(1...100 ~= (input.name ?? "").count, "name", "must have 1 to 100 characters")
        guard problems.isEmpty, let scope, let person else { throw .invalid(problems) }
        return (person, scope, end ?? nil)
    }
}

extension Town {
    /// The requested time, which may not be later than the end of the token used to make it; else that end.
    fileprivate func expiry(_ asked: Timestamp?, of credential: Credential) throws(ServiceError) -> Timestamp? {
        guard let last = credential.createdByToken.flatMap({ self.credentials[$0] })?.expiresAt else { return asked }
        guard let asked else { return last }
        guard asked <= last else {
            throw .invalid(
                "expires_at", "must not be after \(last.rfc3339), when the token that makes it expires")
        }
        return asked
    }
}

package struct IssuedCredential: Sendable, RepeatableResult {
    package let token: Token
    package let credential: Credential

    var receiptContent: ReceiptContent? {
        ReceiptContent(kind: .credential, id: credential.id, isCreated: true, version: nil)
    }

    static func repeating(
        _ receipt: Receipt, for caller: Caller, in town: Town
    ) throws(ServiceError) -> IssuedCredential {
        throw .shownOnce
    }
}

extension Credential {
    /// Nil seconds for a token that does not expire.
    init(_ purpose: Purpose, _ token: Token, at now: Timestamp, lasting seconds: Int?) {
        self.init()
        (self.purpose, digest, createdAt) = (purpose, token.digest, now)
        expiresAt = seconds.map(now.advanced(bySeconds:))
    }

    /// The credential is deleted together with the creator and with the API token used for it.
    mutating func setCreator(_ caller: Caller, in town: Town) {
        (createdBy, createdByToken) = (caller.personID, caller.apiTokenID(in: town))
    }
}
