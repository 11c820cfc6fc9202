import Journal
import Synchronization

/// The files of the operating system, on a disk that at times has no room for new files of some names.
package final class FullFileSystem: FileSystem {
    private let disk = POSIXFileSystem()
    private let prefix: String
    private let isFull = Mutex(false)
    private let code: Int32

    /// - Parameters:
    ///   - prefix: how the names begin that there is no room for.
    ///   - code: what the operating system says then.
    package init(refusing prefix: String, code: Int32) {
        (self.prefix, self.code) = (prefix, code)
    }

    /// From now on there is no room for new files of these names.
    package func fill() {
        isFull.withLock { $0 = true }
    }

    /// There is again.
    package func makeRoom() {
        isFull.withLock { $0 = false }
    }

    package func create(_ path: String) throws(FileSystemError) -> any OpenFile {
        let isRefused = isFull.withLock { $0 } && (path.split(separator: "/").last ?? "").hasPrefix(prefix)
        if isRefused { throw FileSystemError(.create, path: path, code: code) }
        return try disk.create(path)
    }

    package func createDirectory(_ path: String) throws(FileSystemError) { try disk.createDirectory(path) }

    package func list(_ path: String) throws(FileSystemError) -> [String] { try disk.list(path) }

    package func open(_ path: String) throws(FileSystemError) -> any OpenFile { try disk.open(path) }

    package func rename(_ path: String, to target: String) throws(FileSystemError) {
        try disk.rename(path, to: target)
    }

    package func remove(_ path: String) throws(FileSystemError) { try disk.remove(path) }

    package func openDirectory(_ path: String) throws(FileSystemError) -> any OpenDirectory {
        try disk.openDirectory(path)
    }

    package func lock(_ path: String) throws(FileSystemError) -> any HeldLock { try disk.lock(path) }
}
