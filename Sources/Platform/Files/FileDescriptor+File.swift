import CSystem
import Glibc

extension FileDescriptor {
    package var isTerminal: Bool { isatty(number) == 1 }

    package var regularFileLength: Int? {
        guard let status = try? status(), status.isRegularFile else { return nil }
        return status.length
    }

    /// Fewer bytes only at the end of the file.
    package func read(at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
        var failure: SystemError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            do throws(SystemError) {
                while filled < count {
                    let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
                    let got = try SystemError.retryingInterrupts {
                        pread(number, rest.baseAddress, rest.count, off_t(offset + filled))
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

    package func diskBytes() throws(SystemError) -> (total: Int, free: Int) {
        var status = statvfs()
        try SystemError.check(fstatvfs(number, &status))
        func bytes(_ blocks: fsblkcnt_t) -> Int { Int(clamping: UInt64(blocks) &* UInt64(status.f_frsize)) }
        return (bytes(status.f_blocks), bytes(status.f_bavail))
    }

    package static func freeBytes(at path: String) -> Int? {
        var status = statvfs()
        return statvfs(path, &status) == 0 ? Int(clamping: UInt64(status.f_bavail) &* UInt64(status.f_frsize)) : nil
    }

    /// Zeros after the position of the file, which does not change; fewer, or none, when the disk is full.
    package func writeZerosAhead(_ count: Int) {
        let zeros = [UInt8](repeating: 0, count: count)
        _ = zeros.withUnsafeBytes { pwrite(number, $0.baseAddress, count, lseek(number, 0, SEEK_CUR)) }
    }

    package func seek(to offset: Int) throws(SystemError) {
        try SystemError.retryingInterrupts { lseek(number, off_t(offset), SEEK_SET) }
    }

    package func truncate(to length: Int) throws(SystemError) {
        try SystemError.retryingInterrupts { ftruncate(number, off_t(length)) }
    }

    /// Not repeated after EINTR either: after any failure the state of the file is unknown.
    package func syncData() throws(SystemError) {
        try SystemError.check(fdatasync(number))
    }

    package func sync() throws(SystemError) {
        try SystemError.check(fsync(number))
    }

    /// Does not wait: throws `wouldBlock` when another process has locked it, unless both locks are shared.
    package func lock(shared: Bool = false) throws(SystemError) {
        try SystemError.retryingInterrupts { sooke_flock(number, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB) }
    }

    package func unlock() {
        _ = sooke_flock(number, LOCK_UN)
    }
}

package struct FileStatus: Sendable {
    private let status: stat

    init(_ status: stat) {
        self.status = status
    }

    package struct Identity: Sendable, Hashable {
        package let device: UInt
        package let number: UInt
    }

    package var identity: Identity { Identity(device: UInt(status.st_dev), number: UInt(status.st_ino)) }
    package var length: Int { Int(status.st_size) }
    package var linkCount: Int { Int(status.st_nlink) }
    /// In nanoseconds.
    package var modified: Int { status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec }
    /// In seconds, by the clock of the system, also where a town has another one.
    package var age: Int { time(nil) - status.st_mtim.tv_sec }
    package var user: UInt32 { status.st_uid }
    package var group: UInt32 { status.st_gid }

    package var isRegularFile: Bool { status.st_mode & S_IFMT == S_IFREG }
    package var isFolder: Bool { status.st_mode & S_IFMT == S_IFDIR }
    package var isSocket: Bool { status.st_mode & S_IFMT == S_IFSOCK }
    package var othersMayWrite: Bool { status.st_mode & (S_IWGRP | S_IWOTH) != 0 }
    package var everyoneMayWrite: Bool { status.st_mode & S_IWOTH != 0 }
}

extension FileDescriptor {
    package func status() throws(SystemError) -> FileStatus {
        var status = stat()
        try SystemError.check(fstat(number, &status))
        return FileStatus(status)
    }

    package func status(of path: String, followingLinks: Bool = true) throws(SystemError) -> FileStatus {
        var status = stat()
        try SystemError.retryingInterrupts { fstatat(number, path, &status, followingLinks ? 0 : AT_SYMLINK_NOFOLLOW) }
        return FileStatus(status)
    }

    /// True if that cannot be determined.
    package func leads(_ path: String, to identity: FileStatus.Identity) -> Bool {
        do throws(SystemError) {
            return try status(of: path).identity == identity
        } catch {
            return ![ENOENT, ENOTDIR, ELOOP].contains(error.code)
        }
    }
}
