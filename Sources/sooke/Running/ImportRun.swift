import Bytes
import Exchange
import Store

/// An import, complete or not at all.
enum ImportRun {
    /// Reads the files and imports their records into the store; a dry run only reports the result.
    ///
    /// - Throws: `ImportProblems` with all errors in the files; or an error of the store.
    static func run(
        _ files: [ImportFile], isDryRun: Bool, by author: Author = .local, on store: Store,
        progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) async throws -> ImportReport {
        if isDryRun { return try preview(files, on: store.current.community) }
        let records = Import(files: files)
        return try await store.write(by: author) { transaction in
            try records.apply(to: &transaction, progress: progress)
        }.result
    }

    /// The result of an import into a town.
    ///
    /// - Throws: `ImportProblems`.
    private static func preview(_ files: [ImportFile], on community: Community) throws(ImportProblems) -> ImportReport {
        var transaction = WriteTransaction(community)
        return try Import(files: files).apply(to: &transaction)
    }

    /// An import into a town that does not exist yet: all of its records are valid.
    struct Prepared: Sendable {
        fileprivate let records: Import
        fileprivate let transaction: WriteTransaction
        /// What it comes to.
        let report: ImportReport
    }

    /// Reads the files and applies their records to a town that does not exist yet.
    ///
    /// - Throws: `ImportProblems`.
    static func prepare(
        _ files: [ImportFile], at now: Timestamp, progress: (_ done: Int, _ total: Int) -> Void
    ) throws(ImportProblems) -> Prepared {
        let records = Import(files: files)
        var transaction = WriteTransaction(Community(), at: now)
        let report = try records.apply(to: &transaction, progress: progress)
        return Prepared(records: records, transaction: transaction, report: report)
    }

    /// Commits a prepared import: as it is, unless somebody has filled the store meanwhile.
    static func commit(_ prepared: Prepared, on store: Store) async throws -> ImportReport {
        try await store.write(by: .local) { transaction in
            guard transaction.community.isEmpty else { return try prepared.records.apply(to: &transaction) }
            transaction.adopt(prepared.transaction)
            return prepared.report
        }.result
    }
}
