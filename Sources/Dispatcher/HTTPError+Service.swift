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

    package static func translating<Value>(_ part: () throws -> Value) throws(HTTPError) -> Value {
        do { return try part() } catch { throw HTTPError(error) }
    }

    package init(_ error: ServiceError) {
        switch error {
        case .loginRequired, .invalidToken, .wrongPassword, .forbidden, .insufficientScope, .noAccount:
            self.init(ofCaller: error)
        case .slugTaken, .nameTaken, .datesTaken, .inUse, .wrongStatus, .alreadyDecided, .lastAdmin, .hasAccount,
            .keyReused, .shownOnce:
            self.init(conflict: error)
        case .limited(let limit, let seconds): self.init(limit, seconds: seconds)
        case .overloaded, .readOnly, .importRunning, .diskFull, .noRoomForSnapshot, .snapshotFailed, .internalError:
            self.init(ofServer: error)
        case .notFound(.reference):
            self.init(.notFound, code: Self.deadReferenceCode, message: ServiceError.Missing.reference.message)
        case .notFound(let missing): self = .notFound(missing.message)
        case .gone:
            self.init(
                .gone, code: "gone",
                message: "this was done before with the same Idempotency-Key, and its record was deleted")
        case .deadLink:
            self.init(
                .gone, code: "dead_link", message: "this link was used already or is too old; ask for a new one")
        case .preconditionFailed: self = .preconditionFailed
        case .versionExcluded:
            self.init(
                .preconditionFailed, code: "precondition_failed",
                message: "the record has a version that If-None-Match excludes")
        case .preconditionRequired:
            self.init(
                .preconditionRequired, code: "precondition_required",
                message:
                    "give the version that you have read: its ETag as If-Match, or the part before the dot as version")
        case .invalid(let problems): self.init(problems)
        case .blockedLink(let link):
            self.init(
                .unprocessableContent, code: "blocked_link",
                message: "we do not accept links to \(link); take it out, and send it again")
        case .importRefused(let message, let problems):
            self.init(.unprocessableContent, code: "invalid_import", message: message)
            detail = (name: "problems", json: problems)
        }
    }

    /// 412 `precondition_failed`: `If-Match` does not list the current version.
    static let preconditionFailed = HTTPError(
        .preconditionFailed, code: "precondition_failed",
        message: "it has been changed since you read it; read it again")

    package static let deadReferenceCode = "dead_reference"

    /// The response to a change while the town is read-only.
    package static let readOnlyCode = "read_only"

    package init(_ problems: FieldProblems) {
        let whole = problems.all.filter(\.field.isEmpty).map(\.message)
        self.init(
            .unprocessableContent, code: "invalid_input",
            message: whole.first.map { "the body \($0)" } ?? "some fields are invalid",
            fields: problems.all.filter { !$0.field.isEmpty }.map { ($0.field, $0.message) })
    }

    /// With the challenges of RFC 9110, section 11.6.1, and RFC 6750, section 3.1.
    private init(ofCaller error: ServiceError) {
        let (status, code, message): (Status, String, String)
        var challenge: String? = "Bearer realm=\"sooke\""
        switch error {
        case .loginRequired:
            (status, code) = (.unauthorized, "unauthorized")
            message = "log in, or send a token: Authorization: Bearer …"
        case .invalidToken:
            (status, code) = (.unauthorized, "invalid_token")
            message = "the token is not valid or has expired; log in again"
            challenge?.append(", error=\"invalid_token\"")
        case .wrongPassword:
            (status, code) = (.unauthorized, "wrong_password")
            message = "there is no account with this e-mail address and password"
        case .insufficientScope:
            (status, code) = (.forbidden, "insufficient_scope")
            message = "the scope of this token does not include the request"
            challenge?.append(", error=\"insufficient_scope\"")
        case .noAccount:
            (status, code, challenge) = (.forbidden, "no_account", nil)
            message = "the socket of the data folder has no account of its own"
        default:
            (status, code, challenge) = (.forbidden, "forbidden", nil)
            message = "you do not have permission to do this"
        }
        self.init(status, code: code, message: message, headers: challenge.map { ["WWW-Authenticate": $0] } ?? [:])
    }

    private init(conflict error: ServiceError) {
        let (code, message): (String, String)
        var (status, field) = (Status.conflict, nil as String?)
        switch error {
        case .slugTaken(let slug):
            (code, field) = ("slug_taken", "slug")
            message = "the slug \"\(slug.text.excerpt())\" is taken; leave it out to get another"
        case .nameTaken(let name):
            (code, field) = ("name_taken", "name")
            message = "the name \"\(name.excerpt())\" is taken"
        case .datesTaken:
            code = "dates_taken"
            message = "there are special hours of these dates; remove them first, or change the whole list"
        case .inUse(let count):
            (code, message) = ("in_use", "it is used by \(count) \(count == 1 ? "record" : "records")")
        case .wrongStatus(let status, let allowed):
            let names = allowed.map(\.rawValue).sorted().joined(separator: " or ")
            (code, message) = (
                "wrong_status", "this is possible only for an event in \(names); this one is \(status.rawValue)"
            )
        case .hasAccount:
            (code, message) = ("has_account", "there is an account already; it can add others")
        case .alreadyDecided(let state):
            (code, message) = ("already_decided", "the proposal is \(state.rawValue) already")
        case .lastAdmin:
            (code, message) = ("last_admin", "the town needs a super admin; promote another first")
        case .keyReused:
            (status, code) = (.unprocessableContent, "key_reused")
            message = "this Idempotency-Key was used for a different request; use a new one"
        default:
            code = "shown_once"
            message =
                "this was done before with the same Idempotency-Key, and its response is not stored; use a new key"
        }
        self.init(status, code: code, message: message, fields: field.map { [($0, "is taken")] } ?? [])
    }

    private init(ofServer error: ServiceError) {
        let (status, code, message): (Status, String, String)
        let seconds: Int
        switch error {
        case .readOnly(let reason):
            (status, code, seconds) = (.serviceUnavailable, Self.readOnlyCode, 30)
            message =
                "the town is read-only at the moment\(reason.map { " (\($0))" } ?? ""); nothing was changed, try again "
                + "later"
        case .importRunning:
            (status, code, seconds) = (.serviceUnavailable, "import_running", 10)
            message = "another import is running, or its file is being sent; try again when it has ended"
        case .diskFull:
            (status, code, seconds) = (.insufficientStorage, "disk_full", 5)
            message = "the server's disk is full, try again later"
        case .noRoomForSnapshot:
            (status, code, seconds) = (.insufficientStorage, "disk_full", 60)
            message = "the server's disk is full, the snapshot could not be written; the log continues"
        case .snapshotFailed:
            (status, code, seconds) = (.serviceUnavailable, "snapshot_failed", 60)
            message = "the snapshot could not be written; the log continues"
        case .overloaded:
            self = .overloaded
            return
        default:
            self = .internalError
            return
        }
        self.init(status, code: code, message: message, headers: ["Retry-After": "\(seconds)"])
    }

    /// How long to wait, as people say it. `Retry-After` has the seconds.
    private static func later(_ seconds: Int) -> String {
        switch seconds {
        case ..<90: "in a minute"
        case ..<5_400: "in \((seconds + 59) / 60) minutes"
        case ..<64_800: "in \((seconds + 3_599) / 3_600) hours"
        default: "tomorrow"
        }
    }

    /// With `RateLimit` and `RateLimit-Policy` if the limit is a rate.
    private init(_ limit: ServiceError.Limit, seconds: Int) {
        var headers: ResponseHeaders = ["Retry-After": "\(seconds)"]
        let (code, message): (String, String)
        switch limit {
        case .logins: (code, message) = ("too_many_logins", "too many wrong logins; try again \(Self.later(seconds))")
        case .attempts(let decision):
            (code, message) = ("too_many_attempts", "too many attempts; try again \(Self.later(seconds))")
            headers.add(decision)
        case .writes(let decision):
            (code, message) = ("too_many_writes", "too many changes; try again \(Self.later(seconds))")
            headers.add(decision)
        case .histories(let perMinute):
            code = "too_many_histories"
            message =
                "an account may ask for one history at a time, and for \(perMinute) a minute; try again "
                + Self.later(seconds)
        case .pendingEvents(let limit):
            code = "too_many_pending"
            message = "you have \(limit) events waiting for us; you can send more when one is decided, or withdraw one"
        case .futureEvents(let limit):
            code = "too_many_events"
            message =
                "\(limit) events of this account are still to come; wait until one is over, or delete or cancel one"
        case .networkProposals(let limit):
            code = "too_many_proposals"
            message =
                "\(limit) events and reports from your network are waiting for us; you can send more when we have "
                + "dealt with one"
        case .openProposals(let limit):
            code = "too_many_proposals"
            message =
                "you have \(limit) events and reports waiting for us; you can send more when we have dealt with one"
        case .waitingProposals(let limit):
            code = "too_many_proposals"
            message = "\(limit) events and reports of visitors are waiting for us already; try again later"
        case .logBytes(let bytes):
            code = "too_many_bytes"
            let most = bytes < 1 << 20 ? "\(bytes >> 10) KiB" : "\(bytes >> 20) MiB"
            message = "changes have added \(most) to the history within a day; try again \(Self.later(seconds))"
        }
        self.init(.tooManyRequests, code: code, message: message, headers: headers)
    }
}

extension ServiceError.Missing {
    fileprivate var message: String {
        switch self {
        case .record(let kind): "there is no such \(kind.label)"
        case .menu: "there is no such menu"
        case .menuItem: "there is no such item on the menu"
        case .specialHours: "there are no special hours of these dates"
        case .token: "there is no such token"
        case .change: "the history does not have this change, or no longer"
        case .reference:
            "a reference is there for 30 days; it has ended, or a part of the link is missing"
        case .ownSession: "there is no such session of yours"
        case .address: "there is nothing at this address"
        }
    }
}

extension ResponseHeaders {
    mutating func add(_ decision: BucketDecision) {
        add("RateLimit", bytes: decision.rateLimit)
        add("RateLimit-Policy", decision.policy)
    }
}
