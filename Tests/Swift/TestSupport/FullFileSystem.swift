import Journal
import Synchronization

/// The file system of the operating system, on a disk that can be full for files with some names.
package final class FullFileSystem: FileSystem {
    private let disk = POSIXFileSystem()
    private let prefix: String
    private let isFull = Mutex(false)
    private let code: Int32

    /// - Parameters:
    /// - prefix: the prefix of the names of these files.
    /// - code: the error of the operating system.
    package init(refusing prefix: String, code: Int32) {
        (self.prefix, self.code) = (prefix, code)
    }

    /// The disk is full for these files from now on.
    package func fill() {
        isFull.withLock { $0 = true }
    }

    /// The disk has room again.
    package func makeRoom() {
        isFull.withLock { $0 = false }
    }

    package func createDirectory(_ path: String) throws(FileSystemError) { try disk.createDirectory(path) }

    package func open(_ path: String) throws(FileSystemError) -> any OpenFile { try disk.open(path) }

    package func openDirectory(_ path: String) throws(FileSystemError) -> any OpenDirectory {
        FullDirectory(try disk.openDirectory(path), on: self)
    }

    fileprivate func refuses(_ name: String) -> Bool { name.hasPrefix(prefix) }

    fileprivate func requireRoom(_ step: FileSystemError.Operation, _ path: String) throws(FileSystemError) {
        if isFull.withLock({ $0 }) { throw FileSystemError(step, path: path, code: code) }
    }
}

/// A folder on a disk that can be full.
private final class FullDirectory: OpenDirectory {
    private let folder: any OpenDirectory
    private let disk: FullFileSystem

    init(_ folder: any OpenDirectory, on disk: FullFileSystem) {
        (self.folder, self.disk) = (folder, disk)
    }

    var path: String { folder.path }

    var isInPlace: Bool { folder.isInPlace }

    func create(_ name: String) throws(FileSystemError) -> any OpenFile {
        guard disk.refuses(name) else { return try folder.create(name) }
        let path = "\(folder.path)/\(name)"
        try disk.requireRoom(.create, path)
        return FullFile(try folder.create(name), path: path, on: disk)
    }

    func list() throws(FileSystemError) -> [String] { try folder.list() }

    func open(_ name: String) throws(FileSystemError) -> any OpenFile { try folder.open(name) }

    func secure(_ name: String, length: Int, from offset: Int) throws(FileSystemError) -> Bool {
        try folder.secure(name, length: length, from: offset)
    }

    func rename(_ name: String, to target: String) throws(FileSystemError) { try folder.rename(name, to: target) }

    func remove(_ name: String) throws(FileSystemError) { try folder.remove(name) }

    func createDirectory(_ name: String) throws(FileSystemError) { try folder.createDirectory(name) }

    func openDirectory(_ name: String) throws(FileSystemError) -> any OpenDirectory { try folder.openDirectory(name) }

    func sync() throws(FileSystemError) { try folder.sync() }

    func status(of name: String) throws(FileSystemError) -> (identity: String, length: Int) {
        try folder.status(of: name)
    }

    func diskBytes() throws(FileSystemError) -> (total: Int, free: Int) { try folder.diskBytes() }

    func lock(_ name: String, shared: Bool) throws(FileSystemError) -> any FolderLock {
        try folder.lock(name, shared: shared)
    }
}

/// A file on a disk that can be full.
private final class FullFile: OpenFile {
    private let file: any OpenFile
    private let path: String
    private let disk: FullFileSystem

    init(_ file: any OpenFile, path: String, on disk: FullFileSystem) {
        (self.file, self.path, self.disk) = (file, path, disk)
    }

    func append(_ bytes: [UInt8]) throws(FileSystemError) {
        try disk.requireRoom(.write, path)
        try file.append(bytes)
    }

    func read(at offset: Int, count: Int) throws(FileSystemError) -> [UInt8] { try file.read(at: offset, count: count) }

    func reserve(_ count: Int) { file.reserve(count) }

    func overwrite(_ bytes: [UInt8]) throws(FileSystemError) { try file.overwrite(bytes) }

    func sync() throws(FileSystemError) { try file.sync() }

    var identity: String? { file.identity }

    func truncate(to length: Int) throws(FileSystemError) { try file.truncate(to: length) }

    func length() throws(FileSystemError) -> Int { try file.length() }
}
