import Bytes
import Platform
import SookeModel
import Synchronization

/// Records security events: all entries of people, except for repetitions; fewer of clients without an account.
///
/// - Entries of a person, or the owner of the server, about accounts, tokens, links and the whole town are always
///   stored.
/// - Logins, logouts, refusals and reached limits (429) of one account: ten of a kind in ten minutes, then their count.
/// - Failed logins and links without an account: one of a kind, from one network on one account, in ten minutes, then
///   their count; for a hundred kinds. They have a file of their own.
/// - Refused requests without an account: only their count in ten minutes.
///
/// A period ends with the first entry after it, when the audit is read, or when the server stops.
package final class Audit: Sendable {
    private struct State {
        var people = AuditRepeats(linesPerKind: 10, kindLimit: 1_000)
        var strangers = AuditRepeats(linesPerKind: 1, kindLimit: 100)
        var refusals = 0
        var began: Int?
    }

    private static let period = 600 * 1_000_000_000

    private let trail: any AuditTrail
    private let clock: TimeSource
    private let state = Mutex(State())
    private let strangersRefused = Atomic<Int>(0)
    private let loginsFailed = Atomic<Int>(0)

    package init(_ trail: any AuditTrail, clock: TimeSource) {
        (self.trail, self.clock) = (trail, clock)
    }

    package var counts: (strangersRefused: Int, loginsFailed: Int) {
        (strangersRefused.load(ordering: .relaxed), loginsFailed.load(ordering: .relaxed))
    }

    /// Never waits.
    package func record(_ entry: AuditEntry) {
        if entry.action == .login, entry.result != .ok { loginsFailed.add(1, ordering: .relaxed) }
        let isUncountedRefusal = entry.isOfStranger && entry.action == .request
        if isUncountedRefusal { strangersRefused.add(1, ordering: .relaxed) }
        let now = clock.monotonic()
        state.withLock { state in
            if let began = state.began, now - began >= Self.period { endPeriod(&state) }
            if state.began == nil { state.began = now }
            if isUncountedRefusal {
                state.refusals += 1
            } else if entry.isOfStranger {
                if state.strangers.isStored(entry) { trail.append(entry.line, to: .strangers) }
            } else if entry.isStoredAlways || state.people.isStored(entry) {
                trail.append(entry.line, to: .people)
            }
        }
    }

    package func newest(_ limit: Int, of books: [AuditBook]) throws -> [[UInt8]] {
        flush()
        return try trail.newest(limit, of: books)
    }

    package func flush() {
        state.withLock { endPeriod(&$0) }
    }

    private func endPeriod(_ state: inout State) {
        let uncounted = state.strangers.uncounted
        for entry in state.people.takeCounts() { trail.append(entry.line, to: .people) }
        for entry in state.strangers.takeCounts() { trail.append(entry.line, to: .strangers) }
        append(uncounted, of: .login)
        append(state.refusals, of: .request)
        state.refusals = 0
        state.began = nil
    }

    private func append(_ count: Int, of action: AuditEntry.Action) {
        guard count > 0 else { return }
        var entry = AuditEntry(at: clock.wall(), action: action, status: 401)
        entry.count = count
        trail.append(entry.line, to: .strangers)
    }
}

extension AuditEntry {
    fileprivate var isStoredAlways: Bool {
        caller == .owner || result == .ok && action != .login && action != .logout
    }
}

package protocol AuditTrail: Sendable {
    /// It must not wait for a disk: it is called on the event loops.
    func append(_ line: [UInt8], to book: AuditBook)

    func newest(_ limit: Int, of books: [AuditBook]) throws -> [[UInt8]]
}

/// Each has its own space, so that entries without an account cannot displace those of people.
package enum AuditBook: Sendable, CaseIterable {
    case people
    case strangers
}

/// Decides which entries of a period are stored individually, and counts the others.
struct AuditRepeats {
    /// Of the same account, or of the same network without an account.
    private struct Kind: Hashable {
        let person: Int?
        let network: ClientNetwork?
        let action: AuditEntry.Action
        let status: Int
        let user: Int?

