import Bytes
import Credentials
import JSON
import Platform
import SookeModel

/// A line of the audit: who did what about an account or a credential, when, from where, and with which result; and who
/// was refused what.
///
/// Changes of the town's records are in the log of commits. No entry holds a secret: it has no body and no query of a
/// request, and of e-mail addresses only those of accounts that exist.
public struct AuditEntry: Sendable {
    /// What was asked for.
    public enum Action: String, Sendable, CaseIterable {
        case login, logout, setup
        case passwordChange = "password_change"
        case passwordReset = "password_reset"
        case passwordLink = "password_link"
        case tokenMade = "token_made"
        case tokenRevoked = "token_revoked"
        case invitation
        case invitationAccepted = "invitation_accepted"
        case accountMade = "account_made"
        case accountChanged = "account_changed"
        case accountRemoved = "account_removed"
        /// An account got another role.
        case promotion
        case backup, export
        /// Anything else that needs a right.
        case request
    }

    /// The result.
    public enum Result: String, Sendable, CaseIterable {
        case ok, failed, refused, throttled

        init(_ status: Int, of action: Action) {
            switch status {
            case 200...299: self = .ok
            case 429: self = .throttled
            case 401, 403: self = action == .login ? .failed : .refused
            default: self = .failed
            }
        }
    }

    let at: Timestamp
    let action: Action
    /// The status code of the response.
    let status: Int
    /// The code of the error in the response.
    let code: String?
    let caller: Caller
    let subject: AuditSubject.Value
    /// The network of the client.
    let network: ClientNetwork
    private let request: AuditedRequest
    /// How many more like it there were since the last line of their kind; nil for a line of one.
    var count: Int?

    /// An entry.
    ///
    /// - Parameters:
    ///   - status: the status code of the response.
    ///   - code: the code of the error in the response; nil for a success.
    public init(
        at: Timestamp, action: Action, status: Int, code: String?, caller: Caller, subject: AuditSubject.Value,
        network: ClientNetwork, request: AuditedRequest
    ) {
        (self.at, self.action, self.status, self.code) = (at, action, status, code)
        (self.caller, self.subject, self.network, self.request) = (caller, subject, network, request)
    }

    var result: Result { Result(status, of: action) }

    /// Whether the caller is unknown: no valid token came, and nothing was done that needs a secret.
    var isOfStranger: Bool { caller == .anonymous && result != .ok }

    /// A JSON object with a line feed behind it.
    public var line: [UInt8] {
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

/// What the audit records of a request.
public struct AuditedRequest: Sendable {
    /// The address of the client, or its user on this machine.
    let client: String
    let method: String
    let path: String

    /// So much of a path is stored, in bytes.
    private static let pathLimit = 200

    /// A request, with its target as it was sent.
    public init(client: String, method: String, target: ArraySlice<UInt8>) {
        (self.client, self.method) = (client, method)
        // What is not UTF-8 becomes U+FFFD; the query may hold secrets.
        let path = Token.masking(target.prefix { $0 != UInt8(ascii: "?") }).prefix(Self.pathLimit)
        self.path = String(decoding: path, as: UTF8.self)
    }
}
