import Bytes

/// Writes a state of a store, with the history behind it, into a new data folder. The old one is only read.
///
/// The new folder is held until the copy is let go of, and cannot be served before `complete` is called:
///
/// ```swift
/// let copy = try FolderCopy(ofSnapshot: "town.json", to: "new-town", now: now)
/// let (journal, _) = try Journal.open(copy.lockedFolder, now: now, replaying: &state)  // or copy.discard()
/// try journal.close(now: now)
/// try copy.complete()
/// ```
public struct FolderCopy: Sendable {
    /// The identity of the store, which the copy keeps: it is the same town.
    public let identity: String
    /// The sequence number of the state.
    public let sequence: Int
    /// The commits of the log that came with it; nil when there were none.
    public let commits: ClosedRange<Int>?
    /// How many snapshots came with it.
    public let snapshots: Int
    /// Older history that can be read and did not come with it, because something between it and the state cannot.
    public struct LeftOut: Sendable, Equatable {
        /// Commits, in runs without a gap.
        public var commits: [ClosedRange<Int>] = []
        /// The last commits in snapshots.
        public var snapshots: [Int] = []
    }

    /// The history that did not come with it.
    public private(set) var leftOut = LeftOut()
    /// The file in the new folder with the commits behind the state that can be read, but not be built upon; nil when
    /// there are none, or they were not asked for.
    public private(set) var rest: String?

    /// The new folder.
    public let lockedFolder: LockedFolder

    /// Copies a state out of a data folder.
    ///
    /// - Parameters:
    ///   - sequence: the state after this commit; `survey.canBuild` says whether that can be.
    ///   - survey: what can be read of the folder.
    ///   - directory: the new folder, absent or empty.
    ///   - keepingRest: whether later commits that can be read are put beside the store, for people.
    ///   - fileSystem: the files of the operating system, if nothing else is said.
    ///   - options: the sizes of its segments.
    ///   - now: the time, for the segments that are sealed.
    ///   - progress: is told how many commits are copied, out of how many.
    /// - Throws: `JournalError`; what was written is removed then.
    public init(
        of sequence: Int, from survey: FolderSurvey, to directory: String, keepingRest: Bool,
        fileSystem: any FileSystem = POSIXFileSystem(), options: JournalOptions = JournalOptions(), now: Timestamp,
        progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) throws(JournalError) {
        guard survey.canBuild(sequence), let identity = survey.report.identity else {
            throw .notBuildable(sequence, in: survey.folder.path)
        }
        let start = survey.start(of: sequence)
        let commits = start.map { $0.first...sequence }
        let snapshots = survey.snapshots.filter {
            $0.sequence <= sequence && $0.sequence + 1 >= commits?.lowerBound ?? sequence + 1
        }
        (self.identity, self.sequence, self.commits) = (identity, sequence, commits)
        self.snapshots = snapshots.count
        let oldest = commits?.lowerBound ?? sequence + 1
        leftOut.commits = survey.runs.filter { $0.lowerBound < oldest }.map { run in
            run.lowerBound...min(run.upperBound, oldest - 1)
        }
        leftOut.snapshots = survey.snapshots.map(\.sequence).filter { $0 + 1 < oldest && $0 < sequence }
        var new = try NewFolder(directory, store: identity, fileSystem: fileSystem, options: options, now: now)
        do throws(JournalError) {
            for snapshot in snapshots { try Self.copy(snapshot, from: survey.folder, into: &new) }
            var rest: [UInt8] = []
            if let start { try new.begin(after: start.first - 1, start.chain) }
            var version = start.map { $0.chain == nil ? 1 : SegmentHeader.version }
            try survey.forEachCommit { commit, payload, header throws(JournalError) in
                if commits?.contains(commit) ?? false {
                    if header.version != version {
                        // What follows in the newer version has its chain from here on.
                        try new.begin(after: commit - 1, header.chain)
                        version = header.version
                    }
                    try new.add(commit, payload)
                    progress(commit - (commits?.lowerBound ?? 1) + 1, commits?.count ?? 0)
                } else if commit > sequence, keepingRest {
                    rest.append(utf8: "{\"seq\":\(commit),")
                    rest.append(contentsOf: payload)
                    rest.append("}\n")
                }
            }
            if !rest.isEmpty {
                let name = "commits-after-\(sequence).ndjson"
                try new.quarantine(name, rest)
                self.rest = "\(FileName.quarantine)/\(name)"
            }
            if let seconds = try HistoryRetention.read(survey.folder).age?.retentionSeconds {
                try new.setRetention(seconds: seconds)
            }
            try new.finish()
        } catch {
            new.discard()
            throw error
        }
        lockedFolder = new.lockedFolder
    }

