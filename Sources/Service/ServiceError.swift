import Credentials
import SookeModel
import Store

/// Why a use case is refused. One place in the API turns it into a status, a code and a message.
public enum ServiceError: Error, Sendable {
    // MARK: Who asks

    /// The use case needs an account.
    case loginRequired
    /// The token was never issued, or has expired, or was revoked.
    case invalidToken
    /// There is no such account, or its password is another one.
    case wrongPassword
    /// The caller has no permission.
    case forbidden
    /// The account has the permission, the token has not.
    case insufficientScope
    /// The use case is about the caller's account, and the local socket has none.
    case noAccount

    // MARK: What is asked for

    /// There is no such thing, or none that the caller may know of.
    case notFound(Missing)
    /// The record that an earlier request with the same idempotency key changed does not exist any more.
    case gone
    /// The one-time link was used, has expired or was never issued.
    case deadLink
    /// Some fields are invalid.
    case invalid(FieldProblems)
    /// Another record has the slug.
    case slugTaken(Slug)
    /// Another record has the name.
    case nameTaken(String)
    /// The record is used by others and cannot be deleted.
    case inUse(count: Int)
    /// The event has a status from which it cannot get the other one.
    case wrongStatus(Event.Status, allowed: Set<Event.Status>)
    /// Nobody would be left to administer the town.
    case lastAdmin
    /// The record has changed since the client read it.
    case preconditionFailed(current: JoinedRecord?)
    /// The record has a version that the client excludes.
    case versionExcluded(current: JoinedRecord?)
    /// The client must name the version that it has read.
    case preconditionRequired
    /// The idempotency key was used for another request.
    case keyReused
    /// The request was done before, and its result held a secret, which is not stored.
    case shownOnce
    /// Rows of an import are invalid; the report is in the form of the importer.
    case importRefused(report: [UInt8])

    // MARK: What the server can do

    /// The caller has reached a limit.
    case limited(Limit, seconds: Int)
    /// Too much is under way.
    case overloaded
    /// Another import is running.
    case importRunning
    /// There is no room for the change on the disk.
    case diskFull
    /// There is no room for a snapshot on the disk.
    case noRoomForSnapshot
    /// A snapshot could not be written.
    case snapshotFailed
    /// The server itself is at fault.
    case internalError

    /// What was not found.
    public enum Missing: Sendable, Equatable {
        /// A record of a kind.
        case record(RecordKind)
        /// A menu, or an item on a menu.
        case menu, menuItem
        /// An API token, session or link.
        case token
        /// A session of the caller.
        case ownSession
        /// Nothing that has a name.
        case address
    }

    /// A limit that was reached.
    public enum Limit: Sendable, Equatable {
        /// Failed logins.
        case logins
        /// Requests without an account, or to log in.
        case attempts(RateLimitDecision)
        /// Changes by an account.
        case writes(RateLimitDecision)
        /// Histories that an account reads.
        case histories(perMinute: Int)
        /// Events of an account that wait for a decision.
        case pendingEvents(Int)
    }
}

extension ServiceError {
    /// One field is invalid.
    static func invalid(_ field: String, _ message: String) -> ServiceError {
        var problems = FieldProblems()
        problems.add(field, message)
        return .invalid(problems)
    }
}
