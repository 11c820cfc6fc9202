import Platform

/// A failed system call on a file.
package struct FileSystemError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The system call, as messages name it.
    package enum Operation: String, Sendable, Hashable, CaseIterable {
        /// `mkdir`.
        case createDirectory = "create the folder"
        /// `fdopendir`, `readdir`.
        case list = "list the folder"
        /// `open` with `O_CREAT`.
        case create = "create"
        /// `open` for reading, of a file or a folder.
        case open = "open"
        /// `pread`.
        case read = "read"
        /// `write`.
        case write = "write"
        /// `fdatasync`.
        case sync = "sync"
        /// `ftruncate`.
        case truncate = "truncate"
        /// `fstat`.
        case length = "read the length of"
        /// `rename`.
        case rename = "rename"
        /// `unlink`.
        case remove = "remove"
        /// `fsync` of a folder.
        case syncDirectory = "sync the folder"
        /// `open` of the lock file, `flock` of it and of its folder.
        case lock = "lock"
        /// `stat` of the folder or the lock file, compared with what was opened.
        case locate = "locate"
        /// `fstatat` of a file that this process wrote, compared with what it wrote.
        case compare = "compare"
    }

    package let operation: Operation
    package let path: String
    /// The value of `errno`.
    package let code: Int32

    package init(_ operation: Operation, path: String, code: Int32) {
        (self.operation, self.path, self.code) = (operation, path, code)
    }

    /// A call that failed with this error of the system.
    init(_ operation: Operation, path: String, _ error: SystemError) {
        self.init(operation, path: path, code: error.code)
    }

    /// A folder that was opened only to read it.
    static func readsOnly(_ path: String) -> FileSystemError {
        FileSystemError(.write, path: path, code: SystemError.readOnly.code)
    }

    private var error: SystemError { SystemError(code: code) }

    /// The message of the operating system for `code`.
    package var text: String { error.text }

    /// The call, the file and the reason, such as `cannot write data/wal-….log: No space left on device`.
    package var description: String {
        switch operation {
        case .locate:
            "\(path) was moved, deleted or replaced while it was in use; all changes that were acknowledged are in the "
                + "folder that was opened"
        case .compare:
            "\(path) was \(change) while it was in use; put it back if you have it, or see with `sooke verify` what is left"
        default: "cannot \(operation.rawValue) \(path): \(text)"
        }
    }

    /// What happened to a file that this process wrote.
    private var change: String {
        isMissing ? "deleted or moved" : code == Self.truncated ? "truncated" : "replaced"
    }

    package var isMissing: Bool { error.isMissing }

    /// The code for a missing name.
    static let missing = SystemError.missing.code
    /// The code for a file that is shorter than what was written to it.
    static let truncated = SystemError.noData.code
    /// The code for a disk that returns other bytes than were written.
    static let broken = SystemError.inputOutput.code

    package var isExisting: Bool { error.isExisting }

    /// A write failed because the disk is full, or a quota or the size limit of files is reached.
    package var isNoSpace: Bool {
        operation != .sync && operation != .syncDirectory && error.isNoSpace
    }

    package var isLocked: Bool { operation == .lock && error.wouldBlock }

    /// The folder is no longer at its path, or the lock file or a file that this process wrote no longer in the folder.
    package var isDisplaced: Bool { operation == .locate || operation == .compare }

    /// The operating system denies it: permissions, or a read-only file system.
    package var isForbidden: Bool { error.isForbidden }

    /// Nothing may be trusted or acknowledged after it: a failed sync, a broken disk, a displaced folder.
    package var isFatal: Bool {
        operation == .sync || operation == .syncDirectory || error.isInputOutput || isDisplaced
    }
}
