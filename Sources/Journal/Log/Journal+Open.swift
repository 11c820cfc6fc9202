import Bytes

extension Journal {
    /// Opens the store in a folder, or makes a new one in an empty or absent folder.
    ///
    /// 1. The folder is opened; everything goes through that. An absent one is made, with mode 0700. One that holds
    ///    anything but a store is left alone.
    /// 2. It is locked, for as long as the journal lives.
    /// 3. In a new store the folder's own name is synced; then it gets a manifest without any files, and goes the same
    ///    way as any other from here on.
    /// 4. What is there is read (`Recovery`) and given to the replayer.
    /// 5. The folder is made ready for writing (`Recovery+Writing.swift`).
    ///
    /// - Parameters:
    ///   - directory: the path of the data folder; the folder that it is in must exist.
    ///   - fileSystem: the files of the operating system, if nothing else is said.
    ///   - options: sizes and times.
    ///   - now: the time, for the segment that is sealed on this occasion.
    ///   - replayer: takes in the state.
    /// - Returns: the journal, and what was found. The notes in the report are for a person to read.
    /// - Throws: `JournalError`. A folder that is refused for what it holds is not changed.
    public static func open(
        _ directory: String, fileSystem: any FileSystem = POSIXFileSystem(), options: JournalOptions = JournalOptions(),
        now: Timestamp, replaying replayer: inout some Replayer
    ) throws(JournalError) -> sending (journal: Journal, report: RecoveryReport) {
        var isNew = false
        let lockedFolder = try LockedFolder(directory, fileSystem: fileSystem) { names throws(JournalError) in
            isNew = try Self.isNew(names, directory)
        }
        if isNew {
            let manifest = Manifest(store: options.identity ?? Manifest.makeIdentity())
            try FileSystemError.mapped(directory) { () throws(FileSystemError) in
                try syncParent(of: directory, fileSystem)
                try DataFolder(lockedFolder, failpoints: options.failpoints).replace(
                    FileName.manifest, with: manifest.bytes)
            }
        }
        return try open(
            lockedFolder, isNew: isNew, releasesLock: true, options: options, now: now, replaying: &replayer)
    }

    /// Opens the store in a folder that this process has made and still holds, and goes on holding it afterwards.
    ///
    /// - Parameters:
    ///   - copy: the folder.
    ///   - options: sizes and times.
    ///   - now: the time, for the segment that is sealed on this occasion.
    ///   - replayer: takes in the state.
    /// - Throws: `JournalError`.
    public static func open(
        _ copy: LockedFolder, options: JournalOptions = JournalOptions(), now: Timestamp,
        replaying replayer: inout some Replayer
    ) throws(JournalError) -> sending (journal: Journal, report: RecoveryReport) {
        try open(copy, isNew: false, releasesLock: false, options: options, now: now, replaying: &replayer)
    }

    private static func open(
        _ lockedFolder: LockedFolder, isNew: Bool, releasesLock: Bool, options: JournalOptions, now: Timestamp,
        replaying replayer: inout some Replayer
    ) throws(JournalError) -> sending (journal: Journal, report: RecoveryReport) {
        let folder = DataFolder(lockedFolder, failpoints: options.failpoints)
        var recovery = Recovery(folder: folder, options: options, manifest: try Manifest.read(from: folder))
        recovery.report.isNew = isNew
        try recovery.read(into: &replayer)
        var history = try HistoryRetention(in: folder, options, now: now) { recovery.report.warnings.append($0) }
        let ready = try makeReady(&recovery, now: now)
        var report = recovery.report
        switch ready {
        case .success:
            try FileSystemError.mapped(folder.path) { () throws(FileSystemError) in
                try history?.store(in: folder, now: now)
            }
        case .failure(let cause): report.warnings.append(.noRoom(cause, in: folder))
        }
        return (
            Journal(recovery, ready: ready, history: history, lockedFolder: lockedFolder, releasesLock: releasesLock),
            report
        )
    }

    /// Makes the folder ready for writing; a failure is that there is no room for it. The state that was read is as
    /// good.
    private static func makeReady(
        _ recovery: inout Recovery, now: Timestamp
    ) throws(JournalError) -> Result<ActiveSegment, FileSystemError> {
        do throws(JournalError) {
            return .success(try recovery.write(now: now))
        } catch {
            guard let cause = error.cause, cause.isNoSpace else { throw error }
            return .failure(cause)
        }
    }

    /// Makes the name of a new store's folder durable. The process that made it may have ended before it could.
    static func syncParent(of directory: String, _ fileSystem: any FileSystem) throws(FileSystemError) {
        let parent: any OpenDirectory
        do throws(FileSystemError) {
            parent = try fileSystem.openDirectory(self.parent(of: directory))
        } catch {
            // Where we may not look we have not made the folder either.
            if error.isForbidden { return }
            throw error
        }
        try parent.sync()
    }

    /// The folder that a folder is in.
    private static func parent(of directory: String) -> String {
        var path = directory[...]
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Whether a folder is to become a new store; an error when it is neither that nor a store.
    private static func isNew(_ names: [String], _ directory: String) throws(JournalError) -> Bool {
        if names.contains(FileName.unfinished) { throw .unfinished(directory) }
        if names.contains(FileName.manifest) { return false }
        let others = names.filter { !FileName.mayBeInNewStore($0) }.sorted()
        if let ours = others.first(where: { FileName($0) != nil }) {
            throw .missingManifest(besides: ours, in: directory)
        }
        if let foreign = others.first { throw .foreign(foreign, in: directory) }
        return true
    }
}

extension Manifest {
    /// Reads the manifest of a folder.
    static func read(from folder: DataFolder) throws(JournalError) -> Manifest {
        let file = try FileSystemError.mapped(folder.path) { () throws(FileSystemError) in
            try folder.open(FileName.manifest)
        }
        let bytes = try FileSystemError.mapped(folder.path) { () throws(FileSystemError) in
            try file.read(at: 0, count: file.length())
        }
        do throws(CheckedDocumentError) {
            return try Manifest(bytes)
        } catch {
            let outcome = try FileSystemError.mapped(folder.path) { () throws(FileSystemError) in
                try DocumentScan.scan(file, kind: kind, version: version) { _, _ in }
            }
            if case .newer(let version) = outcome { throw .newerFormat(FileName.manifest, version: version) }
            throw .damaged(FileName.manifest, error.description, line: error.line, in: folder.path)
        }
    }
}
