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

    /// Imports data, all of it or nothing. Editors import public data, and it counts as their change.
    ///
    /// - Parameters:
    ///   - isDryRun: whether only to report the effects of the import.
    ///   - importer: makes the changes, and returns a report in its own form.
    /// - Throws: `importRefused`; `forbidden` when the changes of an editor are not all public.
    public func importData(
        isDryRun: Bool, for context: RequestContext,
        _ importer: @escaping @Sendable (inout WriteTransaction) throws -> [UInt8]
    ) async throws(ServiceError) -> [UInt8] {
        let isByEditor = !context.isSuperAdmin
        let importer = { @Sendable (transaction: inout WriteTransaction) throws -> [UInt8] in
            let report = try importer(&transaction)
            if isByEditor, !transaction.changesPublicDataOnly { throw ServiceError.forbidden }
            return report
        }
        if isDryRun {
            var trial = WriteTransaction(context.town)
            do {
                return try importer(&trial)
            } catch {
                throw ServiceError(error)
            }
        }
        let transaction =
            isByEditor
            ? Transaction(for: context, .editor, importer)
            : Transaction(for: context, .superAdmin, payers: [], importer)
        return try await run(transaction, for: context)
    }
}
