import Bytes
import Platform

/// Where the name of a backup leads, through symbolic links.
enum BackupDestination: ~Copyable {
    /// A regular file, which the backup creates or replaces: its path, which is no link.
    case file(String)
    /// A device or a pipe, which the backup is written into.
    case stream(OwnedDescriptor)

    /// As many symbolic links as Linux follows.
    private static let linkLimit = 40

    /// - Parameter folder: the data folder; a backup in it could replace a file of the town.
    init(_ name: String, outside folder: String) throws(CommandError) {
        var path = name
        for _ in 0..<Self.linkLimit {
            if let status = try Self.status(of: path, named: name) {
                self = try Self.existing(path, status, named: name, outside: folder)
                return
            }
            guard let target = FileDescriptor.target(ofLink: path) else {
                try Self.require(path, outside: folder, named: name)
                self = .file(path)
                return
            }
            path = target.hasPrefix("/") ? target : "\(Self.parent(of: path))/\(target)"
        }
        throw CommandError(.usage, "\(name) leads through too many symbolic links")
    }

    private static func existing(
        _ path: String, _ status: FileStatus, named name: String, outside folder: String
    ) throws(CommandError) -> BackupDestination {
        guard !status.isFolder else { throw CommandError(.usage, "\(name) is a folder; name a file in it") }
        let isLink = FileDescriptor.target(ofLink: path) != nil
        let real = isLink ? try? FileDescriptor.realPath(of: path) : path
        try require(real ?? path, outside: folder, named: name)
        // A file that is open and was deleted has no name to replace.
        if status.isRegularFile, let real, FileDescriptor.workingFolder.leads(real, to: status.identity) {
            return .file(real)
        }
        do throws(SystemError) {
            return .stream(try OwnedDescriptor.open(path, [.write, .truncate]))
        } catch {
            throw CommandError(error.codeForOpening, "cannot open \(name): \(error)")
        }
    }

    /// Whether a path is below a folder, by the identity of both.
    static func isPath(_ path: String, in folder: String) throws(SystemError) -> Bool {
        guard let data = try? FileDescriptor.workingFolder.status(of: folder).identity else { return false }
        var level = try OwnedDescriptor.open(parent(of: path), [.name, .folder])
        while true {
            let identity = try level.descriptor.status().identity
            if identity == data { return true }
            level = try OwnedDescriptor.open("..", in: level.descriptor, [.name, .folder])
            if try level.descriptor.status().identity == identity { return false }
        }
    }

    private static func require(_ path: String, outside folder: String, named name: String) throws(CommandError) {
        do throws(SystemError) {
            guard try isPath(path, in: folder) else { return }
        } catch {
            throw CommandError(error.codeForOpening, "cannot write \(name): \(error)")
        }
        throw CommandError(
            .usage,
            "\(name) is in the data folder \(folder): it would be lost with the town, and could replace a file of it. "
                + "Name a file elsewhere, on another disk if there is one")
    }

    private static func status(of path: String, named name: String) throws(CommandError) -> FileStatus? {
        do throws(SystemError) {
            return try FileDescriptor.workingFolder.status(of: path)
        } catch {
            if error.isMissing { return nil }
            throw CommandError(error.codeForOpening, "cannot write \(name): \(error)")
        }
    }

    private static func parent(of path: String) -> String {
        let slash = path.lastIndex(of: "/")
        return slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    }
}
