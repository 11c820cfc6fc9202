import Platform
import SookeModel
import Store

/// What a use case needs of a request besides its arguments.
package struct RequestContext: Sendable {
    package let caller: Caller
    /// When the request arrived.
    package let isSuperAdmin: Bool
    package let cookieSession: Int?
    /// For the local socket, its user.
    package let clientNetwork: ClientNetwork
    package let version: Version
    package let precondition: Precondition
    package let key: IdempotencyKey?
    package let subject: AuditSubject?
    package var isWanted: @Sendable () -> Bool
    /// The browser of a person, by which they know their sessions; nil for another program.
    package var device: String?

    package init(
        caller: Caller, isSuperAdmin: Bool, network: ClientNetwork, version: Version,
        precondition: Precondition = Precondition(), key: IdempotencyKey? = nil, subject: AuditSubject? = nil,
        cookieSession: Int? = nil, isWanted: @escaping @Sendable () -> Bool = { true }
    ) {
        (self.caller, self.isSuperAdmin, clientNetwork, self.version) = (caller, isSuperAdmin, network, version)
        (self.precondition, self.key, self.subject) = (precondition, key, subject)
        (self.cookieSession, self.isWanted) = (cookieSession, isWanted)
    }

    var remoteNetwork: ClientNetwork? { caller == .owner ? nil : clientNetwork }

    var town: Town { version.town }
}

/// The key under which a client may send the same request again (`Idempotency-Key`).
package struct IdempotencyKey: Sendable {
    package let text: String
    /// A different request with the same key is an error.
    package let fingerprint: String

    package init(text: String, fingerprint: String) {
        (self.text, self.fingerprint) = (text, fingerprint)
    }
}

/// The versions of a record that a request requires or excludes (RFC 9110, section 13.1).
package struct Precondition: Sendable {
    package struct Versions: Sendable {
        package var includesAny: Bool
        package var digests: [UInt64]
        /// Even such that no record can have.
        package var namesVersions: Bool

        package init(includesAny: Bool = false, digests: [UInt64] = [], namesVersions: Bool = true) {
            (self.includesAny, self.digests, self.namesVersions) = (includesAny, digests, namesVersions)
        }

        func contains(_ digest: UInt64) -> Bool { includesAny || digests.contains(digest) }
    }

    package var required: Versions?
    package var excluded: Versions?

    package init(required: Versions? = nil, excluded: Versions? = nil) {
        (self.required, self.excluded) = (required, excluded)
    }

    /// Evaluates the precondition in a transaction, so that the second of two writers with the same version fails.
    ///
    /// - Parameter town: where the record is joined for the error; nil for one that the error does not contain.
    func require(_ record: some TableRecord, in town: Town?) throws(ServiceError) {
        if required == nil, excluded == nil { return }
        let (digest, current) = (record.digest, town.map { record.joined(in: $0) })
        if let required, !required.contains(digest) { throw .preconditionFailed(current: current) }
        if let excluded, excluded.contains(digest) { throw .versionExcluded(current: current) }
    }
}
