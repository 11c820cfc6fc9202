/// The files of a data folder by name, and the one way to add a file. A failed call of the system becomes an error that
/// says what to do about the folder.
struct DataFolder: Sendable {
    /// All reads and writes reach this folder, even if its path leads elsewhere later.
    private let directory: any OpenDirectory
    /// When the folder is written to.
    private let lockedFolder: LockedFolder?
    private let failpoints: JournalOptions.Failpoints

    /// For reading.
    init(_ path: String, fileSystem: any FileSystem) throws(JournalError) {
        lockedFolder = nil
        failpoints = []
        directory = try FileSystemError.mapped(path) { () throws(FileSystemError) in
            try fileSystem.openDirectory(path)
        }
    }

    /// For writing.
    init(_ lockedFolder: LockedFolder, failpoints: JournalOptions.Failpoints = []) {
        (directory, self.lockedFolder, self.failpoints) = (lockedFolder.directory, lockedFolder, failpoints)
    }

    private init(_ directory: any OpenDirectory) {
        (self.directory, lockedFolder, failpoints) = (directory, nil, [])
    }

    var path: String { directory.path }

    func path(of name: String) -> String { "\(path)/\(name)" }

    private func call<Value>(_ call: () throws(FileSystemError) -> Value) throws(JournalError) -> Value {
        try FileSystemError.mapped(path, call)
    }

    func list() throws(JournalError) -> [String] { try call(directory.list) }

    func sync() throws(JournalError) { try call(directory.sync) }

    func diskBytes() throws(JournalError) -> Int { try call(directory.diskBytes) }

    func open(_ name: String) throws(JournalError) -> FolderFile {
        FolderFile(try call { () throws(FileSystemError) in try directory.open(name) }, in: path)
    }

    /// Of a small file; nil when there is none.
    func bytes(of name: String) throws(JournalError) -> [UInt8]? {
        do throws(JournalError) {
            let file = try open(name)
            return try file.read(at: 0, count: file.length())
        } catch {
            guard error.isMissing else { throw error }
            return nil
        }
    }

    func remove(_ name: String) throws(JournalError) {
        try call { () throws(FileSystemError) in try directory.remove(name) }
    }

    /// Unless the folder has been displaced.
    func rename(_ name: String, to target: String) throws(JournalError) {
        try requireInPlace()
        if target == FileName.manifest { try requireUnchanged(target) }
        lockedFolder?.add(target)
        try call { () throws(FileSystemError) in try directory.rename(name, to: target) }
    }

    func requireInPlace() throws(JournalError) {
        guard let lockedFolder else { return }
        try call(lockedFolder.requireInPlace)
    }

    /// Throws when another process has deleted, replaced or truncated a file that this one installed.
    func requireUnchanged(_ name: String, length: Int = 0) throws(JournalError) {
        try call { () throws(FileSystemError) in try lockedFolder?.requireUnchanged(name, length: length) }
    }

    /// For `requireUnchanged`.
    func remember(_ file: FolderFile, as name: String) { lockedFolder?.remember(file.file, as: name) }

    /// As far as possible; the manifest first, so that no incomplete store remains.
    func removeCreated(except kept: String) {
        var names = Set(lockedFolder?.created ?? []).subtracting([kept])
        if names.remove(FileName.manifest) != nil { try? remove(FileName.manifest) }
        // A folder is removed after its contents.
        for name in names.sorted(by: >) { try? remove(name) }
    }

    /// See `OpenDirectory`.
    func secure(_ name: String, length: Int, from offset: Int) throws(JournalError) -> Bool {
        try requireInPlace()
        return try call { () throws(FileSystemError) in
            try directory.secure(name, length: length, from: offset)
        }
    }

