import SookeModel
import Store

/// The store as routes see it: to be read by all, and written only by a `Transaction`.
///
/// The store itself is out of their reach, so no route can write without the check of access that a transaction begins
/// with.
struct GuardedStore: Sendable {
    private let store: Store

    init(_ store: Store) {
        self.store = store
    }

    /// The newest version that is on stable storage.
    var current: Version { store.current }

    /// What is wrong at the moment.
    var problems: StoreProblems { store.problems }

    /// Sizes and durations, as they are now.
    var statistics: StoreStatistics { get async { await store.statistics } }

    /// Writes a snapshot; see `Store.snapshot`.
    func snapshot() async throws -> SnapshotSummary { try await store.snapshot() }

    /// Hands on a backup of a version; see `Store.writeBackup`.
    func writeBackup<Failure: Error>(
        of version: Version, to output: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        try store.writeBackup(of: version, to: output)
    }

    /// Who changed a record; see `Store.history`.
    func history(
        of kind: RecordKind, id: Int, limit: Int, before: Int?, searched: Int?, isWanted: @escaping @Sendable () -> Bool
    ) async throws -> History {
        try await store.history(of: kind, id: id, limit: limit, before: before, searched: searched, isWanted: isWanted)
    }

    /// Runs a transaction and waits until what it changed is on stable storage; see `Store.write`.
    func write<Result: Sendable>(_ transaction: Transaction<Result>) async throws -> Result {
        try await store.write(by: transaction.author, transaction.body).result
    }

    /// The same, and calls back on the commit thread.
    func write<Result: Sendable>(
        _ transaction: Transaction<Result>, then done: @escaping @Sendable (Swift.Result<Result, any Error>) -> Void
    ) {
        store.write(by: transaction.author, transaction.body, then: done)
    }
}
