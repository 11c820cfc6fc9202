import Bytes

extension Journal {
    /// Opens the store in a folder, or makes a new one in an empty or absent folder.
    ///
    /// 1. A folder that holds anything but a store is left alone. An absent one is made, with mode 0700.
    /// 2. The lock is taken, for as long as the journal lives.
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
        let names = try FileSystemError.mapped(directory) { () throws(FileSystemError) in
            try list(directory, making: fileSystem)
        }
        // Looked at before the lock, so that a folder of somebody else does not get even a lock file.
        _ = try isNew(names, directory)
        let (lock, folder) = try FileSystemError.mapped(directory) { () throws(FileSystemError) in
            let lock = try fileSystem.lock("\(directory)/\(FileName.lock)")
            return (lock, try DataFolder(directory, fileSystem: fileSystem, sabotage: options.sabotage))
        }
        // Looked at again, since another process may have been at it until the lock was ours.
        let isNew = try isNew(FileSystemError.mapped(directory, folder.list), directory)
        if isNew {
            let manifest = Manifest(store: options.identity ?? Manifest.makeIdentity())
            try FileSystemError.mapped(directory) { () throws(FileSystemError) in
                try syncParent(of: directory, fileSystem)
                try folder.replace(FileName.manifest, with: manifest.bytes)
            }
        }
        var recovery = Recovery(folder: folder, options: options, manifest: try Manifest.read(from: folder))
        recovery.report.isNew = isNew
        try recovery.read(into: &replayer)
        let segment = try recovery.write(now: now)
        return (Journal(recovery, segment: segment, lock: lock), recovery.report)
    }

    /// The names in the folder, which is made when it is missing.
    static func list(
        _ directory: String, making fileSystem: any FileSystem
    ) throws(FileSystemError) -> [String] {
        do throws(FileSystemError) {
            return try fileSystem.list(directory)
        } catch {
            guard error.isMissing else { throw error }
        }
        do throws(FileSystemError) {
            try fileSystem.createDirectory(directory)
            return []
        } catch {
            // Another process has made it at the same moment; the lock decides whose it is.
            guard error.isExisting else { throw error }
            return try fileSystem.list(directory)
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
        if names.contains(FileName.manifest) { return false }
        let others = names.filter { !FileName.isHarmless($0) }.sorted()
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