    /// In place of a file that an interrupted step may have left. That one is not emptied but removed: after a crash in
    /// the middle of a rename it might have another name too.
    func create(_ name: String) throws(JournalError) -> FolderFile {
        lockedFolder?.add(name)
        let file = try call { () throws(FileSystemError) in
            do throws(FileSystemError) {
                return try directory.create(name)
            } catch {
                guard error.isExisting else { throw error }
            }
            try directory.remove(name)
            return try directory.create(name)
        }
        return FolderFile(file, in: path)
    }

    /// It gets its name once it is complete.
    func begin(_ name: String) throws(JournalError) -> PendingFile {
        let temporary = name + FileName.temporarySuffix
        return PendingFile(
            file: try create(temporary), name: name, temporary: temporary, folder: self,
            renamesFirst: failpoints.contains(.renameBeforeSync))
    }

    /// For data that is not part of the store.
    func openQuarantine() throws(JournalError) -> DataFolder {
        lockedFolder?.add(FileName.quarantine)
        return DataFolder(
            try call { () throws(FileSystemError) in
                do throws(FileSystemError) {
                    try directory.createDirectory(FileName.quarantine)
                } catch {
                    guard error.isExisting else { throw error }
                }
                // The folder may exist from a time when the power failed before its name was synced.
                try directory.sync()
                return try directory.openDirectory(FileName.quarantine)
            })
    }

    /// In place of an existing file; more can be appended to the new one.
    @discardableResult
    func replace(_ name: String, with bytes: [UInt8]) throws(JournalError) -> FolderFile {
        let pending = try begin(name)
        do throws(JournalError) {
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

struct FolderFile {
    let file: any OpenFile
    private let folder: String
    /// In errors, when it was opened under another name.
    private var path: String?

    init(_ file: any OpenFile, in folder: String) {
        (self.file, self.folder) = (file, folder)
    }

    /// It has got another name since.
    func named(_ path: String) -> FolderFile {
        var file = self
        file.path = path
        return file
    }

    var identity: String? { file.identity }

    func read(at offset: Int, count: Int) throws(JournalError) -> [UInt8] {
        try call { () throws(FileSystemError) in try file.read(at: offset, count: count) }
    }

    func length() throws(JournalError) -> Int { try call(file.length) }

    func append(_ bytes: [UInt8]) throws(JournalError) {
        try call { () throws(FileSystemError) in try file.append(bytes) }
    }

    func overwrite(_ bytes: [UInt8]) throws(JournalError) {
        try call { () throws(FileSystemError) in try file.overwrite(bytes) }
    }

    func truncate(to length: Int) throws(JournalError) {
        try call { () throws(FileSystemError) in try file.truncate(to: length) }
    }

    func sync() throws(JournalError) { try call(file.sync) }

    private func call<Value>(_ call: () throws(FileSystemError) -> Value) throws(JournalError) -> Value {
        do throws(FileSystemError) {
            return try call()
        } catch {
            throw .system(FileSystemError(error.operation, path: path ?? error.path, code: error.code), in: folder)
        }
    }

    /// In pieces of at most 1 MiB.
    func forEachPiece(
        from start: Int, to end: Int, _ body: ([UInt8]) throws(JournalError) -> Void
    ) throws(JournalError) {
        var offset = start
        while offset < end {
            let piece = try read(at: offset, count: min(1 << 20, end - offset))
            // The file became shorter meanwhile; the check of the copy detects that.
            guard !piece.isEmpty else { return }
            try body(piece)
            offset += piece.count
        }
    }

    /// Without the zeros at its end, which begin at `start` or later.
    func lengthWithoutReserve(from start: Int) throws(JournalError) -> Int {
        var (end, offset) = (start, start)
        try forEachPiece(from: start, to: length()) { piece in
            if let last = piece.lastIndex(where: { $0 != 0 }) { end = offset + last + 1 }
            offset += piece.count
        }
        return end
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
    let file: FolderFile
    let name: String
    let temporary: String
    let folder: DataFolder
    let renamesFirst: Bool

    func sync() throws(JournalError) {
        if !renamesFirst { try file.sync() }
    }

    func install() throws(JournalError) {
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
