/// A data folder: files by name, and the one way in which a file comes into it.
struct DataFolder: Sendable {
    let path: String
    let fileSystem: any FileSystem
    /// Open from the start, so that a sync never fails for want of a descriptor.
    private let directory: any OpenDirectory
    private let sabotage: JournalOptions.Sabotage

    init(
        _ path: String, fileSystem: any FileSystem, sabotage: JournalOptions.Sabotage = []
    ) throws(FileSystemError) {
        (self.path, self.fileSystem, self.sabotage) = (path, fileSystem, sabotage)
        directory = try fileSystem.openDirectory(path)
    }

    func path(of name: String) -> String { "\(path)/\(name)" }

    func list() throws(FileSystemError) -> [String] { try fileSystem.list(path) }

    func open(_ name: String) throws(FileSystemError) -> any OpenFile { try fileSystem.open(path(of: name)) }

    func remove(_ name: String) throws(FileSystemError) { try fileSystem.remove(path(of: name)) }

    func sync() throws(FileSystemError) { try directory.sync() }

    /// Removes the files of a store, as far as that can be done; the manifest first, so that none is left by half.
    func removeStore() {
        try? remove(FileName.manifest)
        for name in (try? list()) ?? [] where FileName(name) != nil { try? remove(name) }
    }

    /// Makes a file, in place of one that an interrupted step may have left under the name.
    ///
    /// That one is not emptied but removed: after a crash in the middle of a rename it might have another name too.
    func create(_ name: String) throws(FileSystemError) -> any OpenFile {
        do throws(FileSystemError) {
            return try fileSystem.create(path(of: name))
        } catch {
            guard error.isExisting else { throw error }
        }
        try remove(name)
        return try fileSystem.create(path(of: name))
    }

    /// Begins a file that is to get a name once it is whole.
    func begin(_ name: String) throws(FileSystemError) -> PendingFile {
        let temporary = name + FileName.temporarySuffix
        return PendingFile(
            file: try create(temporary), name: name, temporary: temporary, folder: self,
            renamesFirst: sabotage.contains(.renameBeforeSync))
    }

    /// The folder for what is kept without being part of the store; made when it is missing.
    func openQuarantine() throws(FileSystemError) -> any OpenDirectory {
        let path = path(of: FileName.quarantine)
        do throws(FileSystemError) {
            try fileSystem.createDirectory(path)
        } catch {
            guard error.isExisting else { throw error }
        }
        // The folder may be there from a time when the power went before its name was synced.
        try sync()
        return try fileSystem.openDirectory(path)
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
/// 4. `install()` gives the file its name and syncs the folder.
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
        try folder.fileSystem.rename(folder.path(of: temporary), to: folder.path(of: name))
        try folder.sync()
        if renamesFirst { try file.sync() }
    }

    func discard() {
        // What cannot be removed now is removed by the next start.
        try? folder.remove(temporary)
    }
}
