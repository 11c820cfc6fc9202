/// A data folder: files by name, and the one way in which a file comes into it.
struct DataFolder: Sendable {
    /// Open from the start: what is read and written is in this folder, whatever its path leads to meanwhile.
    private let directory: any OpenDirectory
    /// Set where the folder is written to.
    private let lockedFolder: LockedFolder?
    private let failpoints: JournalOptions.Failpoints

    /// Opens a folder to read it.
    init(_ path: String, fileSystem: any FileSystem) throws(FileSystemError) {
        (directory, lockedFolder, failpoints) = (try fileSystem.openDirectory(path), nil, [])
    }

    /// A folder to be written to.
    init(_ lockedFolder: LockedFolder, failpoints: JournalOptions.Failpoints = []) {
        (directory, self.lockedFolder, self.failpoints) = (lockedFolder.directory, lockedFolder, failpoints)
    }

    var path: String { directory.path }

    func path(of name: String) -> String { "\(path)/\(name)" }

    func list() throws(FileSystemError) -> [String] { try directory.list() }

    func open(_ name: String) throws(FileSystemError) -> any OpenFile { try directory.open(name) }

    func remove(_ name: String) throws(FileSystemError) { try directory.remove(name) }

    func sync() throws(FileSystemError) { try directory.sync() }

    /// Gives a file another name, unless the folder is not in place any more.
    func rename(_ name: String, to target: String) throws(FileSystemError) {
        try requireInPlace()
        lockedFolder?.add(target)
        try directory.rename(name, to: target)
    }

    /// Makes sure that the path still leads to this folder.
    func requireInPlace() throws(FileSystemError) { try lockedFolder?.requireInPlace() }

    /// Removes the files that this process has made since the folder was opened, as far as that can be done; the
    /// manifest first, so that none is left by half.
    func removeCreated(except kept: String) {
        var names = Set(lockedFolder?.created ?? []).subtracting([kept])
        if names.remove(FileName.manifest) != nil { try? remove(FileName.manifest) }
        // A folder goes after what is in it.
        for name in names.sorted(by: >) { try? remove(name) }
    }

    /// Cuts a file to a length and writes it once more from an offset on, with the bytes that it has there, so that it
    /// is on stable storage as it reads; false when the file has another name too, under which somebody may write to
    /// it.
    func secure(_ name: String, length: Int, from offset: Int) throws(FileSystemError) -> Bool {
        try requireInPlace()
        return try directory.secure(name, length: length, from: offset)
    }

    /// Makes a file, in place of one that an interrupted step may have left under the name.
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

    /// Begins a file that is to get a name once it is whole.
    func begin(_ name: String) throws(FileSystemError) -> PendingFile {
        let temporary = name + FileName.temporarySuffix
        return PendingFile(
            file: try create(temporary), name: name, temporary: temporary, folder: self,
            renamesFirst: failpoints.contains(.renameBeforeSync))
    }

    /// The folder for what is kept without being part of the store; made when it is missing.
    func openQuarantine() throws(FileSystemError) -> any OpenDirectory {
        lockedFolder?.add(FileName.quarantine)
        do throws(FileSystemError) {
            try directory.createDirectory(FileName.quarantine)
        } catch {
            guard error.isExisting else { throw error }
        }
        // The folder may be there from a time when the power went before its name was synced.
        try sync()
        return try directory.openDirectory(FileName.quarantine)
    }

    /// Puts a file with these bytes under a name, in place of the one that may be there.
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

/// A new file on its way into a data folder. Whenever the power goes, the folder has the old file of that name (or
/// none, if there was none) or the new one, whole:
///
/// 1. The bytes are appended to `file`, which has another name.
/// 2. `sync()` writes them to stable storage.
/// 3. Whoever wants to, reads them back.
/// 4. `install()` gives the file its name and syncs the folder. Of a folder that was moved or replaced it does neither.
///
/// An error that `isFatal` leaves open which of the two the disk holds. After any error `discard()` gives the room
/// back.
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
        try folder.sync()
        if renamesFirst { try file.sync() }
    }

    func discard() {
        // What cannot be removed now is removed by the next start.
        try? folder.remove(temporary)
    }
}
