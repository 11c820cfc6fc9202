import CSystem
import Glibc

extension FileDescriptor {
    package var isTerminal: Bool { isatty(number) == 1 }

    /// nil for a pipe, a socket or a device.
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

    package func diskSize() throws(SystemError) -> Int {
        var status = statvfs()
        try SystemError.check(fstatvfs(number, &status))
        return Int(
            clamping: UInt64(status.f_blocks).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue)
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

    /// Not repeated either.
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
