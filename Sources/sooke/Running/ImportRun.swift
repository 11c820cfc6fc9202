import Bytes
import Exchange
import Platform
import Service
import Store

/// An import, complete or not at all.
enum ImportRun {
    private static let zones = TimeZones(file: TimeZoneDatabase().file(named:))

    /// Reads the files; the system says which time zones exist.
    static func records(in files: [ImportFile]) -> Import {
        Import(files: files) { (try? zones.zone(named: $0)) != nil }
    }

    /// Reads the files and imports their records into the store; a dry run only reports the result.
    ///
    /// - Throws: `ImportProblems` with all errors in the files; or an error of the store.
    static func run(
        _ files: [ImportFile], isDryRun: Bool, by author: Author = .local, on store: Store,
        progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) async throws -> ImportReport {
        if isDryRun { return try prepare(files, on: store.current.community).report }
        let records = records(in: files)
        return try await store.write(by: author) { transaction in
            try records.apply(to: &transaction, progress: progress)
        }.result
    }

    /// An import that was applied to a version of a town, without a store: all of its records are valid.
    struct Prepared: Sendable {
        fileprivate let records: Import
        fileprivate let transaction: WriteTransaction
        /// The result of the import.
        let report: ImportReport
    }

    /// Reads the files and applies their records to a version of a town.
    ///
    /// - Throws: `ImportProblems`.
    static func prepare(
        _ files: [ImportFile], on community: Community = Community(), at now: Timestamp = Timestamp(microseconds: 0),
        progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) throws(ImportProblems) -> Prepared {
        let records = records(in: files)
        var transaction = WriteTransaction(community, at: now)
        let report = try records.apply(to: &transaction, progress: progress)
        return Prepared(records: records, transaction: transaction, report: report)
    }

    /// Commits an import that was prepared on a town without records. If the store has records by now, the import is
    /// applied again.
    static func commit(_ prepared: Prepared, on store: Store) async throws -> ImportReport {
        try await store.write(by: .local) { transaction in
            guard transaction.community.isEmpty else { return try prepared.records.apply(to: &transaction) }
            transaction.adopt(prepared.transaction)
            return prepared.report
        }.result
    }
}
