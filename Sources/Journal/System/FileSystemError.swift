import Platform

package struct FileSystemError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Operation: String, Sendable, Hashable, CaseIterable {
        case createDirectory = "create the folder"  // `mkdir`
        case list = "list the folder"  // `fdopendir`, `readdir`
        case create = "create"  // `open` with `O_CREAT`
        case open = "open"  // `open` for reading, of a file or a folder
        case read = "read"  // `pread`
        case write = "write"  // `write`
        case sync = "sync"  // `fdatasync`
        case truncate = "truncate"  // `ftruncate`
        case length = "read the length of"  // `fstat`
        case rename = "rename"  // `rename`
        case remove = "remove"  // `unlink`
        case syncDirectory = "sync the folder"  // `fsync` of a folder
        case lock = "lock"  // `open` of the lock file, `flock` of it and of its folder
        case locate = "locate"  // `stat` of the folder or the lock file, compared with what was opened
        case compare = "compare"  // `fstatat` of a file that this process wrote, compared with what it wrote
    }

    package let operation: Operation
    package let path: String
    /// `errno`.
    package let code: Int32

    package init(_ operation: Operation, path: String, code: Int32) {
        (self.operation, self.path, self.code) = (operation, path, code)
    }

    init(_ operation: Operation, path: String, _ error: SystemError) {
        self.init(operation, path: path, code: error.code)
    }

    static func readsOnly(_ path: String) -> FileSystemError {
        FileSystemError(.write, path: path, code: SystemError.readOnly.code)
    }

    static func mapped<Value>(
        _ folder: String, _ call: () throws(FileSystemError) -> Value
    ) throws(JournalError) -> Value {
        do throws(FileSystemError) {
            return try call()
        } catch {
            throw .system(error, in: folder)
        }
    }

    private var error: SystemError { SystemError(code: code) }

    package var text: String { error.text }

    /// Such as `cannot write data/wal-….log: No space left on device`.
    package var description: String {
        switch operation {
        case .locate:
            "\(path) was moved, deleted or replaced while it was in use; all changes that were acknowledged are in the "
                + "folder that was opened"
        case .compare:
            "\(path) was \(change) while it was in use; put it back if you have it, or see with `sooke verify` what "
                + "is left"
        default: "cannot \(operation.rawValue) \(path): \(text)"
        }
    }

    /// Of a file that this process wrote.
    private var change: String {
        isMissing ? "deleted or moved" : code == Self.truncated ? "truncated" : "replaced"
    }

    package var isMissing: Bool { error.isMissing }

    static let missing = SystemError.missing.code
    /// A file is shorter than what was written to it.
    static let truncated = SystemError.noData.code

    package var isExisting: Bool { error.isExisting }

    /// Also a quota, or the size limit of files.
    package var isNoSpace: Bool {
        operation != .sync && operation != .syncDirectory && error.isNoSpace
    }

    package var isLocked: Bool { operation == .lock && error.wouldBlock }

    /// The folder is no longer at its path, or the lock file or a file that this process wrote no longer in the folder.
    package var isDisplaced: Bool { operation == .locate || operation == .compare }

    /// Permissions, or a read-only file system.
    package var isForbidden: Bool { error.isForbidden }

    /// Nothing may be trusted or acknowledged after it.
    package var isFatal: Bool {
        operation == .sync || operation == .syncDirectory || error.isInputOutput || isDisplaced
    }
}
