import Bytes
import Credentials
import SookeModel
import Store

extension Grant {
    /// What is kept of a new token: its digest, and until when it is good.
    ///
    /// - Parameter seconds: how long that is; nil is for good.
    init(_ purpose: Purpose, _ token: Token, at now: Timestamp, lasting seconds: Int?) {
        self.init()
        (self.purpose, digest, createdAt) = (purpose, token.digest.hex, now)
        expiresAt = seconds.map(now.advanced(bySeconds:))
    }

    /// Stores who made it, and with which API token: it ends with them.
    mutating func setCreator(_ caller: Caller, in community: Community) {
        (createdBy, createdByToken) = (caller.personID, caller.apiTokenID(in: community))
    }
}
