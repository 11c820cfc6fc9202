import SookeModel
import Store

/// The store for reading. Only a `Transaction` writes, by `Town.run`.
public struct PublishedStore: Sendable {
    let writer: Store

    init(_ store: Store) {
        writer = store
    }

    /// The newest version that is on stable storage.
    public var current: Version { writer.current }

    /// The current problems.
    public var problems: StoreProblems { writer.problems }

    /// The current statistics.
    public var statistics: StoreStatistics { get async { await writer.statistics } }

    /// Writes a backup of a version; see `Store.writeBackup`.
    public func writeBackup<Failure: Error>(
        of version: Version, to output: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        try writer.writeBackup(of: version, to: output)
    }
}
