/// Reads a data folder. Reading comes first and changes nothing; `Recovery+Writing.swift` changes the folder only after
/// everything that is needed was verified.
///
/// Reading:
///
/// 1. The manifest lists the files of the store; each of them must exist.
/// 2. The newest valid snapshot is read. A damaged or missing one is skipped in favour of the one before it, since the
///    log reaches back that far; before the first snapshot it reaches back to the first commit.
/// 3. The segments from there on are read. A sealed segment must end as the manifest states.
/// 4. The last segment is always read. After a clean stop it must end as the manifest states; otherwise an invalid line
///    is damage if there is proof that its commit was on stable storage (`DurabilityProof`, `DurableEnd`), and the torn
///    end of an unacknowledged batch if there is none.
/// 5. Files that the manifest does not list must be leftovers of an interrupted step, and older than what was read.
///    Others mean that the manifest is not the newest one.
struct Recovery {
    let folder: DataFolder
    let options: JournalOptions
    var manifest: Manifest
    var report = RecoveryReport()
    var tail: Tail?
    var badSnapshots: [Manifest.Snapshot] = []
    var leftovers: [String] = []
    private(set) var hasSpare = false
    /// How far the log must reach at least.
    private(set) var durable: DurableEnd?
    /// Bytes of commits after the snapshot that was read.
    var bytesSinceSnapshot = 0

    /// The end of the last segment.
    struct Tail {
        var first: Int
        /// The checksum of the last line of the segment before it.
        var previous: UInt32
        /// After the last valid line.
        var position: SegmentReader.Position
        /// The offset of that line, if it is a mark: all commits before it were on stable storage.
        var mark: Int?
        /// The invalid line after it, if the file continues.
        var cut: LogDamage?
        /// Whether that was copied to the quarantine folder.
        var isQuarantined = false

        var name: String { FileName.segment(first) }
        var hasCommits: Bool { position.last >= first }
        var end: Manifest.End {
            .init(
                last: position.last, length: position.offset, checksum: position.checksum,
                chain: position.commit.chain)
        }
        /// The checksum of the last line of the log that is preserved: of this segment, if it has commits.
        var lastChecksum: UInt32 { hasCommits ? position.checksum : previous }
    }

    /// After the last commit.
    var end: CommitPosition { tail?.position.commit ?? CommitPosition(0, CommitChain(of: manifest.store)) }

    /// Reads the manifest's files.
    mutating func read(into replayer: inout some Replayer) throws(JournalError) {
        let names = try system { () throws(FileSystemError) in try folder.list() }
        hasSpare = names.contains(FileName.spare)
        for segment in manifest.segments where !names.contains(segment.name) {
            throw .missing(segment.name, in: folder.path)
        }
        durable = try system { () throws(FileSystemError) in try DurableEnd.read(from: folder, manifest) }
        let base = try readSnapshot(into: &replayer)
        try readLog(after: base, into: &replayer)
        report.lastSequence = tail?.position.last ?? 0
        report.wasClosed = manifest.closed != nil
        if DurableEnd.isCopied(in: folder, manifest) { report.warnings.append(.copied(at: report.lastSequence)) }
        try judge(names)
    }

    // MARK: - Snapshots

    /// Reads the newest valid snapshot; returns its sequence number, 0 for the empty store.
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

    /// Reads one snapshot; returns what is wrong with it.
    private func read(
        _ snapshot: Manifest.Snapshot, into replayer: inout some Replayer
    ) throws(JournalError) -> RecoveryReport.Warning? {
        var warning = RecoveryReport.Warning(kind: .skippedSnapshot, file: snapshot.name, message: "the file is gone")
        let (outcome, refusal): (DocumentScan.Outcome, (line: Int, error: any Error)?)
        do throws(FileSystemError) {
            (outcome, refusal) = try DocumentScan.scan(folder.open(snapshot.name), into: &replayer)
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

    /// Turns a failed system call into an error of this folder.
    func system<Value>(_ call: () throws(FileSystemError) -> Value) throws(JournalError) -> Value {
        try FileSystemError.mapped(folder.path, call)
    }
}

extension FileSystemError {
    /// Turns a failed system call into an error of a data folder.
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
