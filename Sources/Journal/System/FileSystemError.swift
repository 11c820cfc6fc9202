import Platform

/// A system call on a file that failed.
public struct FileSystemError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was asked of the operating system.
    public enum Operation: String, Sendable, Hashable, CaseIterable {
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
    }

    /// What was asked.
    public let operation: Operation
    /// The file or folder it was asked of.
    public let path: String
    /// The value of `errno`.
    public let code: Int32

    /// A failed call.
    public init(_ operation: Operation, path: String, code: Int32) {
        (self.operation, self.path, self.code) = (operation, path, code)
    }

    /// A call that failed with this error of the system.
    init(_ operation: Operation, path: String, _ error: SystemError) {
        self.init(operation, path: path, code: error.code)
    }

    private var error: SystemError { SystemError(code: code) }

    /// The operating system's words for `code`.
    public var text: String { error.text }

    /// What failed, on what, and why, such as `cannot write data/wal-….log: No space left on device`.
    public var description: String {
        isDisplaced
            ? "\(path) was moved, deleted or replaced while it was in use"
            : "cannot \(operation.rawValue) \(path): \(text)"
    }

    /// There is no file or folder of this name.
    public var isMissing: Bool { error.isMissing }

    /// The code of a name that is not there.
    static let missing = SystemError.missing.code
    /// The code of a disk that gives other bytes than it was given.
    static let broken = SystemError.inputOutput.code

    /// The name is taken.
    public var isExisting: Bool { error.isExisting }

    /// A write found no room: the disk is full, or a quota or the size limit of files is reached.
    public var isNoSpace: Bool {
        operation != .sync && operation != .syncDirectory && error.isNoSpace
    }

    /// Another process holds the lock.
    public var isLocked: Bool { operation == .lock && error.wouldBlock }

    /// The folder is not at its path any more, or the lock file not in the folder.
    public var isDisplaced: Bool { operation == .locate }

    /// The operating system forbids it: rights, or a file system that is mounted read-only.
    public var isForbidden: Bool { error.isForbidden }

    /// Nothing may be trusted or answered after it: a sync that failed, a broken disk, a folder that is not in place.
    public var isFatal: Bool { operation == .sync || operation == .syncDirectory || error.isInputOutput || isDisplaced }
}
