import HTTP
import Limits
import Service
import SookeModel
import Store

/// Translates errors of use cases: the only place that assigns them a status, a code and a message.
extension HTTPError {
    package init(_ error: any Error) {
        switch error {
        case let error as HTTPError: self = error
        case let error as ServiceError: self.init(error)
        default: self.init(ServiceError(error))
        }
    }

    package init(_ error: ServiceError) {
        switch error {
        case .loginRequired: self = .unauthorized
        case .invalidToken: self = .invalidToken
        case .wrongPassword: self = .wrongPassword
        case .forbidden: self = .forbidden
        case .insufficientScope: self = .insufficientScope
        case .noAccount: self = .noAccount
        case .notFound(let missing): self = .notFound(missing.message)
        case .gone: self = .gone
        case .deadLink: self = .deadLink
        case .preconditionFailed: self = .preconditionFailed
        case .versionExcluded: self = .versionExcluded
        case .preconditionRequired: self = .preconditionRequired
        case .keyReused: self = .keyReused
        case .invalid(let problems): self.init(problems)
        case .importRefused(let message, let problems):
            self.init(.unprocessableContent, code: "invalid_import", message: message)
            detail = (name: "problems", json: problems)
        case .slugTaken, .nameTaken, .datesTaken, .inUse, .wrongStatus, .alreadyDecided, .lastAdmin, .hasAccount,
            .shownOnce:
            self.init(conflict: error)
        case .limited(let limit, let seconds): self.init(limit, seconds: seconds)
        case .overloaded: self = .overloaded
        case .readOnly(let reason): self = .readOnly(reason)
        case .importRunning: self = .importRunning
        case .diskFull: self = .diskFull
        case .noRoomForSnapshot: self = .noRoomForSnapshot
        case .snapshotFailed: self = .snapshotFailed
        case .internalError: self = .internalError
        }
    }

    package init(_ problems: FieldProblems) {
        let whole = problems.all.filter(\.field.isEmpty).map(\.message)
        self.init(
            .unprocessableContent, code: "invalid_input",
            message: whole.first.map { "the body \($0)" } ?? "some fields are invalid",
            fields: problems.all.filter { !$0.field.isEmpty }.map { ($0.field, $0.message) })
    }

    private init(conflict error: ServiceError) {
        let (code, message): (String, String)
        var fields: [(name: String, message: String)] = []
        switch error {
        case .slugTaken(let slug):
            (code, message) = (
                "slug_taken", "the slug \"\(slug.text.excerpt())\" is taken; leave it out to get another"
            )
            fields = [("slug", "is taken")]
        case .nameTaken(let name):
            (code, message) = ("name_taken", "the name \"\(name.excerpt())\" is taken")
            fields = [("name", "is taken")]
        case .datesTaken:
            (code, message) = (
                "dates_taken", "there are special hours of these dates; remove them first, or change the whole list"
            )
        case .inUse(let count):
            (code, message) = ("in_use", "it is used by \(count) \(count == 1 ? "record" : "records")")
        case .wrongStatus(let status, let allowed):
            (code, message) = (
                "wrong_status",
                "this is possible only for an event in "
                    + allowed.map(\.rawValue).sorted().joined(separator: " or ") + "; this one is \(status.rawValue)"
            )
        case .hasAccount:
            (code, message) = ("has_account", "there is an account already; it can add others")
        case .alreadyDecided(let state):
            (code, message) = ("already_decided", "the proposal is \(state.rawValue) already")
        case .lastAdmin:
            (code, message) = ("last_admin", "the town needs a super admin; promote another first")
        default:
            (code, message) = (
                "shown_once",
                "this was done before with the same Idempotency-Key, and its response is not stored; use a new key"
            )
        }
        self.init(.conflict, code: code, message: message, fields: fields)
    }

    /// 429 with `Retry-After`, and with `RateLimit` and `RateLimit-Policy` if the limit is a rate.
    private init(_ limit: ServiceError.Limit, seconds: Int) {
        var headers: ResponseHeaders = ["Retry-After": "\(seconds)"]
        let (code, message): (String, String)
        switch limit {
        case .logins: (code, message) = ("too_many_logins", "too many wrong logins; wait \(seconds) s")
        case .attempts(let decision):
            (code, message) = ("too_many_attempts", "too many attempts; wait \(seconds) s")
            headers.add(decision)
        case .writes(let decision):
            (code, message) = ("too_many_writes", "too many changes; wait \(seconds) s")
            headers.add(decision)
        case .histories(let perMinute):
            (code, message) = (
                "too_many_histories",
                "an account may ask for one history at a time, and for \(perMinute) a minute; wait \(seconds) s"
            )
        case .pendingEvents(let limit):
            (code, message) = (
                "too_many_pending", "\(limit) of your events wait for a decision; wait for one, or withdraw one"
            )
        case .futureEvents(let limit):
            (code, message) = (
                "too_many_events",
                "\(limit) events of this account are still to come; wait until one is over, or delete or cancel one"
            )
        case .dailyProposals(let limit):
            (code, message) = (
                "too_many_proposals",
                "\(limit) proposals have come from this network within a day, which is the most; wait \(seconds) s"
            )
        case .openProposals(let limit):
            (code, message) = (
                "too_many_proposals", "\(limit) of your proposals wait for a decision; wait for one"
            )
        case .waitingProposals(let limit):
            (code, message) = (
                "too_many_proposals",
                "\(limit) proposals of visitors wait for a decision, as many as may; try again later"
            )
        case .logBytes(let bytes):
            (code, message) = (
                "too_many_bytes",
                "changes have added \(bytes >> 20) MiB to the history within a day, which is the most; wait "
                    + "\(seconds) s"
            )
        }
        self.init(.tooManyRequests, code: code, message: message, headers: headers)
    }
}

