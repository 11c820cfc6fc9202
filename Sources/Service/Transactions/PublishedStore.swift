import SookeModel
import Store

/// The store as everybody may use it: to read. Only a `Transaction` writes, which `Town.run` runs.
public struct PublishedStore: Sendable {
    let writer: Store

    init(_ store: Store) {
        writer = store
    }

    /// The newest version that is on stable storage.
    public var current: Version { writer.current }

    /// What is wrong at the moment.
    public var problems: StoreProblems { writer.problems }

    /// Sizes and durations, as they are now.
    public var statistics: StoreStatistics { get async { await writer.statistics } }

    /// Passes on a backup of a version; see `Store.writeBackup`.
    public func writeBackup<Failure: Error>(
        of version: Version, to output: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        try writer.writeBackup(of: version, to: output)
    }
}
