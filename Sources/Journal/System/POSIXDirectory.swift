import CSystem

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The descriptor of a folder. Every call on what is in the folder goes through it.
final class POSIXDirectory: OpenDirectory {
    let path: String
    let descriptor: Int32
    private let identity: FileIdentity

    /// Opens a folder in another one, or by its path when that is nil.
    init(name: String, in folder: POSIXDirectory?) throws(FileSystemError) {
        path = folder?.path(of: name) ?? name
        descriptor = try openDescriptor(name, in: folder, O_RDONLY | O_DIRECTORY, .open)
        identity = FileIdentity(of: descriptor)
    }

    deinit {
        _ = close(descriptor)
    }

    /// What a file in it is called in messages.
    func path(of name: String) -> String { "\(path)/\(name)" }

    func list() throws(FileSystemError) -> [String] {
        // Another description of the folder: what is read through it moves a position that would be shared.
        let copy = try openDescriptor(".", in: self, O_RDONLY | O_DIRECTORY, .list)
        guard let stream = fdopendir(copy) else {
            let code = errno
            _ = close(copy)
            throw FileSystemError(.list, path: path, code: code)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else { break }
            // The name is a C array inside the entry, which Swift sees as a tuple.
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        let code = errno
        guard code == 0 else { throw FileSystemError(.list, path: path, code: code) }
        return names
    }

    /// `openat` with `O_CREAT` and `O_EXCL`.
    func create(_ name: String) throws(FileSystemError) -> any OpenFile {
        // Not O_APPEND: what is appended goes into room that was reserved.
        try POSIXFile(name: name, in: self, flags: O_RDWR | O_CREAT | O_EXCL, operation: .create)
    }

    func open(_ name: String) throws(FileSystemError) -> any OpenFile {
        try POSIXFile(name: name, in: self, flags: O_RDONLY, operation: .open)
    }

    func secure(_ name: String, length: Int, from offset: Int) throws(FileSystemError) -> Bool {
        try POSIXFile(name: name, in: self, flags: O_RDWR, operation: .open).secure(length: length, from: offset)
    }

    func rename(_ name: String, to target: String) throws(FileSystemError) {
        guard renameat(descriptor, name, descriptor, target) == 0 else {
            throw FileSystemError(.rename, path: path(of: name), code: errno)
        }
    }

    func remove(_ name: String) throws(FileSystemError) {
        if unlinkat(descriptor, name, 0) == 0 { return }
        let code = errno
        if code == EISDIR, unlinkat(descriptor, name, AT_REMOVEDIR) == 0 { return }
        throw FileSystemError(.remove, path: path(of: name), code: code)
    }

    func createDirectory(_ name: String) throws(FileSystemError) {
        guard mkdirat(descriptor, name, 0o700) == 0 else {
            throw FileSystemError(.createDirectory, path: path(of: name), code: errno)
        }
    }

    func openDirectory(_ name: String) throws(FileSystemError) -> any OpenDirectory {
        try POSIXDirectory(name: name, in: self)
    }

    func sync() throws(FileSystemError) {
        guard fsync(descriptor) == 0 else { throw FileSystemError(.syncDirectory, path: path, code: errno) }
    }

    var isInPlace: Bool { identity.isFound(at: path, in: AT_FDCWD) }

    func lock(_ name: String) throws(FileSystemError) -> any HeldLock {
        try POSIXLock(name, in: self)
    }
}

/// The locks on a folder and on a file in it. The file's is the one that earlier versions know; the folder's stays when
/// somebody deletes the file.
private final class POSIXLock: HeldLock {
    private let folder: POSIXDirectory
    private let name: String
    private let descriptor: Int32
    private let identity: FileIdentity

    init(_ name: String, in folder: POSIXDirectory) throws(FileSystemError) {
        (self.folder, self.name) = (folder, name)
        do throws(FileSystemError) {
            try Self.lock(folder.descriptor, folder.path)
        } catch {
            // NFS and others lock files only: there the file's lock has to do.
            guard [EBADF, EINVAL, ENOLCK, EOPNOTSUPP].contains(error.code) else { throw error }
        }
        let descriptor: Int32
        do throws(FileSystemError) {
            descriptor = try openDescriptor(name, in: folder, O_RDWR | O_CREAT, .lock)
        } catch {
            _ = sooke_flock(folder.descriptor, LOCK_UN)
            throw error
        }
        do throws(FileSystemError) {
            try Self.lock(descriptor, folder.path(of: name))
        } catch {
            _ = close(descriptor)
            _ = sooke_flock(folder.descriptor, LOCK_UN)
            throw error
        }
        self.descriptor = descriptor
        identity = FileIdentity(of: descriptor)
    }

    deinit {
        release()
        _ = close(descriptor)
    }

    var isInPlace: Bool { identity.isFound(at: name, in: folder.descriptor) }

    func release() {
        _ = sooke_flock(descriptor, LOCK_UN)
        _ = sooke_flock(folder.descriptor, LOCK_UN)
    }

    private static func lock(_ descriptor: Int32, _ path: String) throws(FileSystemError) {
        try retryingInterrupts(.lock, path) { Int(sooke_flock(descriptor, LOCK_EX | LOCK_NB)) }
    }
}

/// Which file or folder it is, under whatever name.
private struct FileIdentity: Sendable {
    private let device: dev_t
    private let number: ino_t

    /// That of an open file or folder.
    init(of descriptor: Int32) {
        var status = stat()
        // It cannot fail on an open descriptor; zeros would be found nowhere.
        _ = fstat(descriptor, &status)
        (device, number) = (status.st_dev, status.st_ino)
    }

    /// Whether a path, relative to an open folder, leads to it. Where that cannot be found out it is not denied.
    func isFound(at path: String, in folder: Int32) -> Bool {
        var status = stat()
        guard fstatat(folder, path, &status, 0) == 0 else { return ![ENOENT, ENOTDIR, ELOOP].contains(errno) }
        return status.st_dev == device && status.st_ino == number
    }
}
