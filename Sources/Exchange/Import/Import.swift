import SookeModel
import Store

/// Files to import together: all of them, or nothing.
///
/// Creating one reads the files, on any thread; applying it is a step of a transaction:
///
/// ```swift
/// let files = [ImportFile(name: "businesses.csv", bytes: bytes)]
/// let records = Import(files: files)
/// let report = try await store.write(by: .local) { transaction in try records.apply(to: &transaction) }.result
/// ```
///
/// Records are matched by their slug, people by their e-mail address. They may refer to records of all files and of the
/// store. The order of the files does not change the result.
package struct Import: Sendable {
    package enum Phase: String, Sendable, CaseIterable {
        /// In bytes.
        case reading
        case checking
    }

    package typealias Observer = (_ phase: Phase, _ done: Int, _ total: Int) -> Void

    private(set) var files: [File]
    private let options: ImportOptions

    package init(files: [ImportFile], options: ImportOptions = ImportOptions(), progress: Observer = { _, _, _ in }) {
        self.options = options
        let total = files.reduce(0) { $0 + $1.bytes.count }
        var before = 0
        self.files = files.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }.map { file in
            var content = file.readRows(options) { done in progress(.reading, before + done, total) }
            content.name = file.name
            before += file.bytes.count
            progress(.reading, before, total)
            return content
        }
    }

    /// When it throws, the transaction may hold some of the records; the transaction must throw, too, to discard them.
    /// - Throws: all problems of the files; those of what editors may not import alone.
    package func apply(
        to transaction: inout WriteTransaction, progress: Observer = { _, _, _ in }
    ) throws(ImportProblems) -> ImportReport {
        let refused = options.isByEditor ? files.flatMap(\.problemsForEditors) : []
        guard refused.isEmpty else { throw ImportProblems(refused) }
        guard options.skipsInvalid else { return try applyAll(to: &transaction, progress: progress) }
        var (valid, skipped) = (self, [Finding]())
        // What refers to a record that is left out is left out in a later round. Each one leaves out another record,
        // and references are few kinds deep.
        while valid.files.allSatisfy(\.isWhole) {
            var trial = transaction
            var importer = Importer(valid.files, options)
            importer.apply(to: &trial) { done, total in progress(.checking, done, total) }
            let invalid = importer.invalid
            if invalid.isEmpty {
                transaction = trial
                importer.leaveOut(skipped, valid.files.compactMap(\.skipped))
                return importer.report
            }
            skipped += importer.problems
            for (file, row) in invalid { valid.files[file].rows[row].skip() }
        }
        return try applyAll(to: &transaction, progress: progress)
    }

    private func applyAll(
        to transaction: inout WriteTransaction, progress: Observer
    ) throws(ImportProblems) -> ImportReport {
        var importer = Importer(files, options)
        // Otherwise records that refer to unread ones would get problems that are not their own.
        if files.allSatisfy(\.isWhole) {
            importer.apply(to: &transaction) { done, total in progress(.checking, done, total) }
        } else {
            importer.warnOfUnchecked()
        }
        let problems = importer.problems
        guard problems.isEmpty else {
            throw ImportProblems(problems, after: importer.report.warnings, isUnread: options.skipsInvalid)
        }
        return importer.report
    }
}

package struct ImportOptions: Sendable {
    /// Of times without an offset.
    package var zone: TimeZone
    package var findZone: @Sendable (String) -> TimeZone?
    /// Creates missing categories and event types.
    package var createsTerms = false
    package var addsStarter = false
    /// Leaves invalid records out, instead of refusing all.
    package var skipsInvalid = false
    /// Else those of the files fill only what the town has not set.
    package var replacesSettings = false
    /// Deletes what was deleted where the files are from.
    package var deletesMissing = false
    /// Files of an editor may have only what editors change.
    package var isByEditor = false
    package var center: Coordinates?
    /// By name or slug, for businesses without one.
    package var category: String?
    package var eventType: String?

    func term(of kind: RecordKind) -> String? { kind == .category ? category : kind == .eventType ? eventType : nil }

    /// - Parameter findZone: by default every name is a zone, with the offset of UTC.
    package init(
        zone: TimeZone = TimeZone(name: "Etc/UTC", fixedOffset: 0),
        findZone: @escaping @Sendable (String) -> TimeZone? = { TimeZone(name: $0, fixedOffset: 0) }
    ) {
        (self.zone, self.findZone) = (zone, findZone)
    }
}
