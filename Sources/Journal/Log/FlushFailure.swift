/// Why a batch of commits did not reach stable storage.
public struct FlushFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// What the owner of the journal has to do.
    public enum Kind: Sendable, Hashable {
        /// The disk is full. Nothing of the batch remains, its sequence numbers are free again, and the journal can be
        /// used as before: go back to the last durable state and answer 507.
        case noSpace
        /// A sync failed, or the disk did, or the folder is not where it was (see `cause.isDisplaced`). What of the
        /// batch is on disk is not known and cannot be found out; asking again would lie. The journal refuses all
        /// further work: answer nobody, end the process with 74. The next start writes what it can read afresh.
        case fatal
    }

    /// What to do.
    public let kind: Kind
    /// The call that failed.
    public let cause: FileSystemError

    /// What failed, and why.
    public var description: String { cause.description }
}

/// Why a snapshot was not taken.
public struct SnapshotFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// What the owner of the journal has to do.
    public enum Kind: Sendable, Hashable {
        /// The log, and all earlier snapshots, are as good as before: report it and try again later.
        case notTaken
        /// A sync failed, or the disk did: end the process with 74, as after `FlushFailure.Kind.fatal`.
        case fatal
    }

    /// What to do.
    public let kind: Kind
    /// Whether it was for want of room.
    public let isNoSpace: Bool
    /// Whether the folder is not where it was.
    public let isDisplaced: Bool
    /// What failed, and why.
    public let description: String

    init(_ cause: FileSystemError) {
        (kind, description) = (cause.isFatal ? .fatal : .notTaken, cause.description)
        (isNoSpace, isDisplaced) = (cause.isNoSpace, cause.isDisplaced)
    }

    init(notTaken description: String) {
        (kind, isNoSpace, isDisplaced, self.description) = (.notTaken, false, false, description)
    }
}
