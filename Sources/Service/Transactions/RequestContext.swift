import Platform
import SookeModel
import Store

/// What a use case needs to know of a request beside its own values: who makes it, and on what conditions.
public struct RequestContext: Sendable {
    /// Who makes the request.
    public let caller: Caller
    /// Whether the caller could do everything when the request arrived.
    public let isSuperAdmin: Bool
    /// The network of the client; for the local socket, its user.
    public let clientNetwork: ClientNetwork
    /// The version of the town in which the caller was authenticated.
    public let version: Version
    /// The version of the record that the client requires.
    public let precondition: Precondition
    /// The key under which the client may send the request again.
    public let key: IdempotencyKey?
    /// Collects what the audit records of the request; nil when it records nothing.
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
    /// The key as the client chose it.
    public let text: String
    /// A digest of the request: another request with the same key is a mistake.
    public let fingerprint: String

    /// A key.
    public init(text: String, fingerprint: String) {
        (self.text, self.fingerprint) = (text, fingerprint)
    }
}
