import Bytes
import Credentials
import SookeModel
import Store

extension Town {
    /// Finds the caller of a token, and whether they have all permissions.
    ///
    /// An invalid token is rejected even where none is needed, so that its client learns about it.
    ///
    /// - Parameter token: the token; nil for text that is not a token.
    /// - Throws: `invalidToken`.
    public func authenticate(
        _ token: Token?, in version: Version
    ) throws(ServiceError) -> (caller: Caller, isSuperAdmin: Bool) {
        let now = steadyClock.now()
        guard let token, let credential = version.community.credentials[digest: token.digest.hex],
            let person = credential.person,
            let role = version.community.people.role(of: person), credential.expiresAt.map({ $0 > now }) ?? true
        else { throw .invalidToken }
        let caller: Caller
        switch (token.kind, credential.purpose) {
        case (.session, .session):
            guard let end = accounts.end(of: credential), end > now else { throw .invalidToken }
            if accounts.use(credential, at: now) { storeUse(of: credential.id, at: now) }
            caller = Caller(proof: .token(credential: credential.id, person: person, scope: .admin))
        case (.api, .apiToken):
            guard version.community.isAuthorized(credential, at: now) else { throw .invalidToken }
            caller = Caller(proof: .token(credential: credential.id, person: person, scope: credential.scope ?? .read))
        default: throw .invalidToken
        }
        return (caller, caller.isSuperAdmin(as: role))
    }

    /// Checks the permission of a caller for a route, before the body is read.
    ///
    /// - Parameters:
    ///   - isSuperAdmin: whether the caller has all permissions in the version.
    ///   - isSafe: whether the request only reads.
    /// - Throws: what `Access.check` throws; `insufficientScope` when the scope of the token does not include the
    ///   request.
    public func check(
        _ access: Access, for caller: Caller, isSuperAdmin: Bool, slug: @autoclosure () -> Slug?, isSafe: Bool,
        in version: Version
    ) throws(ServiceError) {
        if caller.isForMetrics, access != .metricsReader { throw .insufficientScope }
        if access == .anyone { return }
        // Most callers here have all permissions, and a check copies the town.
        if !isSuperAdmin || access == .folderOwner {
            try access.check(caller, slug: slug(), in: version.community)
        }
        if !isSafe, !caller.mayWrite { throw .insufficientScope }
    }

    /// Stores the use of a session, so that the session survives a restart. No request waits for that.
    private func storeUse(of id: Int, at now: Timestamp) {
        let accounts = accounts
        run(
            .ofServer { transaction in
                // Of many requests at once, one is enough.
                guard let credential = transaction.community.credentials[id], accounts.isDue(credential, at: now) else {
                    return
                }
                transaction.put(credential.used(at: now))
            }
        ) { _ in }
    }
}

extension Community {
    /// Whether a token or link still has the authority of its creator: a person who made it for others is still a super
    /// admin, and the token used to make it is still valid. The end of a session has no effect on it.
    ///
    /// Such tokens are deleted in the commit that ends that authority; this check also covers data that was written
    /// otherwise.
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
