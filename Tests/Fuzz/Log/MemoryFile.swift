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

    func sync() throws(FileSystemError) { fatalError("a file that is only read") }

    func truncate(to length: Int) throws(FileSystemError) { fatalError("a file that is only read") }
}

/// A folder in which every name is the same file.
struct MemoryFileSystem: FileSystem {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    func open(_ path: String) throws(FileSystemError) -> any OpenFile { MemoryFile(bytes) }

    func openDirectory(_ path: String) throws(FileSystemError) -> any OpenDirectory { MemoryDirectory() }

    func list(_ path: String) throws(FileSystemError) -> [String] { [] }

    func createDirectory(_ path: String) throws(FileSystemError) { fatalError("a folder that is only read") }

    func create(_ path: String) throws(FileSystemError) -> any OpenFile { fatalError("a folder that is only read") }

    func rename(_ path: String, to target: String) throws(FileSystemError) { fatalError("a folder that is only read") }

    func remove(_ path: String) throws(FileSystemError) { fatalError("a folder that is only read") }

    func lock(_ path: String) throws(FileSystemError) -> any HeldLock { fatalError("a folder that is only read") }
}

private final class MemoryDirectory: OpenDirectory {
    func sync() throws(FileSystemError) {}
}
