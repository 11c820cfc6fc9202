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
extension WriteTransaction {
    /// Opens a session. The network of the request is known as one of the person's from then on. Beyond the limit of an
    /// account the oldest sessions end.
    mutating func openSession(
        for person: Person, _ token: Token, at now: Timestamp, _ context: RequestContext, staysSignedIn: Bool = false,
        limits: AccountLimits = .standard
    ) -> OpenedSession {
        for credential in community.credentials.expired(at: now) { deleteCredential(credential.id) }
        let open = community.credentials.of(person: person.id).filter { $0.purpose == .session }
        for session in open.prefix(max(0, open.count + 1 - limits.sessions)) { deleteCredential(session.id) }
        let seconds = staysSignedIn ? Accounts.signedInSeconds : Accounts.sessionSeconds
        var credential = Credential(.session, token, at: now, lasting: seconds)
        (credential.person, credential.staysSignedIn) = (person.id, staysSignedIn)
        put(credential)
        storeNetwork(of: context, for: person.id)
        return OpenedSession(token: token, expiresAt: credential.expiresAt, person: person)
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
        _ hash: PasswordHash, of person: Int, at now: Timestamp, revokingTokens: Bool,
        keepingCredential kept: Int? = nil
    ) {
        var record = PasswordRecord(of: person, hash: hash.stored, setAt: now)
        if !revokingTokens, let old = community.passwords[person] {
            (record.networkKey, record.networks) = (old.networkKey, old.networks)
        }
        put(record)
        for credential in community.credentials.of(person: person) where credential.id != kept {
            switch credential.purpose {
            case .session, .passwordReset: deleteCredential(credential.id)
            case .apiToken: if revokingTokens { deleteCredential(credential.id) }
            case .invitation: break
            }
        }
        if revokingTokens { deleteCredentials(madeForOthersBy: person) }
    }
}
