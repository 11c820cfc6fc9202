import Bytes
import JSON
import Platform
import Service

/// The file of a data folder that says when it was last backed up.
extension LastBackup {
    private static func path(in folder: String) -> String { "\(folder)/backup.json" }

    init(of folder: String) {
        self.init()
        guard let file = try? OwnedDescriptor.open(Self.path(in: folder), [.read, .noFollow, .nonBlocking]),
            let text = try? file.descriptor.read(at: 0, count: 64 << 10)
        else { return }
        var (reader, members) = (JSONReader(text, limits: .trusted), [String: String]())
        do throws(JSONError) {
            try reader.beginObject()
            while let key = try reader.nextKey() { members[key] = try reader.readString() }
        } catch {
            return
        }
        at = members["at"].flatMap(Timestamp.init(rfc3339:))
        failure = members["failed_at"].flatMap(Timestamp.init(rfc3339:)).map { ($0, members["error"] ?? "") }
    }

    static func reading(_ folder: String) -> @Sendable () -> LastBackup { { LastBackup(of: folder) } }

    /// Runs a backup, which returns whether it made one or found a good one, and stores in the folder how it ended.
    static func store(
        in folder: String, _ console: Console, _ body: () throws(CommandError) -> Bool
    ) throws(CommandError) {
        var last = LastBackup()
        do throws(CommandError) {
            guard try body() else { return }
            last.at = TimeSource.system.wall()
        } catch {
            last.at = LastBackup(of: folder).at
            last.failure = (TimeSource.system.wall(), error.message)
            last.write(to: folder, console)
            throw error
        }
        last.write(to: folder, console)
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
        var writer = JSONWriter()
        writer.beginObject()
        if let at { writer.member("at", at.rfc3339) }
        if let failure {
            writer.member("failed_at", failure.at.rfc3339)
            writer.member("error", failure.reason)
        }
        writer.endObject()
        return writer.bytes + [ASCII.lineFeed]
    }
}
