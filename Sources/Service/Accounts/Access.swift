import Bytes
import SookeModel
import Store

/// The permission that a use case requires.
///
/// It is checked twice: when a request arrives, before its body is read, and once more in the transaction, on the
/// version that is changed. So the loss of a role takes effect with its commit.
package enum Access: Sendable, Hashable, CaseIterable {
    case anyone
    case member
    /// Not an editor, even one who owns it: editors issue no credentials.
    case businessOwner
    case businessEditor
    /// The submitter until the event is public, the owner of its business, and editors.
    case eventEditor
    case eventReviewer
    case editor
    /// Who also has all permissions above.
    case superAdmin
    /// Also with a token for metrics.
    case metricsReader
    /// Over the local socket.
    case folderOwner

    /// - Throws: `loginRequired`, `invalidToken`; `forbidden` and `insufficientScope` for a record that the caller may
    ///   read but not change; `notFound` for one that is not visible to them.
    package func check(_ caller: Caller, slug: Slug?, in town: Town) throws(ServiceError) {
        if self == .anyone { return }
        guard caller.isKnown else { throw .loginRequired }
        if self == .folderOwner {
            guard caller == .owner else { throw .forbidden }
            return
        }
        if caller.isSuperAdmin(in: town) { return }
        guard let person = caller.person(in: town) else { throw .invalidToken }
        if person.role == .editor, includesEditors { return }
        let refusal = person.role == .superAdmin ? ServiceError.insufficientScope : .forbidden
        switch self {
        case .anyone, .member: return
        case .editor, .superAdmin, .folderOwner: throw refusal
        case .metricsReader:
            guard caller.isForMetrics, person.role == .superAdmin else { throw refusal }
        case .businessOwner, .businessEditor:
            guard let business = slug.flatMap({ town.businesses[$0] }) else { throw .notFound(.record(.business)) }
            if person.role == .editor { throw refusal }
            if business.isManaged(by: person) { return }
            throw business.category == nil ? .notFound(.record(.business)) : refusal
        case .eventEditor, .eventReviewer:
            guard let slug, let event = town.event(at: slug)?.value else { throw .notFound(.record(.event)) }
            if event.isManaged(by: person, in: town) { return }
            let isTheirs = event.submittedBy == person.id
            if self == .eventEditor, isTheirs, !event.status.isPublic { return }
            throw isTheirs || event.status.isPublic && event.slug == slug ? refusal : .notFound(.record(.event))
        }
    }

    private var includesEditors: Bool {
        switch self {
        case .anyone, .member, .businessEditor, .eventEditor, .eventReviewer, .editor: true
        case .businessOwner, .superAdmin, .metricsReader, .folderOwner: false
        }
    }
}

extension BusinessRecord {
    /// A listed one to all, another one to its owner and editors.
    package func isVisible(to caller: Caller, in town: Town) -> Bool {
        categoryID != nil || caller.visibleBusinesses(in: town).contains(self)
    }

    func isManaged(by person: Person) -> Bool {
        ownerID == person.id && person.role != .generalUser
    }
}

extension Town {
    /// Also the slug that it had before it was public.
    package func event(at slug: Slug) -> EventRecord? { self.events[slug] ?? self.events[pending: slug] }
}

extension Event {
    func isManaged(by person: Person, in town: Town) -> Bool {
        business.flatMap { town.businesses[$0]?.isManaged(by: person) } ?? false
    }

    /// A public one to all, also one that is withdrawn, another one as `isKnown` says.
    package func isVisible(to caller: Caller, in town: Town) -> Bool {
        status.isPublic || caller.sees(audience, in: town)
    }

    /// Before it is public: its submitter and those who may decide on it.
    package func isKnown(to caller: Caller, in town: Town) -> Bool {
        caller.sees(.only(person: submittedBy, business: business), in: town)
    }
}

/// The sender of a request, as far as the request proves it.
///
/// It holds IDs, not records: permissions are looked up in the version that is read or changed.
package struct Caller: Sendable, Equatable {
    package enum Proof: Sendable, Equatable {
        case none
        /// From the user that runs the server.
        case socket
        case token(credential: Int, person: Int, scope: Credential.Scope)
    }

    package let proof: Proof

    package static let anonymous = Caller(proof: .none)
    package static let owner = Caller(proof: .socket)

    package var isKnown: Bool { proof != .none }

    package var personID: Int? {
        if case .token(_, let person, _) = proof { person } else { nil }
    }

    package var credentialID: Int? {
        if case .token(let credential, _, _) = proof { credential } else { nil }
    }

    /// What is created in a session outlives the session.
    func apiTokenID(in town: Town) -> Int? {
        credentialID.flatMap { town.credentials[$0]?.purpose == .apiToken ? $0 : nil }
    }

    package func visibleBusinesses(in town: Town) -> VisibleBusinesses {
        if isEditor(in: town) { return .all }
        guard let person = person(in: town), person.role != .generalUser else { return .listed }
        return .listedOrOwned(by: person.id)
    }

    /// Nil when it was deleted or the token revoked.
    package func person(in town: Town) -> Person? {
        validPersonID(in: town).flatMap { town.people[$0] }
    }

    private func validPersonID(in town: Town) -> Int? {
        guard case .token(let credential, let person, _) = proof, town.credentials.has(id: credential) else {
            return nil
        }
        return person
    }

    func sees(_ audience: Audience, in town: Town) -> Bool {
        guard case .only(let id, let business) = audience else { return true }
        if isEditor(in: town) { return true }
        guard let person = person(in: town) else { return false }
        return id == person.id || business.flatMap { town.businesses[$0]?.isManaged(by: person) } ?? false
    }

    package func isEditor(in town: Town) -> Bool {
        let role = role(in: town)
        return role == .editor || isSuperAdmin(as: role)
    }

    package func isSuperAdmin(in town: Town) -> Bool { isSuperAdmin(as: role(in: town)) }

    private func role(in town: Town) -> Person.Role? { validPersonID(in: town).flatMap(town.people.role(of:)) }

    package func isSuperAdmin(as role: Person.Role?) -> Bool {
        switch proof {
        case .none: false
        case .socket: true
        case .token(_, _, let scope): scope == .admin && role == .superAdmin
        }
    }

    package var mayWrite: Bool {
        if case .token(_, _, let scope) = proof { scope == .write || scope == .admin } else { true }
    }

    package var isForMetrics: Bool {
        if case .token(_, _, .metrics) = proof { true } else { false }
    }

    var author: Author { personID.map(Author.person) ?? .local }
}

