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

    /// `open` with `O_RDONLY`.
    public func open(_ path: String) throws(FileSystemError) -> any OpenFile {
        try POSIXFile(name: path, in: nil, flags: O_RDONLY, operation: .open)
    }

    /// `open` of a folder.
    public func openDirectory(_ path: String) throws(FileSystemError) -> any OpenDirectory {
        try POSIXDirectory(name: path, in: nil)
    }
}

/// The descriptor of a file.
final class POSIXFile: OpenFile {
    let path: String
    let descriptor: Int32

    /// Opens a file in a folder, or by its path when that is nil.
    init(
        name: String, in folder: POSIXDirectory?, flags: Int32, operation: FileSystemError.Operation
    ) throws(FileSystemError) {
        path = folder?.path(of: name) ?? name
        descriptor = try openDescriptor(name, in: folder, flags, operation)
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

    /// See `OpenDirectory`.
    func secure(length: Int, from offset: Int) throws(FileSystemError) -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileSystemError(.length, path: path, code: errno) }
        guard status.st_nlink == 1 else { return false }
        let bytes = try read(at: offset, count: length - offset)
        try retryingInterrupts(.write, path) { Int(lseek(descriptor, off_t(offset), SEEK_SET)) }
        try append(bytes)
        try truncate(to: length)
        try sync()
        return true
    }

    func length() throws(FileSystemError) -> Int {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileSystemError(.length, path: path, code: errno) }
        return Int(status.st_size)
    }
}

/// `openat` with mode 0600, closed when another program is started.
func openDescriptor(
    _ name: String, in folder: POSIXDirectory?, _ flags: Int32, _ operation: FileSystemError.Operation
) throws(FileSystemError) -> Int32 {
    let descriptor = try retryingInterrupts(operation, folder?.path(of: name) ?? name) {
        Int(openat(folder?.descriptor ?? AT_FDCWD, name, flags | O_CLOEXEC, 0o600))
    }
    return Int32(truncatingIfNeeded: descriptor)
}

/// Makes a call until a signal does not interrupt it; throws `errno` when it returns a negative number.
@discardableResult
func retryingInterrupts(
    _ operation: FileSystemError.Operation, _ path: String, _ call: () -> Int
) throws(FileSystemError) -> Int {
    while true {
        let result = call()
        if result >= 0 { return result }
        let code = errno
        guard code == EINTR else { throw FileSystemError(operation, path: path, code: code) }
    }
}
