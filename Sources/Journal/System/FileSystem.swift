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

    /// The names in a folder, without `.` and `..`, in no particular order.
    func list(_ path: String) throws(FileSystemError) -> [String]

    /// Makes a file with mode 0600 and opens it to be read and appended to. A name that is taken is the error `EEXIST`.
    func create(_ path: String) throws(FileSystemError) -> any OpenFile

    /// Opens an existing file for reading.
    func open(_ path: String) throws(FileSystemError) -> any OpenFile

    /// Gives a file another name in one step, in place of the file that has that name, if there is one.
    func rename(_ path: String, to target: String) throws(FileSystemError)

    /// Takes a file's name away.
    func remove(_ path: String) throws(FileSystemError)

    /// Opens a folder, to sync it later without needing another descriptor then.
    func openDirectory(_ path: String) throws(FileSystemError) -> any OpenDirectory

    /// Takes the lock on a file, made with mode 0600 where it is missing, without waiting.
    ///
    /// - Returns: the lock, held until it is let go of or the process ends, however it ends.
    /// - Throws: `FileSystemError` with `isLocked` when somebody else holds it.
    func lock(_ path: String) throws(FileSystemError) -> any HeldLock
}

/// An open file. It closes when the last reference goes.
public protocol OpenFile: AnyObject {
    /// Reads up to `count` bytes at an offset; fewer only where the file ends, none behind its end.
    func read(at offset: Int, count: Int) throws(FileSystemError) -> [UInt8]

    /// Writes all of these bytes behind what was appended before. When it throws, any part of them may have been written,
    /// and the file is to be truncated before anything else is appended.
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
public protocol OpenDirectory: AnyObject, Sendable {
    /// Writes the names in the folder to stable storage (`fsync`).
    func sync() throws(FileSystemError)
}

/// A lock that is held until the last reference to it goes.
public protocol HeldLock: AnyObject {}
