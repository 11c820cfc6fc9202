import Bytes

extension Journal {
    /// Opens the store in a folder, or creates one in an empty or absent folder.
    ///
    /// 1. The folder is opened; all further calls go through it. An absent one is created, with mode 0700. One that
    ///    contains anything but a store is not changed.
    /// 2. It is locked, as long as the journal lives.
    /// 3. For a new store the parent folder is synced, and a manifest without files is written.
    /// 4. The files are read (`Recovery`) and passed to the replayer.
    /// 5. Before a newer format is written, the state is backed up in the earlier one (`Recovery+Backup.swift`).
    /// 6. The folder is prepared for writing (`Recovery+Writing.swift`).
    package static func open(
        _ directory: String, fileSystem: any FileSystem = POSIXFileSystem(), options: JournalOptions = JournalOptions(),
        now: Timestamp, replaying replayer: inout some Replayer
    ) throws(JournalError) -> sending (journal: Journal, report: RecoveryReport) {
        var isNew = false
        let readsOnly = options.readsOnly
        let folder = try StoreFolder(
            locking: directory, fileSystem: fileSystem, readsOnly: readsOnly, failpoints: options.failpoints
        ) { names throws(JournalError) in
            isNew = try Self.isNew(names, directory)
            guard !isNew || !readsOnly else { throw .missing(FileName.manifest, in: directory) }
        }
        if isNew {
            var manifest = Manifest(store: options.identity ?? Manifest.makeIdentity())
            manifest.version = options.version
            try syncParent(of: directory, fileSystem)
            try folder.replace(FileName.manifest, with: manifest.bytes)
        }
        return try open(folder, isNew: isNew, releasesLock: true, options: options, now: now, replaying: &replayer)
    }

    /// In a folder that this process has created and locked; it stays locked afterwards.
    package static func open(
        _ copy: StoreFolder, options: JournalOptions = JournalOptions(), now: Timestamp,
        replaying replayer: inout some Replayer
    ) throws(JournalError) -> sending (journal: Journal, report: RecoveryReport) {
        try open(copy, isNew: false, releasesLock: false, options: options, now: now, replaying: &replayer)
    }

    private static func open(
        _ folder: StoreFolder, isNew: Bool, releasesLock: Bool, options: JournalOptions, now: Timestamp,
        replaying replayer: inout some Replayer
    ) throws(JournalError) -> sending (journal: Journal, report: RecoveryReport) {
        var recovery = Recovery(folder: folder, options: options, manifest: try Manifest.read(from: folder))
        recovery.report.isNew = isNew
        try recovery.read(into: &replayer)
        try replayer.end(at: recovery.end)
        var history = try HistoryRetention(in: folder, options, now: now) { recovery.report.warnings.append($0) }
        let readOnly = try ReadOnlyFile.read(folder)
        if let fault = readOnly?.fault { recovery.report.warnings.append(.readOnly(fault)) }
        if !options.readsOnly { try recovery.backUp(replayer) }
        // As on a full disk, the journal is not prepared for writing.
        let ready =
            options.readsOnly
            ? .failure(.system(.readsOnly(folder.path), in: folder.path)) : try makeReady(&recovery, now: now)
        var report = recovery.report
        switch ready {
        case .success:
            try history?.store(in: folder, now: now, hasSpare: recovery.hasSpare)
        case .failure where options.readsOnly: break
        case .failure(let cause): report.warnings.append(.noRoom(cause, in: folder))
        }
        let journal = Journal(recovery, ready: ready, history: history, releasesLock: releasesLock)
        journal.readOnlyState = readOnly?.file.state
        if history == nil, let age = try HistoryAge.read(folder).document { journal.storedReason = age.reason }
        journal.measureFiles()
        return (journal, report)
    }

    /// Reads a data folder as a start would. It changes nothing and takes no lock, so a server may run on it. The
    /// replayer receives the state again when the server has dropped files meanwhile.
    package static func read(
        _ directory: String, fileSystem: any FileSystem = POSIXFileSystem(), into replayer: inout some Replayer
    ) throws(JournalError) {
        let folder = try StoreFolder(directory, fileSystem: fileSystem)
        var attempts = 0
        while true {
            attempts += 1
            let manifest = try Manifest.read(from: folder)
            do throws(JournalError) {
                var recovery = Recovery(folder: folder, options: JournalOptions(), manifest: manifest)
                return try recovery.read(into: &replayer)
            } catch {
                if attempts == 5 { throw error }
                if try Manifest.read(from: folder).bytes == manifest.bytes { throw error }
            }
        }
    }

    /// A failure when the disk is full; the state that was read is valid then too.
    private static func makeReady(
        _ recovery: inout Recovery, now: Timestamp
    ) throws(JournalError) -> Result<ActiveSegment, JournalError> {
        do throws(JournalError) {
            return .success(try recovery.write(now: now))
        } catch {
            guard error.isNoSpace else { throw error }
            return .failure(error)
        }
    }

    /// The process that created the folder may have ended before it could.
    static func syncParent(of directory: String, _ fileSystem: any FileSystem) throws(JournalError) {
        try FileSystemError.mapped(directory) { () throws(FileSystemError) in
            let parent: any OpenDirectory
            do throws(FileSystemError) {
                parent = try fileSystem.openDirectory(self.parent(of: directory))
            } catch {
                // A parent folder that this user may not open is not one in which this process created the folder.
                if error.isForbidden { return }
                throw error
            }
            try parent.sync()
        }
    }

    static func parent(of directory: String) -> String {
        let path = directory.withoutLastSlashes
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    static func name(of directory: String) -> String {
        let path = directory.withoutLastSlashes
        return String(path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path)
    }

    /// Throws when the folder can neither become a store nor is one.
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
    static func read(from folder: StoreFolder) throws(JournalError) -> Manifest {
        let file = try folder.open(FileName.manifest)
        folder.remember(file, as: FileName.manifest)
        let bytes = try file.read(at: 0, count: file.length())
        do throws(CheckedDocumentError) {
            return try Manifest(bytes)
        } catch {
            let outcome = try DocumentScan.scan(file, kind: kind) { _, _ in }
            if case .unknown(let version) = outcome { throw .unknownFormat(FileName.manifest, version: version) }
            throw .damaged(FileName.manifest, error.description, line: error.line, in: folder.path)
        }
    }
}

extension String {
    fileprivate var withoutLastSlashes: Substring {
        var path = self[...]
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        return path
    }
}
