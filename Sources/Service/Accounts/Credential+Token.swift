import Bytes
import Credentials
import SookeModel
import Store

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
