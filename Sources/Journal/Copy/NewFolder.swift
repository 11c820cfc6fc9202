import Bytes

/// A data folder that is being made, as a copy of another or from a backup.
///
/// It is locked throughout. The file `restore-in-progress` is created first and removed last: if the process or the
/// power fails in between, no start accepts the folder as a store or as an empty folder. A folder that is absent gets
/// its name only with that file in it.
struct NewFolder {
    let folder: StoreFolder
    private var options: JournalOptions
    private let now: Timestamp
    private var manifest: Manifest
    private var segment: ActiveSegment?
    private var batch: LogBatch
    private var last = 0
    /// Of the commits that are copied.
    var version = CheckedDocument.version

    private static let batchBytes = 1 << 20

    /// Creates the folder, or uses an empty one, or one that a failed restore has emptied again.
    ///
    /// - Throws: of the kind `notEmpty` when it contains anything.
    init(
        _ directory: String, store: String, fileSystem: any FileSystem, options: JournalOptions, now: Timestamp
    ) throws(JournalError) {
        try FileSystemError.mapped(directory) { () throws(FileSystemError) in
            try Self.makeMarked(directory, fileSystem)
        }
        folder = try StoreFolder(locking: directory, fileSystem: fileSystem) { names throws(JournalError) in
            guard let name = names.first(where: { !FileName.isHarmless($0) && $0 != FileName.unfinished }) else {
                return
            }
            if names.contains(FileName.unfinished) { throw .unfinished(directory) }
            throw .notEmpty(directory, holds: name)
        }
        (self.options, self.now) = (options, now)
        // A segment is synced once, when it is complete.
        self.options.reservedBytes = 0
        manifest = Manifest(store: store)
        batch = LogBatch(after: 0, CommitChain(of: store))
        try Journal.syncParent(of: directory, fileSystem)
        if try !folder.list().contains(FileName.unfinished) { try folder.create(FileName.unfinished).sync() }
        try folder.sync()
    }

    /// Under another name first.
    private static func makeMarked(_ directory: String, _ fileSystem: any FileSystem) throws(FileSystemError) {
        guard (try? fileSystem.openDirectory(directory)) == nil,
            let parent = try? fileSystem.openDirectory(Journal.parent(of: directory))
        else { return }
        let name = Journal.name(of: directory)
        let temporary = "\(name).\(FileName.unfinished)"
        do throws(FileSystemError) {
            // An interrupted attempt may have left it.
            if (try? parent.openDirectory(temporary)) == nil { try parent.createDirectory(temporary) }
            let folder = try parent.openDirectory(temporary)
            if try !folder.list().contains(FileName.unfinished) { try folder.create(FileName.unfinished).sync() }
            try folder.sync()
            try parent.rename(temporary, to: name)
        } catch {
            // Another process may have created the folder meanwhile; the lock decides between them.
            try? parent.remove("\(temporary)/\(FileName.unfinished)")
            try? parent.remove(temporary)
            if (try? fileSystem.openDirectory(directory)) == nil { throw error }
        }
    }

    /// Then reads the copy and compares. `name` is used in errors.
    mutating func add(_ source: FolderFile, named name: String, _ document: DocumentScan.Sound) throws(JournalError) {
        guard let origin = document.origin else { return }
        let snapshot = Manifest.Snapshot(
            sequence: origin.sequence, length: document.length, checksum: document.checksum, at: origin.at,
            chain: origin.chain)
        try folder.write(snapshot.name) { pending throws(JournalError) in
            try pending.file.append(source, from: 0, to: document.length)
            try pending.sync()
            guard try DocumentScan.scan(folder.open(pending.temporary), item: { _, _ in }) == .sound(document) else {
                throw .damaged(name, "it gives other bytes when it is read a second time", in: folder.path)
            }
            try pending.install()
        }
        manifest.snapshots.append(snapshot)
    }

    mutating func add(_ sequence: Int, _ payload: ArraySlice<UInt8>) throws(JournalError) {
        precondition(sequence == last + 1, "commits are copied in order")
        last = sequence
        batch.append(sequence: sequence) { $0 += payload }
        if batch.bytes.count >= Self.batchBytes { try writeBatch() }
    }

    /// The folder is a cleanly closed store once `FolderCopy.complete` is called.
    mutating func finish() throws(JournalError) {
        if segment == nil {
            let newest = manifest.snapshots.last
            try begin(after: newest?.sequence ?? 0, newest?.chain ?? CommitChain(of: manifest.store))
        }
        manifest.closed = try endSegment()
        let bytes = manifest.bytes
        try folder.replace(FileName.manifest, with: bytes)
    }

    /// What an administrator has set in the folder that is copied: the copy may take its place.
    func copySettings(of copied: StoreFolder) throws(JournalError) {
        if let (file, _) = try ReadOnlyFile.read(copied) { try folder.replace(FileName.readOnly, with: file.bytes) }
        guard let found = try HistoryAge.read(copied).document, found.retentionSeconds ?? found.limitBytes != nil else {
            return
        }
        var age = HistoryAge()
        (age.retentionSeconds, age.limitBytes) = (found.retentionSeconds, found.limitBytes)
        try folder.replace(FileName.history, with: age.bytes)
    }

    /// Removes what was written since the folder was opened. The file `restore-in-progress` stays.
    func discard() {
        folder.removeCreated(except: FileName.unfinished)
        folder.release()
    }

    /// Begins the log, or a segment, after a commit with the chain up to it.
    mutating func begin(after sequence: Int, _ chain: CommitChain, previous: UInt32 = 0) throws(JournalError) {
        let header = SegmentHeader(
            store: manifest.store, first: sequence + 1, previous: previous, chain: chain, version: version)
        let segment = try ActiveSegment(begin: header, in: folder, options)
        manifest.segments.append(Manifest.Segment(first: header.first))
        last = sequence
        batch.reset(after: segment.checksum, segment.chain)
        self.segment = segment
    }

    private mutating func writeBatch() throws(JournalError) {
        guard var segment, !batch.isEmpty else { return }
        batch.pad(at: segment.length, sectorBytes: options.sectorBytes)
        let full = batch
        try segment.append(full)
        batch.reset(after: segment.checksum, segment.chain)
        self.segment = segment
        if segment.length >= options.segmentBytes { try seal() }
    }

    private mutating func seal() throws(JournalError) {
        let end = try endSegment()
        manifest.segments[manifest.segments.count - 1].seal = Manifest.Seal(end: end, at: now)
        try begin(after: last, end.chain, previous: end.checksum)
    }

    private mutating func endSegment() throws(JournalError) -> Manifest.End {
        try writeBatch()
        guard let segment else { preconditionFailure("a folder has a segment before it is finished") }
        try segment.sync()
        return segment.end(last: last)
    }
}
