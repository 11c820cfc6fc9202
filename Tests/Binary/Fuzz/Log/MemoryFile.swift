@testable import Journal

/// A file in memory that is only read.
final class MemoryFile: OpenFile {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    func read(at offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
        Array(bytes.dropFirst(offset).prefix(count))
    }

    func length() throws(FileSystemError) -> Int { bytes.count }

    func append(_ bytes: [UInt8]) throws(FileSystemError) { fatalError("a file that is only read") }

    func reserve(_ count: Int) { fatalError("a file that is only read") }

    func overwrite(_ bytes: [UInt8]) throws(FileSystemError) { fatalError("a file that is only read") }

    func sync() throws(FileSystemError) { fatalError("a file that is only read") }

    var identity: String? { "0-0" }

    func truncate(to length: Int) throws(FileSystemError) { fatalError("a file that is only read") }
}

/// A folder in which every name is the same file.
final class MemoryDirectory: OpenDirectory {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var path: String { "folder" }

    var isInPlace: Bool { true }

    func open(_ name: String) throws(FileSystemError) -> any OpenFile { MemoryFile(bytes) }

    func openDirectory(_ name: String) throws(FileSystemError) -> any OpenDirectory { MemoryDirectory(bytes) }

    func list() throws(FileSystemError) -> [String] { [] }

    func sync() throws(FileSystemError) {}

    func create(_ name: String) throws(FileSystemError) -> any OpenFile { readOnly() }

    func secure(_ name: String, length: Int, from offset: Int) throws(FileSystemError) -> Bool { readOnly() }

    func rename(_ name: String, to target: String) throws(FileSystemError) { readOnly() }

    func remove(_ name: String) throws(FileSystemError) { readOnly() }

    func createDirectory(_ name: String) throws(FileSystemError) { readOnly() }

    func status(of name: String) throws(FileSystemError) -> (identity: String, length: Int) { ("0-0", bytes.count) }

    func diskBytes() throws(FileSystemError) -> Int { bytes.count }

    func lock(_ name: String, shared: Bool) throws(FileSystemError) -> any FolderLock { readOnly() }

    private func readOnly() -> Never { fatalError("a folder that is only read") }
}

/// A file system in which every folder is the same.
struct MemoryFileSystem: FileSystem {
    private let directory: MemoryDirectory

    init(_ bytes: [UInt8]) {
        directory = MemoryDirectory(bytes)
    }

    func open(_ path: String) throws(FileSystemError) -> any OpenFile { try directory.open(path) }

    func openDirectory(_ path: String) throws(FileSystemError) -> any OpenDirectory { directory }

    func createDirectory(_ path: String) throws(FileSystemError) { fatalError("a folder that is only read") }
}
