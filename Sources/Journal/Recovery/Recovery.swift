/// Finds out what a data folder holds. Reading comes first and changes nothing; only when all that is needed has
/// proved itself does `Recovery+Writing.swift` touch the folder.
///
/// Reading:
///
/// 1. The manifest says which files belong to the store; each of them has to be there.
/// 2. The newest snapshot that proves itself is read. A damaged or missing one is skipped in favour of the one before
///    it, since the log reaches back that far; before the first snapshot it reaches back to the first commit.
/// 3. The segments from there on are read. A sealed segment must end as the manifest says.
/// 4. The last segment is read always, and judged: after a clean stop it must end as the manifest says; otherwise a
///    broken line is damage if anything proves that its commit was on stable storage (`DurabilityProof`), and the
///    torn end of an unanswered batch if nothing does.
/// 5. Files that the manifest does not name must be leftovers of a step that the crash interrupted, and older than
///    what was read. Others mean that the manifest is not the newest one.
struct Recovery {
    let folder: DataFolder
    let options: JournalOptions
    var manifest: Manifest
    var report = RecoveryReport()
    /// Where the log ends.
    var tail: Tail?
    /// Snapshots that were skipped.
    var badSnapshots: [Manifest.Snapshot] = []
    /// Files to remove.
    var leftovers: [String] = []
    /// Bytes of commits behind the snapshot that was read.
    var bytesSinceSnapshot = 0

    /// The end of the last segment.
    struct Tail {
        var first: Int
        /// The checksum of the last line of the segment before it.
        var previous: UInt32
        /// Behind the last line that proved itself.
        var position: SegmentReader.Position
        /// Where that line begins, if it is a mark: all commits before it were on stable storage.
        var mark: Int?
        /// The line that did not, if the file goes on.
        var cut: LogDamage?
        /// Whether that is in the quarantine already.
        var isQuarantined = false

        var name: String { FileName.segment(first) }
        var hasCommits: Bool { position.last >= first }
        var end: Manifest.End {
            .init(last: position.last, length: position.offset, checksum: position.checksum, chain: position.chain)
        }
        /// The checksum of the last line of the log that stays: of this segment, if it has commits.
        var lastChecksum: UInt32 { hasCommits ? position.checksum : previous }
    }

    /// The chain up to the last commit. A log of version 1 has none, so one begins behind it.
    var chain: CommitChain {
        tail?.position.chain
            ?? CommitChain(of: manifest.store, after: report.lastSequence, checksum: tail?.lastChecksum ?? 0)
    }

    /// Reads all that is needed.
    mutating func read(into replayer: inout some Replayer) throws(JournalError) {
        let names = try system { () throws(FileSystemError) in try folder.list() }
        for segment in manifest.segments where !names.contains(segment.name) {
            throw .missing(segment.name, in: folder.path)
        }
        let base = try readSnapshot(into: &replayer)
        try readLog(after: base, into: &replayer)
        report.lastSequence = tail?.position.last ?? 0
        report.wasClosed = manifest.closed != nil
        try judge(names)
    }

    // MARK: - Snapshots

    /// Reads the newest snapshot that is sound; gives its sequence number, 0 for the empty store.
    private mutating func readSnapshot(into replayer: inout some Replayer) throws(JournalError) -> Int {
        let firstKept = manifest.segments.first?.first ?? 1
        for snapshot in manifest.snapshots.reversed() where firstKept <= snapshot.sequence + 1 {
            guard let fault = try read(snapshot, into: &replayer) else {
                report.snapshot = snapshot.sequence
                return snapshot.sequence
            }
            badSnapshots.append(snapshot)
            report.warnings.append(fault)
        }
        if let warning = report.warnings.last, firstKept > 1 {
            throw .damaged(
                warning.file, "\(warning.message), and no other snapshot and log make up for it", line: warning.line,
                byte: warning.byte, in: folder.path)
        }
        guard firstKept == 1 else {
            throw .damaged(FileName.manifest, "it names no snapshot to go with its log", in: folder.path)
        }
        replayer.begin(nil)
        return 0
    }

    /// Reads one snapshot; gives what is wrong with it.
    private func read(
        _ snapshot: Manifest.Snapshot, into replayer: inout some Replayer
    ) throws(JournalError) -> RecoveryReport.Warning? {
        var warning = RecoveryReport.Warning(kind: .skippedSnapshot, file: snapshot.name, message: "the file is gone")
        var refusal: (line: Int, error: any Error)?
        let outcome: DocumentScan.Outcome
        do throws(FileSystemError) {
            outcome = try DocumentScan.scan(folder.open(snapshot.name)) { item, line in
                guard refusal == nil else { return }
                do {
                    switch item {
                    case .start(let origin): replayer.begin(origin)
                    case .line(let text): try replayer.snapshotLine(text)
                    case .end: try replayer.endSnapshot()
                    }
                } catch {
                    refusal = (line.number, error)
                }
            }
        } catch {
            guard error.isMissing else { throw .system(error, in: folder.path) }
            return warning
        }
        switch outcome {
        case .newer(let version):
            throw .newerFormat(snapshot.name, version: version)
        case .faulty(let fault, let byte):
            (warning.line, warning.byte, warning.message) = (fault.line, byte, fault.description)
            return warning
        case .sound(let document):
            if let origin = document.origin, origin.store != manifest.store {
                throw .wrongStore(snapshot.name, found: origin.store, expected: manifest.store)
            }
            guard document.checksum == snapshot.checksum, document.length == snapshot.length,
                document.origin?.sequence == snapshot.sequence, document.origin?.chain == snapshot.chain
            else {
                warning.message = "it is not the file that the manifest describes"
                return warning
            }
            if let refusal { throw .notReplayable(snapshot.name, line: refusal.line, refusal.error) }
            return nil
        }
    }

    /// Makes a failed system call an error of this folder.
    func system<Value>(_ call: () throws(FileSystemError) -> Value) throws(JournalError) -> Value {
        try FileSystemError.mapped(folder.path, call)
    }
}

extension FileSystemError {
    /// Makes a failed system call an error of a data folder.
    static func mapped<Value>(
        _ folder: String, _ call: () throws(FileSystemError) -> Value
    ) throws(JournalError) -> Value {
        do throws(FileSystemError) {
            return try call()
        } catch {
            throw .system(error, in: folder)
        }
    }
}
