import CSystem

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The operating system's files.
///
/// Calls that a signal interrupts are made again, short writes go on from where they stopped, and `errno` is read
/// before anything else can change it. Descriptors are closed when another program is started.
public struct POSIXFileSystem: FileSystem {
    /// The files that this process sees.
    public init() {}

    /// `mkdir` with mode 0700.
    public func createDirectory(_ path: String) throws(FileSystemError) {
        guard mkdir(path, 0o700) == 0 else { throw FileSystemError(.createDirectory, path: path, code: errno) }
    }

    /// `opendir` and `readdir`.
    public func list(_ path: String) throws(FileSystemError) -> [String] {
        guard let folder = opendir(path) else { throw FileSystemError(.list, path: path, code: errno) }
        defer { closedir(folder) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(folder) else { break }
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

    /// `open` with `O_CREAT` and `O_EXCL`.
    public func create(_ path: String) throws(FileSystemError) -> any OpenFile {
        // Not O_APPEND: what is appended goes into room that was reserved.
        try POSIXFile(path: path, flags: O_RDWR | O_CREAT | O_EXCL, operation: .create)
    }

    /// `open` with `O_RDONLY`.
    public func open(_ path: String) throws(FileSystemError) -> any OpenFile {
        try POSIXFile(path: path, flags: O_RDONLY, operation: .open)
    }

    /// `rename`.
    public func rename(_ path: String, to target: String) throws(FileSystemError) {
        // The C function has the name of this method.
        #if canImport(Glibc)
            let result = Glibc.rename(path, target)
        #else
            let result = Darwin.rename(path, target)
        #endif
        guard result == 0 else { throw FileSystemError(.rename, path: path, code: errno) }
    }

    /// `unlink`.
    public func remove(_ path: String) throws(FileSystemError) {
        guard unlink(path) == 0 else { throw FileSystemError(.remove, path: path, code: errno) }
    }

    /// `open` of a folder.
    public func openDirectory(_ path: String) throws(FileSystemError) -> any OpenDirectory {
        try POSIXDirectory(path: path)
    }

    /// `flock`, exclusive and without waiting.
    public func lock(_ path: String) throws(FileSystemError) -> any HeldLock {
        let file = try POSIXFile(path: path, flags: O_RDWR | O_CREAT, operation: .lock)
        while sooke_flock(file.descriptor, LOCK_EX | LOCK_NB) != 0 {
            let code = errno
            guard code == EINTR else { throw FileSystemError(.lock, path: path, code: code) }
        }
        return file
    }
}

/// The descriptor of a file.
private final class POSIXFile: OpenFile, HeldLock {
    let path: String
    let descriptor: Int32

    init(path: String, flags: Int32, operation: FileSystemError.Operation) throws(FileSystemError) {
        self.path = path
        descriptor = try openDescriptor(path, flags, operation)
    }

    deinit {
        // Nothing rests on what close says: what must last was synced before.
        _ = close(descriptor)
    }

    func read(at offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
        var failure: FileSystemError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            do throws(FileSystemError) {
                while filled < count {
                    // A C call that fills memory takes a pointer.
                    let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
                    let got = try retryingInterrupts(.read, path) {
                        pread(descriptor, rest.baseAddress, rest.count, off_t(offset + filled))
                    }
                    if got == 0 { break }
                    filled += got
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    func append(_ bytes: [UInt8]) throws(FileSystemError) {
        var done = 0
        while done < bytes.count {
            let written = try retryingInterrupts(.write, path) {
                // A C call that reads memory takes a pointer.
                bytes.withUnsafeBytes { write(descriptor, $0.baseAddress.map { $0 + done }, $0.count - done) }
            }
            // No file answers so; a loop that trusts it might never end.
            guard written > 0 else { throw FileSystemError(.write, path: path, code: EIO) }
            done += written
        }
    }

    func reserve(_ count: Int) {
        // Not `fallocate`: to make what it reserves a part of the file costs a sync nearly as much as new room does.
        let zeros = [UInt8](repeating: 0, count: count)
        // Nothing rests on it: of what is written here the next `sync` tells, and of room that is missing an append.
        _ = zeros.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, count, lseek(descriptor, 0, SEEK_CUR)) }
    }

    func sync() throws(FileSystemError) {
        #if canImport(Darwin)
            // There fsync leaves the bytes in the drive's cache.
            let result = fcntl(descriptor, F_FULLFSYNC)
        #else
            let result = fdatasync(descriptor)
        #endif
        // Not made again after EINTR either: after any failure nothing is known.
        guard result == 0 else { throw FileSystemError(.sync, path: path, code: errno) }
    }

    func truncate(to length: Int) throws(FileSystemError) {
        _ = try retryingInterrupts(.truncate, path) { Int(ftruncate(descriptor, off_t(length))) }
        _ = try retryingInterrupts(.truncate, path) { Int(lseek(descriptor, off_t(length), SEEK_SET)) }
    }

    func length() throws(FileSystemError) -> Int {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileSystemError(.length, path: path, code: errno) }
        return Int(status.st_size)
    }
}

/// The descriptor of a folder.
private final class POSIXDirectory: OpenDirectory {
    let path: String
    let descriptor: Int32

    init(path: String) throws(FileSystemError) {
        self.path = path
        descriptor = try openDescriptor(path, O_RDONLY | O_DIRECTORY, .open)
    }

    deinit {
        _ = close(descriptor)
    }

    func sync() throws(FileSystemError) {
        guard fsync(descriptor) == 0 else { throw FileSystemError(.syncDirectory, path: path, code: errno) }
    }
}

/// `open` with mode 0600, closed when another program is started.
private func openDescriptor(
    _ path: String, _ flags: Int32, _ operation: FileSystemError.Operation
) throws(FileSystemError) -> Int32 {
    let descriptor = try retryingInterrupts(operation, path) { Int(open(path, flags | O_CLOEXEC, 0o600)) }
    return Int32(truncatingIfNeeded: descriptor)
}

/// Makes a call until a signal does not interrupt it; throws `errno` when it returns a negative number.
private func retryingInterrupts(
    _ operation: FileSystemError.Operation, _ path: String, _ call: () -> Int
) throws(FileSystemError) -> Int {
    while true {
        let result = call()
        if result >= 0 { return result }
        let code = errno
        guard code == EINTR else { throw FileSystemError(operation, path: path, code: code) }
    }
}
