/// The operating system as the journal sees it: the third and lowest of its layers.
///
/// Every method is a system call or two, or a loop over one. Nothing here knows what a log is; nothing above here knows
/// what a descriptor is. The server uses `POSIXFileSystem`; the tests use a disk in memory that forgets, tears and
/// fails as real ones do.
///
/// What the journal counts on, and nothing more:
///
/// 1. After `OpenFile.sync()` has returned, what was appended before it outlives a loss of power, the length included.
/// 2. After `OpenDirectory.sync()` has returned, the names in the folder outlive it too.
/// 3. Until then every sector that was written may hold its old bytes, its new bytes, zeros or garbage, each by
///    itself; every name may be there or not. A sector that was not written since the last `sync()` is unharmed.
/// 4. `rename(_:to:)` over an existing name leaves either the old file or the new one under it, never none.
/// 5. After a `sync()` that failed nothing is known about the file, and asking again would lie.
public protocol FileSystem: Sendable {
    /// Makes a folder with mode 0700. A folder that exists already is the error `EEXIST`.
    func createDirectory(_ path: String) throws(FileSystemError)

    /// Opens an existing file for reading.
    func open(_ path: String) throws(FileSystemError) -> any OpenFile

    /// Opens a folder, through which everything in it is reached.
    func openDirectory(_ path: String) throws(FileSystemError) -> any OpenDirectory
}

/// An open file. It closes when the last reference goes.
public protocol OpenFile: AnyObject {
    /// Reads up to `count` bytes at an offset; fewer only where the file ends, none behind its end.
    func read(at offset: Int, count: Int) throws(FileSystemError) -> [UInt8]

    /// Writes all of these bytes behind what was appended before. When it throws, any part of them may have been
    /// written, and the file is to be truncated before anything else is appended.
    func append(_ bytes: [UInt8]) throws(FileSystemError)

    /// Writes so many zeros behind what was appended, into which the next appends go: a `sync()` that has no new length
    /// and no new room to note takes a third less. Where there is no room for them there are fewer, or none.
    func reserve(_ count: Int)

    /// Writes data and length to stable storage (`fdatasync`).
    func sync() throws(FileSystemError)

    /// Cuts the file to a length; what is appended next follows there.
    func truncate(to length: Int) throws(FileSystemError)

    /// The length in bytes.
    func length() throws(FileSystemError) -> Int
}

/// An open folder. It closes when the last reference goes.
///
/// Names are those of its files, or paths relative to it. They are looked up in the folder that was opened, wherever it
/// has been moved to since, and never in another one that now has its path.
public protocol OpenDirectory: AnyObject, Sendable {
    /// The path that it was opened by, for people.
    var path: String { get }

    /// The names in the folder, without `.` and `..`, in no particular order.
    func list() throws(FileSystemError) -> [String]

    /// Makes a file with mode 0600 and opens it to be read and appended to. A name that is taken is the error `EEXIST`.
    func create(_ name: String) throws(FileSystemError) -> any OpenFile

    /// Opens an existing file for reading.
    func open(_ name: String) throws(FileSystemError) -> any OpenFile

    /// Writes the bytes of a file from an offset up to a length in their place once more, cuts the file there, and
    /// writes it to stable storage: bytes that the page cache calls clean by mistake are on the disk then.
    ///
    /// - Returns: false when the file has further names, under which others may use it; nothing is changed then.
    func secure(_ name: String, length: Int, from offset: Int) throws(FileSystemError) -> Bool

    /// Gives a file another name in one step, in place of the file that has that name, if there is one.
    func rename(_ name: String, to target: String) throws(FileSystemError)

    /// Takes the name of a file or an empty folder away.
    func remove(_ name: String) throws(FileSystemError)

    /// Makes a folder with mode 0700. A folder that exists already is the error `EEXIST`.
    func createDirectory(_ name: String) throws(FileSystemError)

    /// Opens a folder in this one.
    func openDirectory(_ name: String) throws(FileSystemError) -> any OpenDirectory

    /// Writes the names in the folder to stable storage (`fsync`).
    func sync() throws(FileSystemError)

    /// Whether its path still leads to it: it was not moved, deleted or replaced since it was opened.
    var isInPlace: Bool { get }

    /// Takes the lock on the folder, and on a file in it, made with mode 0600 where it is missing, without waiting.
    ///
    /// - Returns: the lock, held until it is released, its last reference goes or the process ends, however it ends.
    /// - Throws: `FileSystemError` with `isLocked` when somebody else holds one of the two.
    func lock(_ name: String) throws(FileSystemError) -> any FolderLock
}

/// A lock on a folder and a file in it.
public protocol FolderLock: AnyObject, Sendable {
    /// Whether the file still has its name: it was not deleted or replaced since it was locked.
    var isInPlace: Bool { get }

    /// Releases the lock.
    func release()
}
