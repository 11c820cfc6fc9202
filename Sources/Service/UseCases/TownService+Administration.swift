import Store

/// Administration of the whole town.
extension TownService {
    /// Writes a snapshot now.
    ///
    /// - Throws: `noRoomForSnapshot`, `snapshotFailed`.
    public func takeSnapshot(for context: RequestContext) async throws(ServiceError) -> SnapshotSummary {
        // Nothing changes, but the permission is checked as for a change.
        try await run(Transaction(for: context, .superAdmin) { _ in }, for: context)
        do {
            return try await store.writer.snapshot()
        } catch {
            throw ServiceError(error)
        }
    }

    /// Imports data, all of it or nothing.
    ///
    /// - Parameters:
    ///   - isDryRun: whether only to report the effects of the import.
    ///   - importer: makes the changes, and returns a report in its own form.
    /// - Throws: `importRefused`.
    public func importData(
        isDryRun: Bool, for context: RequestContext,
        _ importer: @escaping @Sendable (inout WriteTransaction) throws -> [UInt8]
    ) async throws(ServiceError) -> [UInt8] {
        if isDryRun {
            var trial = WriteTransaction(context.town)
            do {
                return try importer(&trial)
            } catch {
                throw ServiceError(error)
            }
        }
        return try await run(Transaction(for: context, .superAdmin, payers: [], importer), for: context)
    }
}
