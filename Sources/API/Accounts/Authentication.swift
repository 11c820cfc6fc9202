import Bytes
import Credentials
import HTTP
import SookeModel
import Store

extension Call {
    /// Whether a request shows nothing that says who asks.
    static func isAnonymous(_ request: Request) -> Bool {
        !request.isLocal && request.headers.first("authorization") == nil
    }

    /// Finds out who asks, and whether they may do everything.
    ///
    /// Whoever comes over the socket in the data folder is its owner. Others show a token (RFC 6750, section 2.1); one
    /// that is no good is refused even where none is needed, so that its holder hears of it.
    ///
    /// - Throws: 401 `invalid_token`.
    static func authenticate(
        _ request: Request, _ version: Version, _ town: Town
    ) throws(HTTPError) -> (caller: Caller, isSuperAdmin: Bool) {
        if request.isLocal { return (.owner, true) }
        guard let field = request.headers.first("authorization") else { return (.anonymous, false) }
        let scheme: StaticString = "bearer "
        let now = town.steadyClock.now()
        guard field.startsIgnoringCase(with: scheme),
            let token = Token(text: field.dropFirst(scheme.utf8CodeUnitCount)),
            let grant = version.community.grants[digest: token.digest.hex], let person = grant.person,
            let role = version.community.people.role(of: person), grant.expiresAt.map({ $0 > now }) ?? true
        else { throw .invalidToken }
        let caller: Caller
        switch (token.kind, grant.purpose) {
        case (.session, .session):
            guard let end = town.accounts.end(of: grant), end > now else { throw .invalidToken }
            if town.accounts.use(grant, at: now) { noteUse(of: grant.id, at: now, town) }
            caller = Caller(proof: .token(grant: grant.id, person: person, scope: .admin))
        case (.api, .apiToken):
            guard version.community.isAuthorized(grant, at: now) else { throw .invalidToken }
            caller = Caller(proof: .token(grant: grant.id, person: person, scope: grant.scope ?? .read))
        default: throw .invalidToken
        }
        return (caller, caller.isSuperAdmin(as: role))
    }

    /// Writes down that a session is used, so that a restart does not end it. Nobody waits for that.
    private static func noteUse(of id: Int, at now: Timestamp, _ town: Town) {
        Task {
            try? await town.store.write(
                .ofServer { edit in
                    // Of many requests at once, one is enough.
                    guard let grant = edit.community.grants[id], town.accounts.isDue(grant, at: now) else { return }
                    edit.put(grant.used(at: now))
                })
        }
    }
}

extension Community {
    /// Whether a token or link may still act by the authority of who made it: somebody who made it for others is still
    /// a super admin, and the token with which it was made is still valid. The end of a session ends nothing.
    ///
    /// Such tokens are deleted in the commit that ends that authority; this also holds where a file says otherwise.
    func isAuthorized(_ grant: Grant, at now: Timestamp) -> Bool {
        var grant = grant
        while true {
            if let creator = grant.createdBy, creator != grant.person, self.people.role(of: creator) != .superAdmin {
                return false
            }
            guard let token = grant.createdByToken else { return true }
            // IDs grow, so this comes to an end whatever a file says.
            guard token < grant.id, let parent = self.grants[token], parent.expiresAt.map({ $0 > now }) ?? true
            else { return false }
            grant = parent
        }
    }
}

extension ArraySlice<UInt8> {
    /// Whether the bytes begin with a literal in lower case, whatever case they have.
    fileprivate func startsIgnoringCase(with literal: StaticString) -> Bool {
        literal.withUTF8Buffer { letters in
            count >= letters.count
                && letters.indices.allSatisfy { ASCII.lowercased(self[startIndex + $0]) == letters[$0] }
        }
    }
}
