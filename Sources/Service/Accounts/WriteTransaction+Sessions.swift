import Bytes
import Platform
import SookeModel
import Store

/// Its token is not shown again.
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
            case .invitation: break
            }
        }
        if revokingTokens { deleteCredentials(madeForOthersBy: person) }
    }
}
