import Exchange
import Store

/// An import, whole or not at all.
enum ImportRun {
    /// Reads the files and brings their records into the store; a dry run only says what that would come to.
    ///
    /// - Throws: `ImportProblems`, everything that is wrong with the files; or why the store could not take them.
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

    /// What an import into a town would come to.
    ///
    /// - Throws: `ImportProblems`.
    static func preview(_ files: [ImportFile], on community: Community) throws(ImportProblems) -> ImportReport {
        var transaction = WriteTransaction(community)
        return try Import(files: files).apply(to: &transaction)
    }
}
