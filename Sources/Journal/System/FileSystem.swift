/// The operating system as the journal uses it: the lowest of its three layers.
///
/// Every method is a system call or two, or a loop over one. This layer contains nothing about logs; the layers above
/// contain nothing about descriptors. The server uses `POSIXFileSystem`; the tests use a disk in memory that loses,
/// tears and fails as real ones do.
///
/// The journal relies on these guarantees only:
///
/// 1. After `OpenFile.sync()` returns, what was appended before it survives a loss of power, including the length.
/// 2. After `OpenDirectory.sync()` returns, the names in the folder survive it too.
/// 3. Until then every sector that was written may contain its old bytes, its new bytes, zeros or garbage, each
///    independently; every name may exist or not. A sector that was not written since the last `sync()` is unharmed.
/// 4. `rename(_:to:)` over an existing name leaves either the old file or the new one under it, never none.
/// 5. After a failed `sync()` nothing is known about the file, and another one could falsely succeed.
package protocol FileSystem: Sendable {
    /// Creates a folder with mode 0700. An existing folder is the error `EEXIST`.
    func createDirectory(_ path: String) throws(FileSystemError)

    /// For reading.
    func open(_ path: String) throws(FileSystemError) -> any OpenFile

    func openDirectory(_ path: String) throws(FileSystemError) -> any OpenDirectory
}

/// An open file. It closes with the last reference.
package protocol OpenFile: AnyObject {
    /// Fewer bytes only at the end of the file.
    func read(at offset: Int, count: Int) throws(FileSystemError) -> [UInt8]

    /// After the bytes appended before. When it throws, any part may have been written, and the file must be truncated
    /// before anything else is appended.
    func append(_ bytes: [UInt8]) throws(FileSystemError)

    /// Writes zeros after the appended bytes; the next appends overwrite them. A `sync()` without a new length and new
    /// blocks takes a third less. On a full disk there are fewer zeros, or none.
    func reserve(_ count: Int)

    /// At the beginning of the file; the next append follows where it did.
    func overwrite(_ bytes: [UInt8]) throws(FileSystemError)

    /// Data and length (`fdatasync`).
    func sync() throws(FileSystemError)

    /// The next append follows there.
    func truncate(to length: Int) throws(FileSystemError)

    func length() throws(FileSystemError) -> Int

    /// What distinguishes the file from its copies: its device and inode; nil when that cannot be determined.
    var identity: String? { get }
}

/// An open folder. It closes with the last reference.
///
/// Names are those of its files, or paths relative to it. They are resolved in the folder that was opened, wherever it
/// has been moved to since, and never in another one that now has its path.
package protocol OpenDirectory: AnyObject, Sendable {
    /// As it was opened, for messages.
    var path: String { get }

    /// Without `.` and `..`, in no particular order.
    func list() throws(FileSystemError) -> [String]

    /// With mode 0600, for reading and appending. An existing name is the error `EEXIST`.
    func create(_ name: String) throws(FileSystemError) -> any OpenFile

    /// For reading.
    func open(_ name: String) throws(FileSystemError) -> any OpenFile

    /// Rewrites the bytes of a file from an offset up to a length in place, truncates the file there, and syncs it:
    /// bytes that the page cache wrongly treats as clean are on the disk then.
    ///
    /// - Returns: false when the file has further names, under which others may use it; nothing is changed then.
    func secure(_ name: String, length: Int, from offset: Int) throws(FileSystemError) -> Bool

    /// Atomic; replaces a file that has the new name.
    func rename(_ name: String, to target: String) throws(FileSystemError)

    /// A file or an empty folder.
    func remove(_ name: String) throws(FileSystemError)

    /// With mode 0700. An existing folder is the error `EEXIST`.
    func createDirectory(_ name: String) throws(FileSystemError)

    func openDirectory(_ name: String) throws(FileSystemError) -> any OpenDirectory

    /// The names in the folder (`fsync`).
    func sync() throws(FileSystemError)

    /// Of its file system (`statvfs`).
    func diskBytes() throws(FileSystemError) -> (total: Int, free: Int)

    /// Of the file that a name leads to now.
    func status(of name: String) throws(FileSystemError) -> (identity: String, length: Int)

    /// It was not moved, deleted or replaced since it was opened.
    var isInPlace: Bool { get }

    /// Locks the folder and a file in it, without waiting, until the process ends in any way. The file is created with
    /// mode 0600 if it is missing, but for a shared lock.
    ///
    /// - Throws: with `isLocked` when another process has locked one of the two.
    func lock(_ name: String, shared: Bool) throws(FileSystemError) -> any FolderLock
}

package protocol FolderLock: AnyObject, Sendable {
    /// The file was not deleted or replaced since it was locked.
    var isInPlace: Bool { get }

    func release()
}
