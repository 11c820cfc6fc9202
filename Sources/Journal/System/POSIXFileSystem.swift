import Platform

/// The file system of the operating system.
///
/// Interrupted calls are repeated, short writes continue where they stopped, and `errno` is read before anything else
/// can change it. Descriptors are closed on exec.
package struct POSIXFileSystem: FileSystem {
    package init() {}

    package func createDirectory(_ path: String) throws(FileSystemError) {
        try named(.createDirectory, path) { () throws(SystemError) in
            try FileDescriptor.workingFolder.createFolder(path)
        }
    }

    package func open(_ path: String) throws(FileSystemError) -> any OpenFile {
        try POSIXFile(name: path, in: nil, flags: .read, operation: .open)
    }

    package func openDirectory(_ path: String) throws(FileSystemError) -> any OpenDirectory {
        try POSIXDirectory(name: path, in: nil)
    }
}

final class POSIXFile: OpenFile {
    let path: String
    private let owned: OwnedDescriptor

    private var descriptor: FileDescriptor { owned.descriptor }

    /// In a folder, or by its path when `folder` is nil.
    init(
        name: String, in folder: POSIXDirectory?, flags: OpenFlags, operation: FileSystemError.Operation
    ) throws(FileSystemError) {
        path = folder?.path(of: name) ?? name
        owned = try openDescriptor(name, in: folder, flags, operation)
    }

    func read(at offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
        try named(.read, path) { () throws(SystemError) in try descriptor.read(at: offset, count: count) }
    }

    func append(_ bytes: [UInt8]) throws(FileSystemError) {
        try named(.write, path) { () throws(SystemError) in try descriptor.write(bytes) }
    }

    func reserve(_ count: Int) {
        // Not `fallocate`: converting what it reserves costs a sync nearly as much as allocating new blocks. Errors are
        // ignored: the next `sync` reports a failed write, and the next append a full disk.
        descriptor.writeZerosAhead(count)
    }

    func overwrite(_ bytes: [UInt8]) throws(FileSystemError) {
        try named(.write, path) { () throws(SystemError) in try descriptor.write(bytes, at: 0) }
    }

    func sync() throws(FileSystemError) {
        try named(.sync, path) { () throws(SystemError) in try descriptor.syncData() }
    }

    func truncate(to length: Int) throws(FileSystemError) {
        try named(.truncate, path) { () throws(SystemError) in
            try descriptor.truncate(to: length)
            try descriptor.seek(to: length)
        }
    }

    func secure(length: Int, from offset: Int) throws(FileSystemError) -> Bool {
        let status = try named(.length, path) { () throws(SystemError) in try descriptor.status() }
        guard status.linkCount == 1 else { return false }
        let bytes = try read(at: offset, count: length - offset)
        try named(.write, path) { () throws(SystemError) in try descriptor.seek(to: offset) }
        try append(bytes)
        try truncate(to: length)
        try sync()
        return true
    }

    func length() throws(FileSystemError) -> Int {
        try named(.length, path) { () throws(SystemError) in try descriptor.status().length }
    }

    var identity: String? {
        guard let status = try? descriptor.status(), status.isRegularFile else { return nil }
        return status.identity.text
    }
}

extension FileStatus.Identity {
    var text: String { "\(device)-\(number)" }
}

/// With mode 0600, close-on-exec.
func openDescriptor(
    _ name: String, in folder: POSIXDirectory?, _ flags: OpenFlags, _ operation: FileSystemError.Operation
) throws(FileSystemError) -> OwnedDescriptor {
    do throws(SystemError) {
        return try OwnedDescriptor.open(name, in: folder?.descriptor ?? .workingFolder, flags)
    } catch {
        throw FileSystemError(operation, path: folder?.path(of: name) ?? name, error)
    }
}

/// Adds the operation and the file to an error of the system.
func named<Value>(
    _ operation: FileSystemError.Operation, _ path: String, _ call: () throws(SystemError) -> Value
) throws(FileSystemError) -> Value {
    do throws(SystemError) {
        return try call()
    } catch {
        throw FileSystemError(operation, path: path, error)
    }
}
