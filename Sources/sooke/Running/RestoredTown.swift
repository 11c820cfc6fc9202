import HTTP
import Journal
import Store

/// A data folder that was made by a restore or a repair.
enum RestoredTown {
    /// Copies a state with its history, and shows how far that is.
    @discardableResult
    static func copy(
        _ sequence: Int, from survey: FolderSurvey, to target: String, keepingRest: Bool = false, _ console: Console
    ) throws(JournalError) -> FolderCopy {
        var progress = Progress("copying", unit: .things("changes"), on: console)
        return try FolderCopy(
            of: sequence, from: survey, to: target, keepingRest: keepingRest, now: TimeSource.system.wall()
        ) { done, total in
            progress.update(done: done, of: total)
        }
    }

    /// Opens the folder once, as a server would, which also leaves a snapshot of it; what it holds, in a line.
    ///
    /// - Throws: why it cannot be served; it is no data folder any more then.
    static func open(_ folder: String, _ console: Console) throws -> String {
        do {
            let version = try DataFolder.use(folder, console: console) { store in store.current }
            let moment = version.sequence == 0 ? "" : ", after change \(version.sequence) of \(version.at.rfc3339)"
            return version.community.headline + moment
        } catch {
            FolderCopy.discard(folder)
            throw error
        }
    }
}
