import Bytes
import Credentials
import SookeModel
import Store

extension Credential {
    /// What is stored of a new token: its digest, and when it expires.
    ///
    /// - Parameter seconds: how long the token is valid; nil is for good.
    init(_ purpose: Purpose, _ token: Token, at now: Timestamp, lasting seconds: Int?) {
        self.init()
        (self.purpose, digest, createdAt) = (purpose, token.digest.hex, now)
        expiresAt = seconds.map(now.advanced(bySeconds:))
    }

    /// Sets the creator and the API token with which it is made: it ends with them.
    mutating func setCreator(_ caller: Caller, in community: Community) {
        (createdBy, createdByToken) = (caller.personID, caller.apiTokenID(in: community))
    }
}
