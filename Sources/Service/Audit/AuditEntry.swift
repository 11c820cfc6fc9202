import Bytes
import JSON
import Platform
import SookeModel
import Synchronization

/// A line of the audit: an action on an account or a credential, with its author, time, origin and result; or a
/// refusal.
///
/// Changes of the town's records are in the log of commits. No entry contains a secret: neither the body nor the query
/// of a request, and e-mail addresses only of existing accounts.
package struct AuditEntry: Sendable {
    package enum Action: String, Sendable, CaseIterable {
        case login, logout, setup
        case passwordChange = "password_change"
        case passwordReset = "password_reset"
        case passwordLink = "password_link"
        case tokenMade = "token_made"
        case tokenRevoked = "token_revoked"
        case invitation
        case invitationAccepted = "invitation_accepted"
        case confirmationLink = "confirmation_link"
        case confirmed
        case accountMade = "account_made"
        case accountChanged = "account_changed"
        case accountRemoved = "account_removed"
        case promotion
        case backup, export
        case log
        case readOnly = "read_only"
        case request
    }

    package enum Result: String, Sendable, CaseIterable {
        case ok, failed, refused, throttled

        init(_ status: Int, of action: Action) {
            switch status {
            // A form ends with a redirect.
            case 200...399: self = .ok
            case 429: self = .throttled
            case 401, 403: self = action == .login ? .failed : .refused
            default: self = .failed
            }
        }
    }

    let at: Timestamp
    let action: Action
    let status: Int
    let code: String?
    let caller: Caller
    let subject: AuditSubject.Value
    let network: ClientNetwork
    private let request: AuditedRequest
    /// Of similar ones since the last line of their kind; nil for a single one.
    var count: Int?

    package init(
        at: Timestamp, action: Action, status: Int, code: String?, caller: Caller, subject: AuditSubject.Value,
        network: ClientNetwork, request: AuditedRequest
    ) {
        (self.at, self.action, self.status, self.code) = (at, action, status, code)
        (self.caller, self.subject, self.network, self.request) = (caller, subject, network, request)
    }

    var result: Result { Result(status, of: action) }

    /// The request had no valid token, and no secret was proved.
    var isOfStranger: Bool { caller == .anonymous && result != .ok }

    package var line: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("at", at.rfc3339)
        writer.member("action", action.rawValue)
        writer.member("result", result.rawValue)
        writer.member("status", status)
        if let code { writer.member("code", code) }
        if let count { writer.member("count", count) }
        writer.key("by")
        switch caller.proof {
        case .none: writer.null()
        case .socket: writer.string("local")
        case .token(_, let person, _): writer.int(person)
        }
        if let user = subject.user { writer.member("user", user) }
        if let email = subject.email { writer.member("email", email) }
        if let credential = subject.credential { writer.member("grant", credential) }
        writer.member("from", request.client)
        writer.member("method", request.method)
        writer.member("path", request.path)
        writer.endObject()
        return writer.bytes + [ASCII.lineFeed]
    }
}

package struct AuditedRequest: Sendable {
    /// Its address, or its user on this machine.
    let client: String
    let method: String
    let path: String

    private static let pathLimit = 200

    package init(client: String, method: String, target: ArraySlice<UInt8>) {
        (self.client, self.method) = (client, method)
        // Invalid UTF-8 becomes U+FFFD; parameters are left out, because they may contain secrets.
        let path = Token.masking(target.prefix { !"?;=".utf8.contains($0) }).prefix(Self.pathLimit)
        self.path = String(decoding: path, as: UTF8.self)
    }
}

/// Use cases set it as soon as they find the account or credential, so that it is recorded also when the request fails
/// later.
package final class AuditSubject: Sendable {
    package struct Value: Sendable {
        package var user: Int?
        package var email: String?
        package var credential: Int?

        package init() {}
    }

    private let state = Mutex(Value())

    package init() {}

    package var value: Value { state.withLock { $0 } }

    func set(_ person: Person) {
        state.withLock { ($0.user, $0.email) = (person.id, person.email) }
    }

    func set(_ credential: Credential) {
        state.withLock { value in
            value.credential = credential.id
            value.email = credential.email ?? value.email
            value.user = credential.person ?? value.user
        }
    }
}
