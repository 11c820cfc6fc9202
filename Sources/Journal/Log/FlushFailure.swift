/// Why a batch of commits did not reach stable storage.
package struct FlushFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// What the owner of the journal must do.
    package enum Kind: Sendable, Hashable {
        /// The disk is full. Nothing of the batch remains, its sequence numbers are free again, and the journal can
        /// still be used: revert to the last durable state and respond with 507.
        case noSpace
        /// A sync failed, the disk failed, or the folder was displaced (see `cause.isDisplaced`). It is unknown which
        /// part of the batch is on disk, and a second sync could falsely succeed. The journal refuses all further work:
        /// acknowledge nothing and end the process with 74. The next start rewrites what it can read.
        case fatal
    }

    package let kind: Kind
    package let cause: FileSystemError

    package var description: String { cause.description }
}

/// Why no snapshot was written.
package struct SnapshotFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// What the owner of the journal must do.
    package enum Kind: Sendable, Hashable {
        /// The log and all earlier snapshots are unaffected: report it and try again later.
        case notTaken
        /// A sync or the disk failed: end the process with 74, as after `FlushFailure.Kind.fatal`.
        case fatal
    }

    package let kind: Kind
    package let isNoSpace: Bool
    package let isDisplaced: Bool
    package let description: String

    init(_ cause: FileSystemError) {
        (kind, description) = (cause.isFatal ? .fatal : .notTaken, cause.description)
        (isNoSpace, isDisplaced) = (cause.isNoSpace, cause.isDisplaced)
    }

    init(notTaken description: String) {
        (kind, isNoSpace, isDisplaced, self.description) = (.notTaken, false, false, description)
    }
}
