import Platform

final class POSIXDirectory: OpenDirectory {
    let path: String
    private let owned: OwnedDescriptor
    /// nil when it cannot be determined; then the folder is never in place.
    private let identity: FileStatus.Identity?

    var descriptor: FileDescriptor { owned.descriptor }

    init(name: String, in folder: POSIXDirectory?) throws(FileSystemError) {
        path = folder?.path(of: name) ?? name
        owned = try openDescriptor(name, in: folder, [.read, .folder], .open)
        identity = try? owned.descriptor.status().identity
    }

    /// For messages.
    func path(of name: String) -> String { "\(path)/\(name)" }

    func list() throws(FileSystemError) -> [String] {
        try named(.list, path) { () throws(SystemError) in try descriptor.names() }
    }

    func create(_ name: String) throws(FileSystemError) -> any OpenFile {
        // Not O_APPEND: appended bytes overwrite reserved zeros.
        try POSIXFile(name: name, in: self, flags: [.readWrite, .create, .exclusive], operation: .create)
    }

    func open(_ name: String) throws(FileSystemError) -> any OpenFile {
        // A pipe of that name must not hang a start.
        try POSIXFile(name: name, in: self, flags: [.read, .nonBlocking], operation: .open)
    }

    func secure(_ name: String, length: Int, from offset: Int) throws(FileSystemError) -> Bool {
        try POSIXFile(name: name, in: self, flags: .readWrite, operation: .open).secure(length: length, from: offset)
    }

    func rename(_ name: String, to target: String) throws(FileSystemError) {
        try named(.rename, path(of: name)) { () throws(SystemError) in try descriptor.rename(name, to: target) }
    }

    func remove(_ name: String) throws(FileSystemError) {
        try named(.remove, path(of: name)) { () throws(SystemError) in try descriptor.removeAny(name) }
    }

    func createDirectory(_ name: String) throws(FileSystemError) {
        try named(.createDirectory, path(of: name)) { () throws(SystemError) in try descriptor.createFolder(name) }
    }

    func openDirectory(_ name: String) throws(FileSystemError) -> any OpenDirectory {
        try POSIXDirectory(name: name, in: self)
    }

    func sync() throws(FileSystemError) {
        try named(.syncDirectory, path) { () throws(SystemError) in try descriptor.sync() }
    }

    func diskBytes() throws(FileSystemError) -> (total: Int, free: Int) {
        try named(.length, path) { () throws(SystemError) in try descriptor.diskBytes() }
    }

    func status(of name: String) throws(FileSystemError) -> (identity: String, length: Int) {
        let status = try named(.length, path(of: name)) { () throws(SystemError) in try descriptor.status(of: name) }
        return (status.identity.text, status.length)
    }

    var isInPlace: Bool { identity.map { FileDescriptor.workingFolder.leads(path, to: $0) } ?? false }

    func lock(_ name: String, shared: Bool) throws(FileSystemError) -> any FolderLock {
        try POSIXLock(name, in: self, shared: shared)
    }
}

/// Earlier versions use the lock of the file; the lock of the folder stays when the file is deleted.
private final class POSIXLock: FolderLock {
    private let folder: POSIXDirectory
    private let name: String
    private let owned: OwnedDescriptor
    private let identity: FileStatus.Identity?

    init(_ name: String, in folder: POSIXDirectory, shared: Bool) throws(FileSystemError) {
        do throws(SystemError) {
            try folder.descriptor.lock(shared: shared)
        } catch {
            // NFS and others lock files only: there the lock of the file must suffice.
            guard error.isUnsupported else { throw FileSystemError(.lock, path: folder.path, error) }
        }
        // Without the file, a shared lock is that of the folder.
        let name = shared && !folder.descriptor.exists(name) ? "." : name
        do throws(SystemError) {
            let owned = try OwnedDescriptor.open(name, in: folder.descriptor, shared ? .read : [.readWrite, .create])
            try owned.descriptor.lock(shared: shared)
            self.owned = owned
        } catch {
            folder.descriptor.unlock()
            throw FileSystemError(.lock, path: folder.path(of: name), error)
        }
        (self.folder, self.name) = (folder, name)
        identity = try? owned.descriptor.status().identity
    }

    deinit {
        release()
    }

    var isInPlace: Bool { identity.map { folder.descriptor.leads(name, to: $0) } ?? false }

    func release() {
        owned.descriptor.unlock()
        folder.descriptor.unlock()
    }
}
