import Bytes
import HTTP
import Journal
import Store

/// A data folder that was created by a restore or a repair.
enum RestoredTown {
    /// Surveys a folder and copies a state of it, once more when a server has dropped a file in between.
    static func repeating<Value>(_ attempt: () throws -> Value) throws -> Value {
        for _ in 1..<5 {
            do {
                return try attempt()
            } catch let error as JournalError where error.kind == .changed {}
        }
        return try attempt()
    }

    static func copy(
        _ sequence: Int, from survey: FolderSurvey, to target: String, keepingRest: Bool = false, _ console: Console
    ) throws(JournalError) -> FolderCopy {
        var progress = Progress("copying", unit: .things("change"), on: console)
        return try FolderCopy(
            of: sequence, from: survey, to: target, keepingRest: keepingRest, now: TimeSource.system.wall()
        ) { done, total in
            progress.update(done: done, of: total)
        }
    }

    /// Opens the copy once, as a server would, which also writes a snapshot of it, and completes it; returns a summary
    /// of its contents.
    ///
    /// - Parameter source: a copy that root makes gets the owner of this folder, unless the new folder had an owner
    ///   before.
    /// - Throws: why the copy cannot be served; it is removed then.
    static func finish(_ copy: FolderCopy, ownedLike source: String?, _ console: Console) throws -> String {
        do {
            let version = try DataFolder.check(copy.lockedFolder, console: console)
            if let folder = copy.lockedFolder.descriptor,
                let owner = FolderOwner(of: folder) ?? source.flatMap({ FolderOwner(of: $0) })
            {
                try owner.take(folder, at: copy.lockedFolder.path)
            }
            try copy.complete()
            let at = version.time.clock.rfc3339
            let moment = version.sequence == 0 ? "" : ", after change \(version.sequence) of \(at)"
            return version.town.summary + moment
        } catch {
            copy.discard()
            throw error
        }
    }
}
