import Bytes
import Exchange
import Platform
import Service
import SookeModel
import Store

/// An import into a folder that no server uses, complete or not at all.
struct ImportRun {
    enum Outcome {
        /// - Parameter firstClocks: what clocks the town has got, for people; nil when it had some.
        case imported(ImportAnswer, firstClocks: String?)
        /// Nothing was imported because of these problems.
        case refused(summary: String, problems: [String])
    }

    /// The phase after those of `Import.Phase`: the records go to the disk.
    static let writing = "writing"

    let files: [ImportFile]
    /// The zone among them is that of a town that is new.
    let options: ImportOptions
    /// What the command says of the clocks of the town.
    let clocks: FirstClocks
    let isDryRun: Bool
    let console: Console
    let progress: PhasedProgress

    /// The options of an import in a time zone; the system says which other ones exist.
    static func options(timeZone: String) throws(CommandError) -> ImportOptions {
        let database = TimeZoneDatabase()
        let zones = TimeZones(file: database.file(named:))
        return ImportOptions(zone: try TownServer.zone(timeZone, of: zones, in: database)) { name in
            try? zones.zone(named: name)
        }
    }

    /// Reads the files; times without an offset are on the clocks that the command names, else on those of the town.
    private func records(for settings: Settings) -> Import {
        var options = options
        if clocks.timeZone == nil, let zone = settings.timeZone.flatMap(options.findZone) { options.zone = zone }
        return Import(files: files, options: options, progress: progress.update)
    }

    /// Applies records, and gives a town without clocks its first ones.
    private func apply(_ records: Import, to transaction: inout WriteTransaction) throws -> Result {
        let report = try records.apply(to: &transaction, progress: progress.update)
        let isFirst = try clocks.fill(&transaction, likely: options.zone.name)
        return (report, isFirst ? FirstClocks.words(transaction.town.settings) : nil)
    }

    /// Imports the files into the store of a folder, which is created if it does not exist. A dry run only reports the
    /// result.
    ///
    /// - Throws: `ImportProblems` with all errors in the records; or an error of the store.
    func run(into folder: String) throws -> Outcome {
        let result = try result(in: folder)
        return .imported(result.report.answer, firstClocks: isDryRun ? nil : result.firstClocks)
    }

    private typealias Result = (report: ImportReport, firstClocks: String?)

    private func result(in folder: String) throws -> Result {
        if !DataFolder.exists(folder) {
            // A folder is created for records that are valid, and not for a dry run.
            let prepared = try prepare(on: Town(), at: TimeSource.system.wall())
            if isDryRun { return prepared.result }
            return try DataFolder.use(folder, reads: false, console: console) { try await commit(prepared, on: $0) }
        }
        return try DataFolder.use(folder, reads: isDryRun, console: console) { store in
            let town = store.current.town
            if isDryRun { return try prepare(on: town, at: Timestamp.epoch).result }
            let records = records(for: town.settings)
            return try await store.write(by: .local) { transaction in
                let result = try apply(records, to: &transaction)
                progress.beginWriting(result.report)
                return result
            }.result
        }
    }

    /// An import that was applied to a version of a town, without a store: all of its records are valid.
    private struct Prepared: Sendable {
        let records: Import
        let transaction: WriteTransaction
        let result: Result
    }

    private func prepare(on town: Town, at now: Timestamp) throws -> Prepared {
        let records = records(for: town.settings)
        var transaction = WriteTransaction(town, at: now)
        let result = try apply(records, to: &transaction)
        return Prepared(records: records, transaction: transaction, result: result)
    }

    /// Commits an import that was prepared on a town without records. If the store has records by now, the import is
    /// applied again.
    private func commit(_ prepared: Prepared, on store: Store) async throws -> Result {
        progress.beginWriting(prepared.result.report)
        return try await store.write(by: .local) { transaction in
            guard transaction.town.isEmpty else { return try apply(prepared.records, to: &transaction) }
            transaction.adopt(prepared.transaction)
            return prepared.result
        }.result
    }
}

extension PhasedProgress {
    @Sendable func update(_ phase: Import.Phase, _ done: Int, _ total: Int) {
        update(phase: phase.rawValue, done: done, of: total)
    }

    func update(phase: String, done: Int, of total: Int) {
        let isReading = phase == Import.Phase.reading.rawValue
        update(phase, isReading ? .bytes : .things("record"), done: done, of: total)
    }

    fileprivate func beginWriting(_ report: ImportReport) {
        update(phase: ImportRun.writing, done: report.changed, of: report.changed)
    }
}
