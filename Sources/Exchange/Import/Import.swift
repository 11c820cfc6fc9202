import SookeModel
import Store

/// Files to be brought into the store together: all of them, or nothing.
///
/// Making an import reads the files, which needs no store and may happen on any thread; applying it is a step of a
/// transaction:
///
/// ```swift
/// let files = [ImportFile(name: "businesses.csv", bytes: bytes)]
/// let records = Import(files: files)
/// let report = try await store.write(by: .local) { edit in try records.apply(to: &edit) }.result
/// ```
///
/// Records are put in by their slug, people by their e-mail address; see `Edit.upsert`. They may name records of any
/// of the files and of the store. The same files give the same result in whatever order they are given.
public struct Import: Sendable {
    struct File: Sendable {
        let name: String
        let content: FileRows
    }

    let files: [File]

    /// Reads the files.
    public init(files: [ImportFile]) {
        self.files = files.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }.map {
            File(name: $0.name, content: $0.readRows())
        }
    }

    /// How many records the files hold, bad ones included.
    public var count: Int { files.reduce(0) { $0 + $1.content.rows.count } }

    /// Puts all records into the town.
    ///
    /// When it throws, some records may be in the edit: the transaction must throw as well, which leaves nothing of it.
    /// - Parameter progress: is told now and then how many records are done, of how many.
    /// - Throws: everything that is wrong with the files, when anything is.
    public func apply(
        to edit: inout Edit, progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) throws(ImportProblems) -> ImportReport {
        var importer = Importer(files)
        // What was not read is missed by the records that name it: their problems would not be their own.
        if files.allSatisfy(\.content.isWhole) { importer.apply(to: &edit, progress) }
        let problems = importer.problems
        guard problems.isEmpty else { throw ImportProblems(problems) }
        return importer.report
    }
}
