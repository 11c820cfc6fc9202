import Bytes
import Exchange
import Platform
import Service
import SookeModel
import Store

/// An import into a folder that no server uses, complete or not at all.
enum ImportRun {
    /// What came of an import.
    enum Outcome {
        case imported(ImportReport)
        /// Nothing was imported because of these problems.
        case refused(ImportFindings)
    }

    /// The phase after those of `Import.Phase`: the records go to the disk.
    static let writing = "writing"

    /// The options of an import in a time zone; the system says which other ones exist.
    static func options(timeZone: String) throws(CommandError) -> ImportOptions {
        let database = TimeZoneDatabase()
        let zones = TimeZones(file: database.file(named:))
        return ImportOptions(zone: try TownServer.zone(timeZone, of: zones, in: database)) { name in
            try? zones.zone(named: name)
        }
    }

    /// Imports records into the store of a folder, which is created if it does not exist. A
    /// dry run only reports the result.
    ///
    /// - Throws: `ImportProblems` with all errors in the records; or an error of the store.
    static func run(
        _ records: Import, isDryRun: Bool, into folder: String, _ console: Console, _ progress: PhasedProgress
    ) throws -> ImportReport {
        if !DataFolder.exists(folder) {
            // A folder is created for records that are valid, and not for a dry run.
            let prepared = try prepare(records, on: Town(), at: TimeSource.system.wall(), progress)
            if isDryRun { return prepared.report }
            return try DataFolder.use(folder, console: console) { try await commit(prepared, on: $0, progress) }
        }
        return try DataFolder.use(folder, console: console) { store in
            if isDryRun {
                let town = store.current.town
                return try prepare(records, on: town, at: Timestamp(microseconds: 0), progress).report
            }
            return try await store.write(by: .local) { transaction in
                let report = try records.apply(to: &transaction, progress: progress.update)
                progress.beginWriting(report)
                return report
            }.result
        }
    }

    /// An import that was applied to a version of a town, without a store: all of its records are valid.
    private struct Prepared: Sendable {
        let records: Import
        let transaction: WriteTransaction
        let report: ImportReport
    }

    private static func prepare(
        _ records: Import, on town: Town, at now: Timestamp, _ progress: PhasedProgress
    ) throws(ImportProblems) -> Prepared {
        var transaction = WriteTransaction(town, at: now)
        let report = try records.apply(to: &transaction, progress: progress.update)
        return Prepared(records: records, transaction: transaction, report: report)
    }

    /// Commits an import that was prepared on a town without records. If the store has records by now, the import is
    /// applied again.
    private static func commit(
        _ prepared: Prepared, on store: Store, _ progress: PhasedProgress
    ) async throws -> ImportReport {
        progress.beginWriting(prepared.report)
        return try await store.write(by: .local) { transaction in
            guard transaction.town.isEmpty else { return try prepared.records.apply(to: &transaction) }
            transaction.adopt(prepared.transaction)
            return prepared.report
        }.result
    }
}

extension PhasedProgress {
    @Sendable func update(_ phase: Import.Phase, _ done: Int, _ total: Int) {
        update(phase: phase.rawValue, done: done, of: total)
    }

    /// Updates a phase of an import, by its name.
    func update(phase: String, done: Int, of total: Int) {
        let isReading = phase == Import.Phase.reading.rawValue
        update(phase, isReading ? .bytes : .things("record"), done: done, of: total)
    }

    fileprivate func beginWriting(_ report: ImportReport) {
        update(phase: ImportRun.writing, done: report.changed, of: report.changed)
    }
}
