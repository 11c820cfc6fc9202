import SookeModel
import Store

/// Files to import together: all of them, or nothing.
///
/// Creating an import reads the files, which needs no store and may happen on any thread; applying it is a step of a
/// transaction:
///
/// ```swift
/// let files = [ImportFile(name: "businesses.csv", bytes: bytes)]
/// let records = Import(files: files)
/// let report = try await store.write(by: .local) { transaction in try records.apply(to: &transaction) }.result
/// ```
///
/// Records are matched by their slug, people by their e-mail address; see `WriteTransaction.upsert`. They may refer to
/// records of all files and of the store. The order of the files does not change the result.
package struct Import: Sendable {
    /// How far an import has come.
    package enum Phase: String, Sendable, CaseIterable {
        /// It reads the files; the numbers are bytes.
        case reading
        /// It checks the records against the town, and each other.
        case checking
    }

    /// Receives now and then how much of a phase is done, of how much.
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

/// What an import knows besides its files.
package struct ImportOptions: Sendable {
    /// The time zone of the town: that of times without an offset.
    package var zone: TimeZone
    /// Finds the time zone with a name; nil when there is none.
    package var findZone: @Sendable (String) -> TimeZone?
    /// Whether categories and event types that do not exist are created.
    package var createsTerms = false
    /// Whether the starter set of categories and event types is added.
    package var addsStarter = false
    /// Whether records that are invalid are left out, instead of all being refused.
    package var skipsInvalid = false
    /// Whether the settings of a town are replaced by those in the files.
    package var replacesSettings = false
    /// Whether records are deleted that were deleted where the files are from.
    package var deletesMissing = false
    /// Whether an editor imports: then files may have only what editors change.
    package var isByEditor = false
    /// Where the town is, unless it has a center; nil for not known.
    package var center: Coordinates?
    /// The category of businesses without one, by name or slug; nil for none.
    package var category: String?
    /// The event type of events without one, by name or slug; nil for none.
    package var eventType: String?

    /// What records get that refer to no term of a kind; nil for none.
    func term(of kind: RecordKind) -> String? { kind == .category ? category : kind == .eventType ? eventType : nil }

    /// - Parameter findZone: finds a time zone; by default every name is one, with the offset of UTC.
    package init(
        zone: TimeZone = TimeZone(name: "Etc/UTC", fixedOffset: 0),
        findZone: @escaping @Sendable (String) -> TimeZone? = { TimeZone(name: $0, fixedOffset: 0) }
    ) {
        (self.zone, self.findZone) = (zone, findZone)
    }
}
