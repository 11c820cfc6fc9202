/// The files of a data folder by name, and the one way to add a file.
struct DataFolder: Sendable {
    /// Opened at the start: all reads and writes reach this folder, even if its path leads elsewhere later.
    private let directory: any OpenDirectory
    /// Set when the folder is written to.
    private let lockedFolder: LockedFolder?
    private let failpoints: JournalOptions.Failpoints

    /// Opens a folder for reading.
    init(_ path: String, fileSystem: any FileSystem) throws(FileSystemError) {
        (directory, lockedFolder, failpoints) = (try fileSystem.openDirectory(path), nil, [])
    }

    /// A folder for writing.
    init(_ lockedFolder: LockedFolder, failpoints: JournalOptions.Failpoints = []) {
        (directory, self.lockedFolder, self.failpoints) = (lockedFolder.directory, lockedFolder, failpoints)
    }

    var path: String { directory.path }

    func path(of name: String) -> String { "\(path)/\(name)" }

    func list() throws(FileSystemError) -> [String] { try directory.list() }

    func open(_ name: String) throws(FileSystemError) -> any OpenFile { try directory.open(name) }

    func remove(_ name: String) throws(FileSystemError) { try directory.remove(name) }

    func sync() throws(FileSystemError) { try directory.sync() }

    func diskBytes() throws(FileSystemError) -> Int { try directory.diskBytes() }

    /// Renames a file, unless the folder has been displaced.
    func rename(_ name: String, to target: String) throws(FileSystemError) {
        try requireInPlace()
        if target == FileName.manifest { try requireUnchanged(target) }
        lockedFolder?.add(target)
        try directory.rename(name, to: target)
    }

    /// Throws when the path no longer leads to this folder.
    func requireInPlace() throws(FileSystemError) { try lockedFolder?.requireInPlace() }

    /// Throws when another process has deleted, replaced or truncated a file that this one installed.
    func requireUnchanged(_ name: String, length: Int = 0) throws(FileSystemError) {
        try lockedFolder?.requireUnchanged(name, length: length)
    }

    /// Records which file has a name, for `requireUnchanged`.
    func remember(_ file: any OpenFile, as name: String) { lockedFolder?.remember(file, as: name) }

    /// Removes the files that this process has created since the folder was opened, as far as possible; the manifest
    /// first, so that no incomplete store remains.
    func removeCreated(except kept: String) {
        var names = Set(lockedFolder?.created ?? []).subtracting([kept])
        if names.remove(FileName.manifest) != nil { try? remove(FileName.manifest) }
        // A folder is removed after its contents.
        for name in names.sorted(by: >) { try? remove(name) }
    }

    /// Truncates a file to a length and rewrites it from an offset on, with the bytes that it has there, so that they
    /// are on stable storage. Returns false when the file has a second name, under which another process may write to
    /// it.
    func secure(_ name: String, length: Int, from offset: Int) throws(FileSystemError) -> Bool {
        try requireInPlace()
        return try directory.secure(name, length: length, from: offset)
    }

    /// Creates a file, in place of one that an interrupted step may have left under the name.
    ///
    /// That one is not emptied but removed: after a crash in the middle of a rename it might have another name too.
    func create(_ name: String) throws(FileSystemError) -> any OpenFile {
        lockedFolder?.add(name)
        do throws(FileSystemError) {
            return try directory.create(name)
        } catch {
            guard error.isExisting else { throw error }
        }
        try remove(name)
        return try directory.create(name)
    }

    /// Begins a file that gets its name once it is complete.
    func begin(_ name: String) throws(FileSystemError) -> PendingFile {
        let temporary = name + FileName.temporarySuffix
        return PendingFile(
            file: try create(temporary), name: name, temporary: temporary, folder: self,
            renamesFirst: failpoints.contains(.renameBeforeSync))
    }

    /// The folder for data that is not part of the store; it is created if it is missing.
    func openQuarantine() throws(FileSystemError) -> any OpenDirectory {
        lockedFolder?.add(FileName.quarantine)
        do throws(FileSystemError) {
            try directory.createDirectory(FileName.quarantine)
        } catch {
            guard error.isExisting else { throw error }
        }
        // The folder may exist from a time when the power failed before its name was synced.
        try sync()
        return try directory.openDirectory(FileName.quarantine)
    }

    /// Writes a file with these bytes under a name, in place of an existing one.
    ///
    /// - Returns: the file, to which more can be appended.
    @discardableResult
    func replace(_ name: String, with bytes: [UInt8]) throws(FileSystemError) -> any OpenFile {
        let pending = try begin(name)
        do throws(FileSystemError) {
            try pending.file.append(bytes)
            try pending.sync()
            try pending.install()
        } catch {
            pending.discard()
            throw error
        }
        return pending.file
    }
}

/// A new file that is being added to a data folder. Whenever the power fails, the folder contains either the old file
/// of that name (if there was one) or the complete new one:
///
/// 1. The bytes are appended to `file`, which has a temporary name.
/// 2. `sync()` writes them to stable storage.
/// 3. The caller may read them back.
/// 4. `install()` renames the file and syncs the folder. It does neither if the folder was moved or replaced, or the
///    manifest that it would replace is not the one that this process read or wrote.
///
/// After an error that `isFatal` the disk may contain either of the two. After any error `discard()` frees the space.
struct PendingFile {
    let file: any OpenFile
    let name: String
    let temporary: String
    let folder: DataFolder
    let renamesFirst: Bool

    func sync() throws(FileSystemError) {
        if !renamesFirst { try file.sync() }
    }

    func install() throws(FileSystemError) {
        try folder.rename(temporary, to: name)
        folder.remember(file, as: name)
        try folder.sync()
        if renamesFirst { try file.sync() }
    }

    func discard() {
        // A file that cannot be removed now is removed at the next start.
        try? folder.remove(temporary)
    }
}
