import Platform
import SookeModel
import Store

/// The context of a request that a use case needs besides its arguments: the caller and the conditions.
package struct RequestContext: Sendable {
    package let caller: Caller
    /// Whether the caller had all permissions when the request arrived.
    package let isSuperAdmin: Bool
    /// The session whose cookie came with the request; nil for none.
    package let cookieSession: Int?
    /// The network of the client; for the local socket, its user.
    package let clientNetwork: ClientNetwork
    /// The version of the town in which the caller was authenticated.
    package let version: Version
    /// The version of the record that the client requires.
    package let precondition: Precondition
    package let key: IdempotencyKey?
    /// The subject of the audit entry; nil when the request is not audited.
    package let subject: AuditSubject?
    /// Whether the client still waits for the response.
    package let isWanted: @Sendable () -> Bool

    package init(
        caller: Caller, isSuperAdmin: Bool, network: ClientNetwork, version: Version,
        precondition: Precondition = Precondition(), key: IdempotencyKey? = nil, subject: AuditSubject? = nil,
        cookieSession: Int? = nil, isWanted: @escaping @Sendable () -> Bool = { true }
    ) {
        (self.caller, self.isSuperAdmin, clientNetwork, self.version) = (caller, isSuperAdmin, network, version)
        (self.precondition, self.key, self.subject) = (precondition, key, subject)
        (self.cookieSession, self.isWanted) = (cookieSession, isWanted)
    }

    /// The network of the client; nil for the local socket.
    var remoteNetwork: ClientNetwork? { caller == .owner ? nil : clientNetwork }

    /// The town when the request arrived.
    var town: Town { version.town }
}

/// The key under which a client may send the same request again (`Idempotency-Key`).
package struct IdempotencyKey: Sendable {
    package let text: String
    /// A digest of the request: a different request with the same key is an error.
    package let fingerprint: String

    package init(text: String, fingerprint: String) {
        (self.text, self.fingerprint) = (text, fingerprint)
    }
}

/// The versions of a record that a request requires or excludes (RFC 9110, section 13.1).
package struct Precondition: Sendable {
    /// A list of versions, each identified by the digest of the stored record.
    package struct Versions: Sendable {
        package var includesAny: Bool
        package var digests: [UInt64]
        /// Whether it lists versions, even such that no record can have.
        package var namesVersions: Bool

        package init(includesAny: Bool = false, digests: [UInt64] = [], namesVersions: Bool = true) {
            (self.includesAny, self.digests, self.namesVersions) = (includesAny, digests, namesVersions)
        }

        func contains(_ digest: UInt64) -> Bool { includesAny || digests.contains(digest) }
    }

    /// The record must have one of these versions; nil requires nothing.
    package var required: Versions?
    /// The record must have none of these versions; nil excludes nothing.
    package var excluded: Versions?

    /// A precondition; without arguments one that always holds.
    package init(required: Versions? = nil, excluded: Versions? = nil) {
        (self.required, self.excluded) = (required, excluded)
    }

    /// Evaluates the precondition in a transaction, so that the second of two writers with the same version fails.
    ///
    /// - Parameter town: where the record is joined for the error; nil for one that the error does not contain.
    /// - Throws: `preconditionFailed`, `versionExcluded`.
    func require(_ record: some TableRecord, in town: Town?) throws(ServiceError) {
        if required == nil, excluded == nil { return }
        let (digest, current) = (record.digest, town.map { record.joined(in: $0) })
        if let required, !required.contains(digest) { throw .preconditionFailed(current: current) }
        if let excluded, excluded.contains(digest) { throw .versionExcluded(current: current) }
    }
}
