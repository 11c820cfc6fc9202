/// The versions of a record that a request requires or excludes (RFC 9110, section 13.1).
public struct Precondition: Sendable {
    /// A list of versions, each identified by the digest of the stored record.
    public struct Versions: Sendable {
        /// Whether it includes any version.
        public var includesAny: Bool
        /// The digests of the versions.
        public var digests: [UInt64]
        /// Whether it lists versions, even such that no record can have.
        public var namesVersions: Bool

        /// A list of versions.
        public init(includesAny: Bool = false, digests: [UInt64] = [], namesVersions: Bool = true) {
            (self.includesAny, self.digests, self.namesVersions) = (includesAny, digests, namesVersions)
        }

        func contains(_ digest: UInt64) -> Bool { includesAny || digests.contains(digest) }
    }

    /// The record must have one of these versions; nil requires nothing.
    public var required: Versions?
    /// The record must have none of these versions; nil excludes nothing.
    public var excluded: Versions?

    /// A precondition; without arguments one that always holds.
    public init(required: Versions? = nil, excluded: Versions? = nil) {
        (self.required, self.excluded) = (required, excluded)
    }

    /// Evaluates the precondition in a transaction, so that the second of two writers with the same version fails.
    ///
    /// - Parameters:
    ///   - digest: the digest of the stored record, computed only when the request has a precondition.
    ///   - current: the record, for the error.
    /// - Throws: `preconditionFailed`, `versionExcluded`.
    func require(
        _ digest: @autoclosure () -> UInt64, _ current: @autoclosure () -> JoinedRecord?
    ) throws(ServiceError) {
        if required == nil, excluded == nil { return }
        let digest = digest()
        if let required, !required.contains(digest) { throw .preconditionFailed(current: current()) }
        if let excluded, excluded.contains(digest) { throw .versionExcluded(current: current()) }
    }

    /// Evaluates the precondition for a record.
    ///
    /// - Throws: `preconditionFailed`, `versionExcluded`.
    func require(_ record: @autoclosure () -> JoinedRecord) throws(ServiceError) {
        if required == nil, excluded == nil { return }
        let record = record()
        try require(record.digest, record)
    }
}
