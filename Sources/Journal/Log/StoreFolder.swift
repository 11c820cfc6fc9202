import Platform
import Synchronization

/// The files of a data folder by name, and the one way to add a file. A failed call of the system becomes an error that
/// says what to do about the folder.
///
/// All calls go through the open folder, so nothing is ever written to another folder that later has the same path. One
/// that is written to is locked: only this process writes to it. `requireInPlace` is called before a file gets its name
/// and before a batch is written.
package final class StoreFolder: Sendable {
    private let directory: any OpenDirectory
    /// When the folder is written to.
    private let lock: (any FolderLock)?
    private let failpoints: JournalOptions.Failpoints
    private let created = Mutex<Set<String>>([])
    private let identities = Mutex<[String: String]>([:])

    init(_ path: String, fileSystem: any FileSystem) throws(JournalError) {
        (lock, failpoints) = (nil, [])
        directory = try FileSystemError.mapped(path) { () throws(FileSystemError) in
            try fileSystem.openDirectory(path)
        }
    }

    /// For writing.
    ///
    /// - Parameters:
    ///   - readsOnly: the folder must exist, and others that only read may lock it too.
    ///   - check: checks the names before the lock, so that a foreign folder does not even get a lock file, and again
    ///     afterwards, since another process may have written until then.
    /// - Throws: of the kind `locked` when another process has the lock.
    init(
        locking path: String, fileSystem: any FileSystem, readsOnly: Bool = false,
        failpoints: JournalOptions.Failpoints = [], check: ([String]) throws(JournalError) -> Void
    ) throws(JournalError) {
        let directory = try FileSystemError.mapped(path) { () throws(FileSystemError) in
            try readsOnly ? fileSystem.openDirectory(path) : Self.open(path, making: fileSystem)
        }
        try check(FileSystemError.mapped(path, directory.list))
        lock = try FileSystemError.mapped(path) { () throws(FileSystemError) in
            try directory.lock(FileName.lock, shared: readsOnly)
        }
        (self.directory, self.failpoints) = (directory, failpoints)
        try requireInPlace()
        try check(list())
    }

    private init(_ directory: any OpenDirectory) {
        (self.directory, lock, failpoints) = (directory, nil, [])
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
            // Another process has created it at the same time; the lock decides between them.
            guard error.isExisting else { throw error }
        }
        return try fileSystem.openDirectory(path)
    }

    package var path: String { directory.path }

    /// For readers, wherever the folder is moved to.
    package var files: any FileSystem { OpenedFolder(directory: directory) }

    /// nil on a file system that is not the operating system's.
    package var descriptor: FileDescriptor? { (directory as? POSIXDirectory)?.descriptor }

    func release() { lock?.release() }

    func path(of name: String) -> String { "\(path)/\(name)" }

    private func call<Value>(_ call: () throws(FileSystemError) -> Value) throws(JournalError) -> Value {
        try FileSystemError.mapped(path, call)
    }

    func list() throws(JournalError) -> [String] { try call(directory.list) }

    func sync() throws(JournalError) { try call(directory.sync) }

    func diskBytes() throws(JournalError) -> (total: Int, free: Int) { try call(directory.diskBytes) }

    func open(_ name: String) throws(JournalError) -> FolderFile {
        FolderFile(try call { () throws(FileSystemError) in try directory.open(name) }, in: path)
    }

    /// Of a small file; nil when there is none.
    func bytes(of name: String) throws(JournalError) -> [UInt8]? {
        do throws(JournalError) {
            let file = try open(name)
            return try file.read(at: 0, count: file.length())
        } catch {
            guard error.isMissing else { throw error }
            return nil
        }
    }

    /// nil when there is no file; with a fault when it is damaged.
    func document<Document>(
        _ name: String, _ read: ([UInt8]) throws(CheckedDocumentError) -> Document
    ) throws(JournalError) -> (document: Document?, fault: String?) {
        guard let bytes = try bytes(of: name) else { return (nil, nil) }
        do throws(CheckedDocumentError) {
            return (try read(bytes), nil)
        } catch {
            return (nil, error.description)
        }
    }

    func remove(_ name: String) throws(JournalError) {
        try call { () throws(FileSystemError) in try directory.remove(name) }
    }

    /// Unless the folder has been displaced.
    func rename(_ name: String, to target: String) throws(JournalError) {
        try requireInPlace()
        if target == FileName.manifest { try requireUnchanged(target) }
        recordCreated(target)
        try call { () throws(FileSystemError) in try directory.rename(name, to: target) }
    }

    /// - Throws: with `isDisplaced` when the path no longer leads to this folder, or the lock is not in it.
    func requireInPlace() throws(JournalError) {
        guard let lock else { return }
        let lost = directory.isInPlace ? lock.isInPlace ? nil : path(of: FileName.lock) : path
        if let lost { throw .system(FileSystemError(.locate, path: lost, code: 0), in: path) }
    }

    /// Throws when another process has deleted, replaced or truncated a file that this one installed.
    func requireUnchanged(_ name: String, length: Int = 0) throws(JournalError) {
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
        throw .system(FileSystemError(.compare, path: path(of: name), code: code), in: path)
    }

    /// For `requireUnchanged`.
    func remember(_ file: FolderFile, as name: String) {
        let identity = file.identity
        identities.withLock { $0[name] = identity }
    }

    private func recordCreated(_ name: String) {
        created.withLock { _ = $0.insert(name) }
    }

    /// As far as possible; the manifest first, so that no incomplete store remains.
    func removeCreated(except kept: String) {
        var names = created.withLock { $0 }.subtracting([kept])
        if names.remove(FileName.manifest) != nil { try? remove(FileName.manifest) }
        // A folder is removed after its contents.
        for name in names.sorted(by: >) { try? remove(name) }
    }

    /// See `OpenDirectory`.
    func secure(_ name: String, length: Int, from offset: Int) throws(JournalError) -> Bool {
        try requireInPlace()
        return try call { () throws(FileSystemError) in
            try directory.secure(name, length: length, from: offset)
        }
    }

    /// In place of a file that an interrupted step may have left. That one is not emptied but removed: after a crash in
    /// the middle of a rename it might have another name too.
    func create(_ name: String) throws(JournalError) -> FolderFile {
        recordCreated(name)
        let file = try call { () throws(FileSystemError) in
            do throws(FileSystemError) {
                return try directory.create(name)
            } catch {
                guard error.isExisting else { throw error }
            }
            try directory.remove(name)
            return try directory.create(name)
        }
        return FolderFile(file, in: path)
    }

    func begin(_ name: String) throws(JournalError) -> PendingFile {
        let temporary = name + FileName.temporarySuffix
        return PendingFile(
            file: try create(temporary), name: name, temporary: temporary, folder: self,
            renamesFirst: failpoints.contains(.renameBeforeSync))
    }

    /// For data that is not part of the store.
    func openQuarantine() throws(JournalError) -> StoreFolder {
        recordCreated(FileName.quarantine)
        return StoreFolder(
            try call { () throws(FileSystemError) in
                do throws(FileSystemError) {
                    try directory.createDirectory(FileName.quarantine)
                } catch {
                    guard error.isExisting else { throw error }
                }
                // The folder may exist from a time when the power failed before its name was synced.
                try directory.sync()
                return try directory.openDirectory(FileName.quarantine)
            })
    }

    func quarantine(_ name: String, _ write: (FolderFile) throws(JournalError) -> Void) throws(JournalError) {
        let quarantine = try openQuarantine()
        let file = try create("\(FileName.quarantine)/\(name)")
        try write(file)
        try file.sync()
        try quarantine.sync()
    }

    /// Writes a file, which is discarded when the function throws. It has to `install` the file.
    func write<Value>(
        _ name: String, _ body: (PendingFile) throws(JournalError) -> Value
    ) throws(JournalError) -> Value {
        let pending = try begin(name)
        do throws(JournalError) {
            return try body(pending)
        } catch {
            pending.discard()
            throw error
        }
    }

    /// In place of an existing file; more can be appended to the new one.
    @discardableResult
    func replace(_ name: String, with bytes: [UInt8]) throws(JournalError) -> FolderFile {
        try write(name) { pending throws(JournalError) in
            try pending.file.append(bytes)
            try pending.sync()
            try pending.install()
            return pending.file
        }
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