extension ServiceError.Missing {
    /// The message of a 404.
    fileprivate var message: String {
        switch self {
        case .record(let kind): "there is no such \(kind.label)"
        case .menu: "there is no such menu"
        case .menuItem: "there is no such item on the menu"
        case .specialHours: "there are no special hours of these dates"
        case .token: "there is no such token"
        case .ownSession: "there is no such session of yours"
        case .address: "there is nothing at this address"
        }
    }
}

extension HTTPError {
    /// 401 `unauthorized`: the route needs a login (RFC 9110, section 11.6.1).
    private static let unauthorized = HTTPError(
        .unauthorized, code: "unauthorized", message: "log in, or send a token: Authorization: Bearer …",
        headers: ["WWW-Authenticate": "Bearer realm=\"sooke\""])

    /// 401 `invalid_token` (RFC 6750, section 3.1): the token was never issued, or was used, revoked or has expired.
    private static let invalidToken = HTTPError(
        .unauthorized, code: "invalid_token", message: "the token is not valid or has expired; log in again",
        headers: ["WWW-Authenticate": "Bearer realm=\"sooke\", error=\"invalid_token\""])

    private static let wrongPassword = HTTPError(
        .unauthorized, code: "wrong_password", message: "there is no account with this e-mail address and password",
        headers: ["WWW-Authenticate": "Bearer realm=\"sooke\""])

    private static let forbidden = HTTPError(
        .forbidden, code: "forbidden", message: "you do not have permission to do this")

    /// 403 `insufficient_scope` (RFC 6750, section 3.1): the scope of the API token does not include the request.
    private static let insufficientScope = HTTPError(
        .forbidden, code: "insufficient_scope", message: "the scope of this token does not include the request",
        headers: ["WWW-Authenticate": "Bearer realm=\"sooke\", error=\"insufficient_scope\""])

    /// 403 `no_account`: the caller is the owner of the folder, who has no account.
    private static let noAccount = HTTPError(
        .forbidden, code: "no_account", message: "the socket of the data folder has no account of its own")

    private static let gone = HTTPError(
        .gone, code: "gone", message: "this was done before with the same Idempotency-Key, and its record was deleted")

    /// 410 `dead_link`: the link was used, has expired or was never issued.
    private static let deadLink = HTTPError(
        .gone, code: "dead_link", message: "this link was used already or is too old; ask for a new one")

    private static let versionExcluded = HTTPError(
        .preconditionFailed, code: "precondition_failed",
        message: "the record has a version that If-None-Match excludes")

    /// 412 `precondition_failed`: `If-Match` does not list the current version.
    static let preconditionFailed = HTTPError(
        .preconditionFailed, code: "precondition_failed",
        message: "it has been changed since you read it; read it again")

    /// 428 `precondition_required` (RFC 6585, section 3).
    private static let preconditionRequired = HTTPError(
        .preconditionRequired, code: "precondition_required",
        message: "give the version that you have read: its ETag as If-Match, or the part before the dot as version")

    private static let keyReused = HTTPError(
        .unprocessableContent, code: "key_reused",
        message: "this Idempotency-Key was used for a different request; use a new one")

    private static func readOnly(_ reason: String?) -> HTTPError {
        HTTPError(
            .serviceUnavailable, code: readOnlyCode,
            message:
                "the town is read-only at the moment\(reason.map { " (\($0))" } ?? ""); nothing was changed, try again "
                + "later",
            headers: ["Retry-After": "30"])
    }

    /// The code of the response to a change while the town is read-only.
    package static let readOnlyCode = "read_only"

    private static let importRunning = HTTPError(
        .serviceUnavailable, code: "import_running",
        message: "another import is running, or its file is being sent; try again when it has ended",
        headers: ["Retry-After": "10"])

    private static let diskFull = HTTPError(
        .insufficientStorage, code: "disk_full", message: "the server's disk is full, try again later",
        headers: ["Retry-After": "5"])

    private static let noRoomForSnapshot = HTTPError(
        .insufficientStorage, code: "disk_full",
        message: "the server's disk is full, the snapshot could not be written; the log continues",
        headers: ["Retry-After": "60"])

    private static let snapshotFailed = HTTPError(
        .serviceUnavailable, code: "snapshot_failed",
        message: "the snapshot could not be written; the log continues",
        headers: ["Retry-After": "60"])
}

extension ResponseHeaders {
    mutating func add(_ decision: BucketDecision) {
        add("RateLimit", bytes: decision.rateLimit)
        add("RateLimit-Policy", decision.policy)
    }
}
