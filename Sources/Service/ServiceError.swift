import Limits
import SookeModel
import Store

/// Why a use case failed. The API translates it into a status, a code and a message in one place.
package enum ServiceError: Error, Sendable {
    case loginRequired
    /// Never issued, expired or revoked.
    case invalidToken
    case wrongPassword
    case forbidden
    /// The account has the permission, but the scope of the token does not.
    case insufficientScope
    /// The use case needs the caller's account, and the local socket has none.
    case noAccount

    /// Also when it is not visible to the caller.
    case notFound(Missing)
    /// Of an earlier request with the same idempotency key; its record was deleted.
    case gone
    case deadLink
    case invalid(FieldProblems)
    /// To what editors have blocked.
    case blockedLink(String)
    case slugTaken(Slug)
    case nameTaken(String)
    case datesTaken
    case inUse(count: Int)
    case wrongStatus(Event.Status, allowed: Set<Event.Status>)
    case alreadyDecided(Proposal.State)
    case lastAdmin
    case hasAccount
    case preconditionFailed(current: Joined?)
    /// The record has a version that the client excludes.
    case versionExcluded(current: Joined?)
    case preconditionRequired
    case keyReused
    /// The request was repeated, but its result had a secret, which is not stored.
    case shownOnce
    /// The problems are in the form of the importer.
    case importRefused(message: String, problems: [UInt8])

    case limited(Limit, seconds: Int)
    case overloaded
    case readOnly(reason: String?)
    case importRunning
    case diskFull
    case noRoomForSnapshot
    case snapshotFailed
    case internalError

    package enum Missing: Sendable, Equatable {
        case record(RecordKind)
        case menu, menuItem
        case specialHours
        /// An API token, a session or a link.
        case token
        case reference
        case ownSession
        /// In the history, which does not have it any longer.
        case change
        case address
    }

    package enum Limit: Sendable, Equatable {
        case logins
        /// Requests without an account, or to log in.
        case attempts(BucketDecision)
        case writes(BucketDecision)
        case histories(perMinute: Int)
        case pendingEvents(Int)
        /// Of an account, listed and not over.
        case futureEvents(Int)
        /// Of a network or a site that wait for a decision.
        case networkProposals(Int)
        /// Of an account that wait for a decision.
        case openProposals(Int)
        /// Of all senders without an account.
        case waitingProposals(Int)
        case logBytes(Int)
    }
}

extension ServiceError {
    static func invalid(_ field: String, _ message: String) -> ServiceError {
        var problems = FieldProblems()
        problems.add(field, message)
        return .invalid(problems)
    }
}
