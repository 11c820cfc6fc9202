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
public struct Import: Sendable {
    struct File: Sendable {
        let name: String
        let content: FileRows
    }

    let files: [File]
    private let isTimeZone: @Sendable (String) -> Bool

    /// Reads the files.
    ///
    /// - Parameter isTimeZone: whether a time zone exists; the names of others are problems.
    public init(files: [ImportFile], isTimeZone: @escaping @Sendable (String) -> Bool = { _ in true }) {
        self.isTimeZone = isTimeZone
        self.files = files.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }.map {
            File(name: $0.name, content: $0.readRows())
        }
    }

    /// The number of records in the files, including invalid ones.
    public var count: Int { files.reduce(0) { $0 + $1.content.rows.count } }

    /// Applies all records.
    ///
    /// When it throws, the transaction may hold some of the records; the transaction must throw, too, to discard them.
    /// - Parameter progress: called now and then with the number of records done, and the number of all.
    /// - Throws: all problems of the files.
    public func apply(
        to transaction: inout WriteTransaction, progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) throws(ImportProblems) -> ImportReport {
        var importer = Importer(files)
        // Otherwise records that refer to unread ones would get problems that are not their own.
        if files.allSatisfy(\.content.isWhole) { importer.apply(to: &transaction, isTimeZone, progress) }
        let problems = importer.problems
        guard problems.isEmpty else { throw ImportProblems(problems) }
        return importer.report
    }
}
