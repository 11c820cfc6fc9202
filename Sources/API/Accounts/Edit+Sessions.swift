import Bytes
import Credentials
import HTTP
import JSON
import SookeModel
import Store

/// Sessions and passwords in a transaction.
extension Edit {
    /// Opens a session, and answers with its token: the only time that it is shown. The network of the request is known
    /// as one of the person's from then on. Beyond the limit of an account the oldest sessions end.
    mutating func openSession(
        for person: Person, _ token: Token, _ call: Call, staysSignedIn: Bool = false,
        limits: AccountLimits = .standard
    ) -> Response {
        let now = call.steadyNow
        for grant in community.grants.expired(at: now) { deleteGrant(grant.id) }
        let open = community.grants.of(person: person.id).filter { $0.purpose == .session }
        for session in open.prefix(max(0, open.count + 1 - limits.sessions)) { deleteGrant(session.id) }
        let seconds = staysSignedIn ? Accounts.signedInSeconds : Accounts.sessionSeconds
        var grant = Grant(.session, token, at: now, lasting: seconds)
        (grant.person, grant.staysSignedIn) = (person.id, staysSignedIn)
        put(grant)
        remember(call, as: person.id)
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("token", token.reveal())
        writer.member("expires_at", grant.expiresAt?.rfc3339)
        writer.key("user")
        person.show(to: &writer)
        writer.endObject()
        return .plainJSON(writer.bytes, status: .created)
    }

    /// Stores with the password of a person that they have logged in from the network of a request.
    mutating func remember(_ call: Call, as person: Int) {
        guard !call.request.isLocal, let password = community.passwords[person] else { return }
        let network = ClientNetwork(call.request.peer)
        // Most logins come from where the last one came from, and change nothing.
        put(password.remembering(network))
    }

    /// Sets a password, and ends all sessions and resets that came before it.
    ///
    /// - Parameter revokingTokens: whether trust in what came before has ended: the API tokens end, too, that speak for
    ///   the person or that they made for others, and the networks are forgotten from which they have logged in.
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
