import Bytes
import Credentials
import Platform
import SookeModel
import Store

/// A session that was just opened: the only time that its token is shown.
public struct OpenedSession: Sendable {
    /// The token of the session.
    public let token: Token
    /// When the session expires.
    public let expiresAt: Timestamp?
    /// Whose session it is.
    public let person: Person
}

/// Sessions and passwords in a transaction.
extension Edit {
    /// Opens a session. The network of the request is known as one of the person's from then on. Beyond the limit of an
    /// account the oldest sessions end.
    mutating func openSession(
        for person: Person, _ token: Token, at now: Timestamp, _ context: RequestContext, staysSignedIn: Bool = false,
        limits: AccountLimits = .standard
    ) -> OpenedSession {
        for grant in community.grants.expired(at: now) { deleteGrant(grant.id) }
        let open = community.grants.of(person: person.id).filter { $0.purpose == .session }
        for session in open.prefix(max(0, open.count + 1 - limits.sessions)) { deleteGrant(session.id) }
        let seconds = staysSignedIn ? Accounts.signedInSeconds : Accounts.sessionSeconds
        var grant = Grant(.session, token, at: now, lasting: seconds)
        (grant.person, grant.staysSignedIn) = (person.id, staysSignedIn)
        put(grant)
        storeNetwork(of: context, for: person.id)
        return OpenedSession(token: token, expiresAt: grant.expiresAt, person: person)
    }

    /// Stores with the password of a person that they have logged in from the network of a request.
    mutating func storeNetwork(of context: RequestContext, for person: Int) {
        guard let network = context.remoteNetwork, let password = community.passwords[person] else { return }
        // Most logins come from the network of the last one, and change nothing.
        put(password.remembering(network))
    }

    /// Sets a password, and ends all sessions and resets that came before it.
    ///
    /// - Parameter revokingTokens: whether trust in what came before has ended: the API tokens that speak for the
    ///   person or that they made for others end too, and the networks from which they have logged in are forgotten.
    mutating func setPassword(
        _ hash: PasswordHash, of person: Int, at now: Timestamp, revokingTokens: Bool, keepingGrant kept: Int? = nil
    ) {
        var record = PasswordRecord(of: person, hash: hash.stored, setAt: now)
        if !revokingTokens, let old = community.passwords[person] {
            (record.networkKey, record.networks) = (old.networkKey, old.networks)
        }
        put(record)
        for grant in community.grants.of(person: person) where grant.id != kept {
            switch grant.purpose {
            case .session, .passwordReset: deleteGrant(grant.id)
            case .apiToken: if revokingTokens { deleteGrant(grant.id) }
            case .invitation: break
            }
        }
        if revokingTokens { deleteGrants(madeForOthersBy: person) }
    }
}
