import Bytes
import HTTP
import Journal
import Store

/// A data folder that was made by a restore or a repair.
enum RestoredTown {
    /// Copies a state with its history, and shows how far that is.
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

    /// Opens the copy once, as a server would, which also leaves a snapshot of it, and makes it one that can be served;
    /// what it holds, in a line.
    ///
    /// - Parameter source: a folder whose owner gets a copy that root makes, unless the new folder was somebody's
    ///   before.
    /// - Throws: why it cannot be served; nothing of it remains then.
    static func finish(_ copy: FolderCopy, ownedLike source: String?, _ console: Console) throws -> String {
        do {
            let version = try DataFolder.check(copy.lockedFolder, console: console)
            try (FolderOwner(of: copy.lockedFolder.path) ?? source.flatMap(FolderOwner.init(of:)))?.take(
                copy.lockedFolder.path)
            try copy.complete()
            let moment = version.sequence == 0 ? "" : ", after change \(version.sequence) of \(version.at.rfc3339)"
            return version.community.summary + moment
        } catch {
            copy.discard()
            throw error
        }
    }
}