extension TownService {
    /// An invalid token is rejected even where none is needed, so that its client learns about it.
    package func authenticate(
        _ token: Token?, in version: Version
    ) throws(ServiceError) -> (caller: Caller, isSuperAdmin: Bool) {
        let now = expiryClock.now()
        guard let token, let credential = version.town.credentials[digest: token.digest],
            let person = credential.person,
            let role = version.town.people.role(of: person)
        else { throw .invalidToken }
        guard isValid(credential, at: now) else {
            endIfExpired(credential, at: now)
            throw .invalidToken
        }
        let caller: Caller
        switch (token.kind, credential.purpose) {
        case (.session, .session):
            if accounts.use(credential, at: now) { storeUse(of: credential.id, at: now) }
            caller = Caller(proof: .token(credential: credential.id, person: person, scope: .admin))
        case (.api, .apiToken):
            guard version.town.isAuthorized(credential, at: now) else { throw .invalidToken }
            caller = Caller(proof: .token(credential: credential.id, person: person, scope: credential.scope ?? .read))
        default: throw .invalidToken
        }
        return (caller, caller.isSuperAdmin(as: role))
    }

    /// - Throws: what `Access.check` throws; `insufficientScope` when the token's scope does not include the request.
    package func check(
        _ access: Access, for caller: Caller, isSuperAdmin: Bool, slug: @autoclosure () -> Slug?, isSafe: Bool,
        in version: Version
    ) throws(ServiceError) {
        if caller.isForMetrics, access != .metricsReader { throw .insufficientScope }
        if access == .anyone { return }
        // Most callers here have all permissions, and a check copies the town.
        if !isSuperAdmin || access == .folderOwner {
            try access.check(caller, slug: slug(), in: version.town)
        }
        if !isSafe, !caller.mayWrite { throw .insufficientScope }
    }

    /// In microseconds, unless a commit ends it: 0 or less when it was deleted or has expired, nil when it does not
    /// expire. This is not a use of a session.
    package func validity(of caller: Caller, in version: Version) -> Int? {
        guard case .token(let id, _, _) = caller.proof else { return nil }
        let town = version.town
        let now = expiryClock.now()
        guard let credential = town.credentials[id], isValid(credential, at: now) else { return 0 }
        if credential.purpose != .session, !town.isAuthorized(credential, at: now) { return 0 }
        let end = credential.purpose == .session ? accounts.end(of: credential, at: now) : town.end(ofToken: credential)
        return end.map { $0.microseconds - now.microseconds }
    }

    /// So that the session survives a restart. No request waits; while the town is read-only, it is in memory only.
    private func storeUse(of id: Int, at now: Timestamp) {
        if store.readOnly != nil { return }
        let accounts = accounts
        let payer = store.current.town.credentials[id]?.person.map(TownLimits.Payer.logins)
        run(
            .ofServer(payers: payer.map { [$0] } ?? []) { transaction in
                // Of many requests at once, one is enough.
                guard let credential = transaction.town.credentials[id], accounts.isDue(credential, at: now) else {
                    return
                }
                transaction.put(credential.used(at: now))
            }
        ) { _ in }
    }
}

extension Town {
    /// Or the first of those that it was made with; nil for never.
    fileprivate func end(ofToken credential: Credential) -> Timestamp? {
        var (credential, end) = (credential, credential.expiresAt)
        // IDs ascend, so the loop ends for any data.
        while let token = credential.createdByToken, token < credential.id, let parent = self.credentials[token] {
            if let expiry = parent.expiresAt { end = end.map { min($0, expiry) } ?? expiry }
            credential = parent
        }
        return end
    }

    /// A person who made it for others is still a super admin, and the token used to make it is still valid. The end of
    /// a session has no effect on it. Such tokens are deleted in the commit that ends that authority; this check also
    /// covers data that was written otherwise.
    func isAuthorized(_ credential: Credential, at now: Timestamp) -> Bool {
        var credential = credential
        while true {
            if let creator = credential.createdBy, creator != credential.person,
                self.people.role(of: creator) != .superAdmin
            {
                return false
            }
            guard let token = credential.createdByToken else { return true }
            // IDs ascend, so the loop ends for any data.
            guard token < credential.id, let parent = self.credentials[token],
                parent.expiresAt.map({ $0 > now }) ?? true
            else { return false }
            credential = parent
        }
    }
}

extension Town {
    /// - Throws: `notFound`, when the transaction itself has deleted the record.
    func joined<Value: WritableRecord>(_ type: Value.Type, id: Int) throws(ServiceError) -> Joined {
        guard let record = type.stored(id, in: self) else { throw .notFound(.record(Value.kind)) }
        return record.joined(in: self)
    }
}
