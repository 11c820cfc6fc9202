import Platform
import SookeModel
import Store
import Synchronization

extension TownService {
    package func takeSnapshot(for context: RequestContext) async throws(ServiceError) -> SnapshotSummary {
        do {
            try await requireSuperAdmin(context)
            return try await store.snapshot()
        } catch {
            throw ServiceError(error)
        }
    }

    /// Makes the town read-only once all changes that are under way are on stable storage; or accepts changes again.
    ///
    /// - Parameter reason: nil for none, or for the one before.
    /// - Returns: the newest version; a read-only town has every acknowledged change in it.
    package func setReadOnly(
        _ isReadOnly: Bool, reason: String?, for context: RequestContext
    ) async throws(ServiceError) -> Version {
        var problems = FieldProblems()
        if let reason {
            problems.require(isReadOnly, "reason", "is given for a read-only town only")
            problems.require(
                1...200 ~= reason.count
                    && !reason.unicodeScalars.contains { $0.properties.generalCategory == .control },
                "reason", "must have 1 to 200 characters, without line breaks")
        }
        guard problems.isEmpty else { throw .invalid(problems) }
        do {
            try await requireSuperAdmin(context)
            guard isReadOnly else {
                if let since = store.readOnly?.since { accounts.endPause(since: since, at: clock()) }
                return try await store.endReadOnly()
            }
            return try await store.makeReadOnly(reason: reason)
        } catch {
            throw ServiceError(error)
        }
    }

    /// In the same way as a transaction, for what makes no commit.
    private func requireSuperAdmin(_ context: RequestContext) async throws {
        try await store.check { town in try Access.superAdmin.check(context.caller, slug: nil, in: town) }
    }

    /// Each transaction throws it anyway; this is for what nobody waits for, and for requests that are better refused
    /// early.
    package func requireWritable() throws(ServiceError) {
        if let state = store.readOnly { throw .readOnly(reason: state.reason) }
    }

    /// All of it or nothing. Editors import public data, and it counts as their change.
    package func importData<Result: Sendable>(
        isDryRun: Bool, of files: [String] = [], for context: RequestContext,
        _ importer: @escaping @Sendable (inout WriteTransaction) throws -> Result
    ) async throws(ServiceError) -> Result {
        let isByEditor = !context.isSuperAdmin
        let importer = { @Sendable (transaction: inout WriteTransaction) throws -> Result in
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
        var transaction =
            isByEditor
            ? Transaction(for: context, .editor, importer)
            : Transaction(for: context, .superAdmin, payers: [], importer)
        transaction.act = .importing(files)
        return try await run(transaction, for: context)
    }
}

/// How far the import that runs has come, for those who wait for it.
package final class ImportProgress: Sendable {
    private let current = Mutex<State>(nil)

    package init() {}

    /// In a phase, such as `checking`; the numbers are those of records or bytes.
    package func update(_ phase: String, done: Int, of total: Int) {
        current.withLock { $0 = (phase, done, total) }
    }

    /// Returns also the memory of its rows to the system: the arenas would keep it between what is in use.
    package func clear() {
        current.withLock { $0 = nil }
        Machine.returnFreedMemory()
    }

    package var state: State { current.withLock(\.self) }

    /// Nil when no import runs.
    package typealias State = (phase: String, done: Int, total: Int)?

    package static let body = Body<State>(
        "import_progress",
        Member("phase", "reading, checking or writing; null when no import runs") { $0?.phase },
        Member("done", "How much of the phase is done") { $0?.done ?? 0 },
        Member("total", "How much there is to do, in bytes or records") { $0?.total ?? 0 })
}
