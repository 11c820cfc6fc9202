import Glibc

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
    package var user: UInt32 { status.st_uid }
    package var group: UInt32 { status.st_gid }

    package var isRegularFile: Bool { status.st_mode & S_IFMT == S_IFREG }
    package var isFolder: Bool { status.st_mode & S_IFMT == S_IFDIR }
    package var isSocket: Bool { status.st_mode & S_IFMT == S_IFSOCK }
    /// In a folder: create and remove files.
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
