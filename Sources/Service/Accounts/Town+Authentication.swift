import Bytes
import Credentials
import SookeModel
import Store

extension Town {
    /// Finds the caller who shows a token, and whether they may do everything.
    ///
    /// A token that is not valid is refused even where none is needed, so that its holder learns of it.
    ///
    /// - Parameter token: the token; nil for text that is none.
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

    /// Checks the permission of a caller to use a route, before its body is read.
    ///
    /// - Parameters:
    ///   - isSuperAdmin: whether the caller may do everything in the version.
    ///   - isSafe: whether the request only reads.
    /// - Throws: what `Access.check` throws; `insufficientScope` when the token is not meant for the request.
    public func check(
        _ access: Access, for caller: Caller, isSuperAdmin: Bool, slug: @autoclosure () -> Slug?, isSafe: Bool,
        in version: Version
    ) throws(ServiceError) {
        if caller.isForMetrics, access != .metricsReader { throw .insufficientScope }
        if access == .anyone { return }
        // Most callers here may do everything, and a check copies the town.
        if !isSuperAdmin || access == .folderOwner {
            try access.check(caller, slug: slug(), in: version.community)
        }
        if !isSafe, !caller.mayWrite { throw .insufficientScope }
    }

    /// Stores that a session is used, so that a restart does not end it. Nobody waits for that.
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
    /// Whether a token or link may still act by the authority of its creator: a person who made it for others is still
    /// a super admin, and the token with which it was made is still valid. The end of a session ends nothing.
    ///
    /// Such tokens are deleted in the commit that ends that authority; this also holds where a file says otherwise.
    func isAuthorized(_ credential: Credential, at now: Timestamp) -> Bool {
        var credential = credential
        while true {
            if let creator = credential.createdBy, creator != credential.person,
                self.people.role(of: creator) != .superAdmin
            {
                return false
            }
            guard let token = credential.createdByToken else { return true }
            // IDs grow, so this comes to an end whatever a file says.
            guard token < credential.id, let parent = self.credentials[token],
                parent.expiresAt.map({ $0 > now }) ?? true
            else { return false }
            credential = parent
        }
    }
}
