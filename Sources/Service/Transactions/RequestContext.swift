import Platform
import SookeModel
import Store

/// The context of a request that a use case needs besides its arguments: the caller and the conditions.
public struct RequestContext: Sendable {
    /// The sender of the request.
    public let caller: Caller
    /// Whether the caller had all permissions when the request arrived.
    public let isSuperAdmin: Bool
    /// The network of the client; for the local socket, its user.
    public let clientNetwork: ClientNetwork
    /// The version of the town in which the caller was authenticated.
    public let version: Version
    /// The version of the record that the client requires.
    public let precondition: Precondition
    /// The idempotency key.
    public let key: IdempotencyKey?
    /// The subject of the audit entry; nil when the request is not audited.
    public let subject: AuditSubject?
    /// Whether the client still waits for the response.
    public let isWanted: @Sendable () -> Bool

    /// The context of a request.
    public init(
        caller: Caller, isSuperAdmin: Bool, network: ClientNetwork, version: Version,
        precondition: Precondition = Precondition(), key: IdempotencyKey? = nil, subject: AuditSubject? = nil,
        isWanted: @escaping @Sendable () -> Bool = { true }
    ) {
        (self.caller, self.isSuperAdmin, clientNetwork, self.version) = (caller, isSuperAdmin, network, version)
        (self.precondition, self.key, self.subject) = (precondition, key, subject)
        self.isWanted = isWanted
    }

    /// The network of the client; nil for the local socket.
    var remoteNetwork: ClientNetwork? { caller == .owner ? nil : clientNetwork }

    /// The town when the request arrived.
    var community: Community { version.community }
}

/// The key under which a client may send the same request again (`Idempotency-Key`).
public struct IdempotencyKey: Sendable {
    /// The key that the client chose.
    public let text: String
    /// A digest of the request: a different request with the same key is an error.
    public let fingerprint: String

    /// A key.
    public init(text: String, fingerprint: String) {
        (self.text, self.fingerprint) = (text, fingerprint)
    }
}
