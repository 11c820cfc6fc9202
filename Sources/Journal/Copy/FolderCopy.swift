import Bytes

/// Writes a state of a store, with the history behind it, into a new data folder. The old folder is only read.
///
/// The new folder stays locked until the copy is released, and cannot be served before `complete` is called:
///
/// ```swift
/// let copy = try FolderCopy(ofSnapshot: "town.json", to: "new-town", now: now)
/// let (journal, _) = try Journal.open(copy.lockedFolder, now: now, replaying: &state)  // or copy.discard()
/// try journal.close(now: now)
/// try copy.complete()
/// ```
package struct FolderCopy: Sendable {
    package let identity: String
    package let sequence: Int
    package let commits: ClosedRange<Int>?
    package let snapshots: Int
    /// Can be read but was not copied, because something between it and the state cannot be read.
    package struct OmittedHistory: Sendable, Equatable {
        package var commits: [ClosedRange<Int>] = []
        /// By their last commits.
        package var snapshots: [Int] = []
    }

    package private(set) var omitted = OmittedHistory()
    /// The file with the commits after the state that can be read but not be applied; nil when there are none.
    package private(set) var rest: String?

    package let lockedFolder: StoreFolder

    /// - Parameters:
    ///   - sequence: a state for which `survey.canBuild` holds.
    ///   - keepingRest: whether later commits that can be read are written to the quarantine folder.
    /// - Throws: of the kind `changed` when a server has dropped a file since the survey. The new files are removed.
    package init(
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
        omitted.commits = survey.runs.filter { $0.lowerBound < oldest }.map { run in
            run.lowerBound...min(run.upperBound, oldest - 1)
        }
        omitted.snapshots = survey.snapshots.map(\.sequence).filter { $0 + 1 < oldest && $0 < sequence }
        var new = try NewFolder(directory, store: identity, fileSystem: fileSystem, options: options, now: now)
        do throws(JournalError) {
            for snapshot in snapshots { try Self.copy(snapshot, from: survey, into: &new) }
            var rest: [UInt8] = []
            new.version = survey.headers.filter { $0.first <= sequence }.map(\.version).min() ?? new.version
            if let start { try new.begin(after: start.first - 1, start.chain) }
            try survey.forEachCommit { commit, payload throws(JournalError) in
                if commits?.contains(commit) ?? false {
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
                try new.folder.quarantine(name) { file throws(JournalError) in try file.append(rest) }
                self.rest = "\(FileName.quarantine)/\(name)"
            }
            try new.copySettings(of: survey.folder)
            try new.finish()
        } catch {
            new.discard()
            throw error
        }
        lockedFolder = new.folder
    }

    /// From a single snapshot, such as a backup; `name` is used in errors. When it throws, the new files are removed.
    package init(
        ofSnapshot file: String, named name: String? = nil, to directory: String,
        fileSystem: any FileSystem = POSIXFileSystem(), options: JournalOptions = JournalOptions(), now: Timestamp
    ) throws(JournalError) {
        let name = name ?? file
        let source = try FolderFile(ofBackup: file, named: name, fileSystem)
        let document = try Self.read(source, named: name)
        guard let origin = document.origin else { throw .noBackup(name) }
        (identity, sequence, commits, snapshots) = (origin.store, origin.sequence, nil, 1)
        var new = try NewFolder(directory, store: identity, fileSystem: fileSystem, options: options, now: now)
        do throws(JournalError) {
            try new.add(source, named: name, document)
            try new.finish()
        } catch {
            new.discard()
            throw error
        }
        lockedFolder = new.folder
    }

    /// Reads and checks a whole backup; nil when it is an export, which contains no state of a store.
    package static func origin(
        ofSnapshot file: String, fileSystem: any FileSystem = POSIXFileSystem()
    ) throws(JournalError) -> CheckedDocument.Origin? {
        try read(FolderFile(ofBackup: file, named: file, fileSystem), named: file).origin
    }

    /// Reads a backup as a start would read it after a restore; writes nothing. `name` is used in errors.
    package static func replay(
        backup file: String, named name: String? = nil, fileSystem: any FileSystem = POSIXFileSystem(),
        into replayer: inout some Replayer
    ) throws(JournalError) -> CheckedDocument.Origin {
        let name = name ?? file
        let source = try FolderFile(ofBackup: file, named: name, fileSystem)
        let (outcome, refusal) = try DocumentScan.scan(source, into: &replayer)
        guard let origin = try sound(outcome, named: name).origin else { throw .noBackup(name) }
        if let refusal { throw .notReplayable(name, line: refusal.line, refusal.error) }
        return origin
    }

    /// The copy can be served then.
    ///
    /// - Throws: `JournalError`. The folder is a store if its marker is gone, and `discard` leaves it then.
    package func complete() throws(JournalError) {
        try lockedFolder.requireInPlace()
        try lockedFolder.remove(FileName.unfinished)
        try lockedFolder.sync()
    }

    /// As far as possible, and no file that existed before. It removes nothing once the marker is gone: what was left
    /// would look like a new town.
    package func discard() {
        guard let names = try? lockedFolder.list(), names.contains(FileName.unfinished) else { return }
        lockedFolder.removeCreated(except: FileName.unfinished)
    }

    private static func read(_ source: FolderFile, named file: String) throws(JournalError) -> DocumentScan.Sound {
        try sound(DocumentScan.scan(source) { _, _ in }, named: file)
    }

    private static func sound(
        _ outcome: DocumentScan.Outcome, named file: String
    ) throws(JournalError) -> DocumentScan.Sound {
        switch outcome {
        case .sound(let document): return document
        case .unknown(let version): throw .unknownFormat(file, version: version)
        case .faulty(let fault, let byte): throw .damagedBackup(file, fault, byte: byte)
        }
    }

    private static func copy(
        _ snapshot: Manifest.Snapshot, from survey: FolderSurvey, into new: inout NewFolder
    ) throws(JournalError) {
        let source = try survey.open(snapshot.name)
        try new.add(source, named: snapshot.name, try read(source, named: snapshot.name))
    }
}

extension FolderSurvey {
    /// Skips damage; each commit once, in order.
    func forEachCommit(_ body: (Int, ArraySlice<UInt8>) throws(JournalError) -> Void) throws(JournalError) {
        // Not those of a segment that belongs to another history.
        let readable = Set(headers.map(\.first))
        var last = 0
        var walk = LogWalk(of: report.identity, log, in: folder)
        while var event = try walk.next() {
            if case .damage(let damage) = event {
                if damage.reason == .missingFile, readable.contains(walk.segment.first) {
                    throw .changed(walk.segment.name, in: folder.path)
                }
                guard let found = try walk.resume() else { continue }
                event = found
            }
            guard case .commit(let commit) = event, commit.sequence > last, readable.contains(walk.segment.first)
            else { continue }
            last = commit.sequence
            try body(commit.sequence, commit.payload)
        }
    }
}

extension FolderFile {
    fileprivate init(ofBackup path: String, named name: String, _ fileSystem: any FileSystem) throws(JournalError) {
        self.init(
            try FileSystemError.mapped(name) { () throws(FileSystemError) in try fileSystem.open(path) }, in: name)
    }
}
