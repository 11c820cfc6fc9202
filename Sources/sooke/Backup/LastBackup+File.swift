import Bytes
import HTTP
import JSON
import Platform
import Service

/// The file of a data folder that says when it was last backed up, and whether the newest backup restores.
extension LastBackup {
    private static func path(in folder: String) -> String { "\(folder)/backup.json" }

    init(of folder: String) {
        self.init()
        guard let file = try? OwnedDescriptor.open(Self.path(in: folder), [.read, .noFollow, .nonBlocking]),
            let text = try? file.descriptor.read(at: 0, count: 64 << 10), let members = try? ResponseMembers(text)
        else { return }
        at = members["at"].flatMap(Timestamp.init(rfc3339:))
        failure = members["failed_at"].flatMap(Timestamp.init(rfc3339:)).map { ($0, members["error"] ?? "") }
        check = members["checked_at"].flatMap(Timestamp.init(rfc3339:)).map { time in
            (time, members["check"] ?? "", members["restores"] == "true")
        }
    }

    static func reading(_ folder: String) -> @Sendable () -> LastBackup { { LastBackup(of: folder) } }

    /// Runs a backup, which returns whether it made one or found a good one, and stores in the folder how it ended.
    static func store(
        in folder: String, _ console: Console, _ body: () throws(CommandError) -> Bool
    ) throws(CommandError) {
        var last = LastBackup(of: folder)
        do throws(CommandError) {
            guard try body() else { return }
            (last.at, last.failure) = (TimeSource.system.wall(), nil)
        } catch {
            last.failure = (TimeSource.system.wall(), error.message)
            last.write(to: folder, console)
            throw error
        }
        last.write(to: folder, console)
    }

    /// Runs a check of the newest backup, which returns what it has, and stores in the folder how it ended.
    static func storeCheck(
        in folder: String, _ console: Console, _ body: () throws(CommandError) -> String
    ) throws(CommandError) -> String {
        var last = LastBackup(of: folder)
        do throws(CommandError) {
            let text = try body()
            last.check = (TimeSource.system.wall(), text, true)
            last.write(to: folder, console)
            return text
        } catch {
            last.check = (TimeSource.system.wall(), error.message, false)
            last.write(to: folder, console)
            throw error
        }
    }

    private func write(to folder: String, _ console: Console) {
        // Another folder may be about to become a town: a restore takes none with a file in it.
        guard DataFolder.exists("\(folder)/manifest.json"), !DataFolder.exists("\(folder)/restore-in-progress") else {
            return
        }
        do {
            let write = {
                var file = try ReplacedFile(Self.path(in: folder))
                try file.write(json)
                try file.install()
            }
            if let owner = FolderOwner(of: folder) { try owner.run(write) } else { try write() }
        } catch {
            console.log(.warning, "warning: `sooke status` will not show this backup: \(CommandError(error).message)")
        }
    }

    private var json: [UInt8] {
        JSONWriter.object { writer in
            if let at { writer.member("at", at.rfc3339) }
            if let failure {
                writer.member("failed_at", failure.at.rfc3339)
                writer.member("error", failure.reason)
            }
            if let check {
                writer.member("checked_at", check.at.rfc3339)
                writer.member("restores", check.isGood)
                writer.member("check", check.text)
            }
        } + [ASCII.lineFeed]
    }
}
