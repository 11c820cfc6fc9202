import Platform
import Synchronization

/// A data folder that is open and locked: only this process writes to it.
///
/// All calls go through the open folder, so nothing is ever written to another folder that later has the same path.
/// `requireInPlace` is called before a file gets its name and before a batch is written.
package final class LockedFolder: Sendable {
    package var path: String { directory.path }

    /// For readers, wherever the folder is moved to.
    package var files: any FileSystem { OpenedFolder(directory: directory) }

    /// nil on a file system that is not the operating system's.
    package var descriptor: FileDescriptor? { (directory as? POSIXDirectory)?.descriptor }

    let directory: any OpenDirectory
    private let lock: any FolderLock
    private let names = Mutex<Set<String>>([])
    private let identities = Mutex<[String: String]>([:])

    /// - Parameters:
    ///   - readsOnly: the folder must exist, and others that only read may lock it too.
    ///   - check: checks the names before the lock, so that a foreign folder does not even get a lock file, and again
    ///     afterwards, since another process may have written until then.
    /// - Throws: of the kind `locked` when another process has the lock.
    init(
        _ path: String, fileSystem: any FileSystem, readsOnly: Bool = false,
        check: ([String]) throws(JournalError) -> Void
    ) throws(JournalError) {
        let directory = try FileSystemError.mapped(path) { () throws(FileSystemError) in
            try readsOnly ? fileSystem.openDirectory(path) : Self.open(path, making: fileSystem)
        }
        try check(FileSystemError.mapped(path, directory.list))
        lock = try FileSystemError.mapped(path) { () throws(FileSystemError) in
            try directory.lock(FileName.lock, shared: readsOnly)
        }
        self.directory = directory
        try FileSystemError.mapped(path, requireInPlace)
        try check(FileSystemError.mapped(path, directory.list))
    }

    /// - Throws: with `isDisplaced` when the path no longer leads to this folder, or the lock is not in it.
    func requireInPlace() throws(FileSystemError) {
        let path = directory.isInPlace ? lock.isInPlace ? nil : "\(path)/\(FileName.lock)" : path
        if let path { throw FileSystemError(.locate, path: path, code: 0) }
    }

    /// - Throws: with `isDisplaced` when a name no longer leads to the file of `remember`, or that file is shorter.
    func requireUnchanged(_ name: String, length: Int) throws(FileSystemError) {
        guard let known = identities.withLock({ $0[name] }) else { return }
        var code = FileSystemError.missing
        do throws(FileSystemError) {
            let found = try directory.status(of: name)
            if found.identity == known, found.length >= length { return }
            code = found.identity == known ? FileSystemError.truncated : 0
        } catch {
            // As with the folder: what cannot be determined is no reason to stop.
            guard error.isMissing else { return }
        }
        throw FileSystemError(.compare, path: "\(path)/\(name)", code: code)
    }

    func remember(_ file: any OpenFile, as name: String) {
        let identity = file.identity
        identities.withLock { $0[name] = identity }
    }

    /// By this process.
    var created: Set<String> { names.withLock { $0 } }

    func add(_ name: String) {
        names.withLock { _ = $0.insert(name) }
    }

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
            // Another process has created it at the same moment; the lock decides between them.
            guard error.isExisting else { throw error }
        }
        return try fileSystem.openDirectory(path)
    }
}

/// Wherever the path of the folder leads.
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
