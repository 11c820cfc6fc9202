import Limits
import SookeModel
import Store

/// Why a use case failed. The API translates it into a status, a code and a message in one place.
package enum ServiceError: Error, Sendable {
    // MARK: The caller

    case loginRequired
    /// The token was never issued, or has expired, or was revoked.
    case invalidToken
    /// There is no such account, or the password is wrong.
    case wrongPassword
    case forbidden
    /// The account has the permission, but the scope of the token does not.
    case insufficientScope
    /// The use case needs the caller's account, and the local socket has none.
    case noAccount

    // MARK: The request

    /// There is no such record, or it is not visible to the caller.
    case notFound(Missing)
    /// The record that an earlier request with the same idempotency key changed was deleted.
    case gone
    /// The one-time link was used, has expired or was never issued.
    case deadLink
    case invalid(FieldProblems)
    case slugTaken(Slug)
    case nameTaken(String)
    /// The business has special hours of these dates.
    case datesTaken
    /// The record is used by others and cannot be deleted.
    case inUse(count: Int)
    /// The event has a status that does not allow the change.
    case wrongStatus(Event.Status, allowed: Set<Event.Status>)
    /// The proposal was decided or displaced.
    case alreadyDecided(Proposal.State)
    /// No super admin would be left.
    case lastAdmin
    /// The first account exists already.
    case hasAccount
    /// The record has changed since the client read it.
    case preconditionFailed(current: Joined?)
    /// The record has a version that the client excludes.
    case versionExcluded(current: Joined?)
    /// The client must name the version that it has read.
    case preconditionRequired
    /// The idempotency key was used for a different request.
    case keyReused
    /// The request was repeated, but its result contained a secret, which is not stored.
    case shownOnce
    /// Rows of an import are invalid; the problems are in the form of the importer.
    case importRefused(message: String, problems: [UInt8])

    // MARK: The server

    case limited(Limit, seconds: Int)
    /// Too many requests are in progress.
    case overloaded
    case readOnly(reason: String?)
    case importRunning
    case diskFull
    case noRoomForSnapshot
    case snapshotFailed
    case internalError

    /// The kind of what was not found.
    package enum Missing: Sendable, Equatable {
        case record(RecordKind)
        case menu, menuItem
        case specialHours
        /// An API token, session or link.
        case token
        case ownSession
        /// The address itself.
        case address
    }

    package enum Limit: Sendable, Equatable {
        /// Failed logins.
        case logins
        /// Requests without an account, or to log in.
        case attempts(BucketDecision)
        /// Changes by an account.
        case writes(BucketDecision)
        /// Histories read by an account.
        case histories(perMinute: Int)
        /// Events of an account that wait for a decision.
        case pendingEvents(Int)
        /// Listed events of an account that are not over.
        case futureEvents(Int)
        /// Proposals from a network in a day.
        case dailyProposals(Int)
        /// Proposals of an account that wait for a decision.
        case openProposals(Int)
        /// Proposals of all senders without an account that wait for a decision.
        case waitingProposals(Int)
        /// Bytes in the log in a day.
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
