import Bytes
import Credentials
import SookeModel
import Store

/// The fields of a new API token.
package struct TokenInput: Sendable {
    /// Its name, for people.
    package var name: String?
    /// The name of its scope; nil for `write`.
    package var scope: String?
    /// The address of its account; nil for the caller's.
    package var email: String?
    /// When the token expires, in RFC 3339; nil for never.
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
    /// The API tokens, without their secrets.
    package func tokens(in town: Town) -> [Credential] {
        town.credentials.inOrderOfID.filter { $0.purpose == .apiToken }
    }

    /// Issues an API token for the given account, or else for the caller's.
    ///
    /// - Throws: `invalid`.
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

    /// Revokes an API token, a session or a link.
    ///
    /// - Throws: `notFound`.
    package func revokeCredential(_ id: Int, for context: RequestContext) async throws(ServiceError) -> Outcome {
        try await run(
            once(for: context, .superAdmin) { transaction in
                guard let credential = transaction.town.credentials[id] else {
                    throw ServiceError.notFound(.token)
                }
                try context.precondition.require(credential.digest, nil)
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
    /// The time when a new token expires: the requested time, or when the token used to make it expires.
    ///
    /// - Throws: `invalid` when the requested time is later than that.
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

/// A token or a one-time link that was just issued. Its secret is not shown again.
package struct IssuedCredential: Sendable, RepeatableResult {
    package let token: Token
    /// The stored form.
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
    /// The stored form of a new token: its digest and when it expires.
    ///
    /// - Parameter seconds: its lifetime; nil for a token that does not expire.
    init(_ purpose: Purpose, _ token: Token, at now: Timestamp, lasting seconds: Int?) {
        self.init()
        (self.purpose, digest, createdAt) = (purpose, token.digest.hex, now)
        expiresAt = seconds.map(now.advanced(bySeconds:))
    }

    /// Sets the creator, and the API token used for it: the credential is deleted together with either.
    mutating func setCreator(_ caller: Caller, in town: Town) {
        (createdBy, createdByToken) = (caller.personID, caller.apiTokenID(in: town))
    }
}