        init(_ entry: AuditEntry) {
            person = entry.caller.personID
            network = person == nil ? entry.network : nil
            (action, status, user) = (entry.action, entry.status, entry.subject.user)
        }
    }

    private let linesPerKind: Int
    private let kindLimit: Int
    private var kinds: [Kind: (count: Int, last: AuditEntry)] = [:]
    /// Of kinds beyond `kindLimit`.
    private(set) var uncounted = 0

    init(linesPerKind: Int, kindLimit: Int) {
        (self.linesPerKind, self.kindLimit) = (linesPerKind, kindLimit)
    }

    mutating func isStored(_ entry: AuditEntry) -> Bool {
        let kind = Kind(entry)
        guard let seen = kinds[kind] else {
            guard kinds.count < kindLimit else {
                uncounted += 1
                return false
            }
            kinds[kind] = (1, entry)
            return true
        }
        kinds[kind] = (seen.count + 1, entry)
        return seen.count < linesPerKind
    }

    mutating func takeCounts() -> [AuditEntry] {
        let counted = kinds.values.filter { $0.count > linesPerKind }.map { seen in
            var entry = seen.last
            entry.count = seen.count - linesPerKind
            return entry
        }
        kinds = [:]
        uncounted = 0
        return counted.sorted { $0.at < $1.at }
    }
}

/// A line of the audit: an action on an account or a credential, or a refusal.
///
/// Changes of the town's records are in the log of commits. No entry contains a secret: neither the body nor the query
/// of a request, and e-mail addresses only of existing accounts.
package struct AuditEntry: Sendable {
    package enum Action: String, ChoiceValue {
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

    package enum Result: String, ChoiceValue {
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
    let network: ClientNetwork?
    /// Nil for requests that were only counted.
    private let request: AuditedRequest?
    /// Of similar ones since the last line of their kind; nil for a single one.
    var count: Int?

    package init(
        at: Timestamp, action: Action, status: Int, code: String? = nil, caller: Caller = .anonymous,
        subject: AuditSubject.Value = AuditSubject.Value(), network: ClientNetwork? = nil,
        request: AuditedRequest? = nil
    ) {
        (self.at, self.action, self.status, self.code) = (at, action, status, code)
        (self.caller, self.subject, self.network, self.request) = (caller, subject, network, request)
    }

    var result: Result { Result(status, of: action) }

    /// The request had no valid token, and no secret was proved.
    var isOfStranger: Bool { caller == .anonymous && result != .ok }

    var line: [UInt8] { Self.body.json(self) + [ASCII.lineFeed] }

    package static let path = "/api/v1/admin/audit"

    package static let body = Body<AuditEntry>(
        "audit",
        Member("at", "The time of the request") { $0.at },
        Member("action", "The action") { $0.action },
        Member("result", "What came of it") { $0.result },
        Member("status", "The status of the response", isLeftOut: true) { $0.request == nil ? nil : $0.status },
        Member("code", "The code of the error, if there was one", isLeftOut: true) { $0.code },
        Member(
            "count", "The number of similar ones that followed; absent for a single one", isLeftOut: true
        ) { $0.count },
        Member("by", .any, "The ID of the caller; local, or null for a client without an account") { entry, writer in
            switch entry.caller.proof {
            case .none: writer.null()
            case .socket: writer.string("local")
            case .token(_, let person, _): writer.int(person)
            }
        },
        Member("user", "The ID of the account that was concerned", isLeftOut: true) { $0.subject.user },
        Member("email", "The address of that account, or of the invited person", isLeftOut: true) { $0.subject.email },
        Member("grant", "The ID of the token, session or link", isLeftOut: true) { $0.subject.credential },
        Member(
            "from", "The address of the client, or its user on this machine", isLeftOut: true
        ) { $0.request?.client },
        Member("method", "The method of the request", isLeftOut: true) { $0.request?.method },
        Member("path", "Its path, cut after 200 bytes", isLeftOut: true) { $0.request?.path })
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
