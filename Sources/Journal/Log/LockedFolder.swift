import Synchronization

/// A data folder that this process alone writes to: open, and locked.
///
/// Everything goes through the open folder, so nothing is ever written to another folder that has come to have its
/// path. Before a file gets its name, and before a batch is written, `requireInPlace` is asked.
public final class LockedFolder: Sendable {
    /// The path that it was opened by.
    public var path: String { directory.path }

    /// The files in it, for who only reads them: they are found wherever the folder has been moved to.
    public var files: any FileSystem { OpenedFolder(directory: directory) }

    let directory: any OpenDirectory
    private let lock: any FolderLock
    private let names = Mutex<Set<String>>([])

    /// Opens a folder, which is made when it is missing, and locks it.
    ///
    /// - Parameter check: looks at the names in it, before the lock is taken, so that a folder of somebody else does
    ///   not get even a lock file, and again afterwards, since another process may have been at it until then.
    /// - Throws: `JournalError`; of the kind `locked` when another process holds it.
    init(
        _ path: String, fileSystem: any FileSystem, check: ([String]) throws(JournalError) -> Void
    ) throws(JournalError) {
        let directory = try FileSystemError.mapped(path) { () throws(FileSystemError) in
            try Self.open(path, making: fileSystem)
        }
        try check(FileSystemError.mapped(path, directory.list))
        lock = try FileSystemError.mapped(path) { () throws(FileSystemError) in try directory.lock(FileName.lock) }
        self.directory = directory
        try FileSystemError.mapped(path, requireInPlace)
        try check(FileSystemError.mapped(path, directory.list))
    }

    /// Whether the path still leads to this folder, and the lock is in it.
    ///
    /// - Throws: `FileSystemError` with `isDisplaced`.
    func requireInPlace() throws(FileSystemError) {
        let path = directory.isInPlace ? lock.isInPlace ? nil : "\(path)/\(FileName.lock)" : path
        if let path { throw FileSystemError(.locate, path: path, code: 0) }
    }

    /// The names of files that were made in it.
    var created: Set<String> { names.withLock { $0 } }

    /// Remembers that a file of this name is made.
    func add(_ name: String) {
        names.withLock { _ = $0.insert(name) }
    }

    /// Releases the lock.
    func release() {
        lock.release()
    }

    private static func open(
        _ path: String, making fileSystem: any FileSystem
    ) throws(FileSystemError) -> any OpenDirectory {
        do throws(FileSystemError) {
            return try fileSystem.openDirectory(path)
        } catch {
            guard error.isMissing else { throw error }
        }
        do throws(FileSystemError) {
            try fileSystem.createDirectory(path)
        } catch {
            // Another process has made it at the same moment; the lock decides whose it is.
            guard error.isExisting else { throw error }
        }
        return try fileSystem.openDirectory(path)
    }
}

/// The files of one folder that is open already, whatever its path leads to by now.
private struct OpenedFolder: FileSystem {
    let directory: any OpenDirectory

    func openDirectory(_ path: String) throws(FileSystemError) -> any OpenDirectory {
        guard path == directory.path else { throw FileSystemError(.open, path: path, code: FileSystemError.missing) }
        return directory
    }

    func open(_ path: String) throws(FileSystemError) -> any OpenFile {
        throw FileSystemError(.open, path: path, code: FileSystemError.missing)
    }

    func createDirectory(_ path: String) throws(FileSystemError) {
        throw FileSystemError(.createDirectory, path: path, code: FileSystemError.missing)
    }
}
