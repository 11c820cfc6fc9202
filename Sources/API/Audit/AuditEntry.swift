import Bytes
import Credentials
import HTTP
import JSON
import SookeModel
import Synchronization

/// A line of the audit: who did what about an account or a key, when, from where, and what came of it; and who was
/// refused what.
///
/// Changes of the town's records are in the log of commits. No entry holds a secret: no body and no query is kept, and
/// of addresses only those of accounts that exist.
public struct AuditEntry: Sendable {
    /// What was asked for.
    enum Action: String, Sendable, CaseIterable {
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

    /// What came of it.
    enum Result: String, Sendable, CaseIterable {
        case ok, failed, refused, throttled

        init(_ status: Status, of action: Action) {
            switch status.code {
            case 200...299: self = .ok
            case 429: self = .throttled
            case 401, 403: self = action == .login ? .failed : .refused
            default: self = .failed
            }
        }
    }

    let at: Timestamp
    let action: Action
    let status: Status
    /// The code of the error that was answered.
    let code: String?
    let caller: Caller
    let subject: AuditSubject.Value
    /// The network of the client.
    let network: ClientNetwork
    private let client: String
    private let method: String
    private let path: String
    /// How many further ones like it came since the last line of their kind; nil for a line of one.
    var count: Int?

    /// So much of a path is stored, in bytes.
    private static let pathLimit = 200

    init(
        at: Timestamp, action: Action, status: Status, code: String?, caller: Caller, subject: AuditSubject.Value,
        request: Request
    ) {
        (self.at, self.action, self.status, self.code) = (at, action, status, code)
        (self.caller, self.subject, network) = (caller, subject, ClientNetwork(request.peer))
        (client, method) = (request.peer.name, "\(request.method.name)")
        // What is no UTF-8 becomes U+FFFD; the query may hold secrets.
        let path = Token.masking(request.target.prefix { $0 != UInt8(ascii: "?") }).prefix(Self.pathLimit)
        self.path = String(decoding: path, as: UTF8.self)
    }

    var result: Result { Result(status, of: action) }

    /// Whether nobody has proved who they are: no valid token came, and nothing was done that needs a secret.
    var isOfStranger: Bool { caller == .anonymous && result != .ok }

    /// A JSON object with a line feed behind it.
    public var line: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("at", at.rfc3339)
        writer.member("action", action.rawValue)
        writer.member("result", result.rawValue)
        writer.member("status", status.code)
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
        if let grant = subject.grant { writer.member("grant", grant) }
        writer.member("from", client)
        writer.member("method", method)
        writer.member("path", path)
        writer.endObject()
        return writer.bytes + [ASCII.lineFeed]
    }
}

/// What a route finds out of whom and what a request is about, for the audit.
final class AuditSubject: Sendable {
    struct Value: Sendable {
        /// The number of the account.
        var user: Int?
        /// The address of the account, or of who is invited.
        var email: String?
        /// The number of a token, session or link.
        var grant: Int?
    }

    private let state = Mutex(Value())

    var value: Value { state.withLock { $0 } }

    func note(_ person: Person) {
        state.withLock { ($0.user, $0.email) = (person.id, person.email) }
    }

    func note(_ grant: Grant) {
        state.withLock { value in
            value.grant = grant.id
            value.email = grant.email ?? value.email
            value.user = grant.person ?? value.user
        }
    }
}

extension Peer {
    /// The address of a client, or the user on this machine, as `uid:1000`.
    public var name: String {
        switch self {
        case .inet(let address, _, _): address
        case .local(let user, _): "uid:\(user)"
        }
    }
}