    /// Makes a data folder of a snapshot that stands alone, such as a backup.
    ///
    /// - Parameters:
    ///   - file: the path of the snapshot.
    ///   - directory: the new folder, absent or empty.
    ///   - fileSystem: the files of the operating system, if nothing else is said.
    ///   - options: how its log is laid out.
    ///   - now: the time.
    /// - Throws: `JournalError`; what was written is removed then.
    public init(
        ofSnapshot file: String, to directory: String, fileSystem: any FileSystem = POSIXFileSystem(),
        options: JournalOptions = JournalOptions(), now: Timestamp
    ) throws(JournalError) {
        let source = try FileSystemError.mapped(file) { () throws(FileSystemError) in try fileSystem.open(file) }
        let document = try Self.read(source, named: file)
        guard let origin = document.origin else { throw .noBackup(file) }
        (identity, sequence, commits, snapshots) = (origin.store, origin.sequence, nil, 1)
        var new = try NewFolder(directory, store: identity, fileSystem: fileSystem, options: options, now: now)
        do throws(JournalError) {
            try new.add(source, named: file, document)
            try new.finish()
        } catch {
            new.discard()
            throw error
        }
        lockedFolder = new.lockedFolder
    }

    /// Reads a backup to its end.
    ///
    /// - Returns: the state that it holds; nil when it is an export, which holds no state of a store.
    /// - Throws: `JournalError` when it is not as it was written.
    public static func origin(
        ofSnapshot file: String, fileSystem: any FileSystem = POSIXFileSystem()
    ) throws(JournalError) -> CheckedDocument.Origin? {
        let source = try FileSystemError.mapped(file) { () throws(FileSystemError) in try fileSystem.open(file) }
        return try read(source, named: file).origin
    }

    /// Makes the copy a data folder that can be served.
    ///
    /// - Throws: `JournalError`; the folder is none then.
    public func complete() throws(JournalError) {
        let folder = DataFolder(lockedFolder)
        try FileSystemError.mapped(lockedFolder.path) { () throws(FileSystemError) in
            try folder.requireInPlace()
            try folder.remove(FileName.unfinished)
            try folder.sync()
        }
    }

    /// Removes a copy that turned out to be of no use, as far as that can be done, and nothing that was there before.
    public func discard() {
        DataFolder(lockedFolder).removeCreated(except: FileName.unfinished)
    }

    private static func read(_ source: any OpenFile, named file: String) throws(JournalError) -> DocumentScan.Sound {
        let outcome = try FileSystemError.mapped(file) { () throws(FileSystemError) in
            try DocumentScan.scan(source) { _, _ in }
        }
        switch outcome {
        case .sound(let document): return document
        case .newer(let version): throw .newerFormat(file, version: version)
        case .faulty(let fault, let byte): throw .damagedBackup(file, fault, byte: byte)
        }
    }

    private static func copy(
        _ snapshot: Manifest.Snapshot, from folder: DataFolder, into new: inout NewFolder
    ) throws(JournalError) {
        let source = try FileSystemError.mapped(folder.path) { () throws(FileSystemError) in
            try folder.open(snapshot.name)
        }
        try new.add(source, named: snapshot.name, try read(source, named: snapshot.name))
    }
}

extension FolderSurvey {
    /// Reads the commits once more, over damage, in order and each once, with the first line of their segment.
    func forEachCommit(
        _ body: (Int, ArraySlice<UInt8>, SegmentHeader) throws(JournalError) -> Void
    ) throws(JournalError) {
        var last = 0
        for segment in segments {
            var reader = SegmentReader(
                try system { () throws(FileSystemError) in try folder.open(FileName.segment(segment.header.first)) })
            var item = try system { () throws(FileSystemError) in
                guard case .damage = try reader.readHeader() else { return try reader.next() }
                return try reader.next(assuming: segment.header) ?? .end
            }
            reading: while true {
                switch item {
                case .commit(let sequence, let payload) where sequence > last:
                    last = sequence
                    try body(sequence, payload, segment.header)
                case .commit, .mark: break
                case .damage:
                    item = try system { () throws(FileSystemError) in try reader.findNext(through: segment.last) }
                    continue reading
                case .end: break reading
                }
                item = try system { () throws(FileSystemError) in try reader.next() }
            }
        }
    }

    private func system<Value>(_ call: () throws(FileSystemError) -> Value) throws(JournalError) -> Value {
        try FileSystemError.mapped(folder.path, call)
    }
}
