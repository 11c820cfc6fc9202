import SookeModel
import Synchronization

/// The account or credential of a request, for the audit. Use cases set it as soon as they find it, so that it is also
/// recorded when the request fails later.
public final class AuditSubject: Sendable {
    /// The account and the credential.
    public struct Value: Sendable {
        /// The ID of the account.
        public var user: Int?
        /// The address of the account, or of the person who is invited.
        public var email: String?
        /// The ID of a token, session or link.
        public var credential: Int?

        /// No account and no credential.
        public init() {}
    }

    private let state = Mutex(Value())

    /// No account and no credential yet.
    public init() {}

    /// What has been set so far.
    public var value: Value { state.withLock { $0 } }

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
