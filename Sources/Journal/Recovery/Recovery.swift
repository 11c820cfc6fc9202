import Bytes

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
    let folder: StoreFolder
    let options: JournalOptions
    var manifest: Manifest
    var report = RecoveryReport()
    var tail: Tail?
    var badSnapshots: [Manifest.Snapshot] = []
    var leftovers: [String] = []
    private(set) var hasSpare = false
    /// The log must reach at least so far.
    private(set) var durable: DurableEnd?
    /// Of commits after the snapshot that was read.
    var bytesSinceSnapshot = 0

    struct Tail {
        var first: Int
        /// The checksum of the last line of the segment before it.
        var previous: UInt32
        var position: SegmentReader.Position
        /// After it, if the file continues.
        var cut: LogDamage?
        var isQuarantined = false

        var name: String { FileName.segment(first) }
        /// The offset of the last line, if it is a mark: all commits before it were on stable storage.
        var mark: Int? { position.isAfterMark ? position.lineStart : nil }
        var hasCommits: Bool { position.last >= first }
        var end: Manifest.End {
            .init(
                last: position.last, length: position.offset, checksum: position.checksum,
                chain: position.commit.chain)
        }
        /// The checksum of the last line of the log that is preserved: of this segment, if it has commits.
        var lastChecksum: UInt32 { hasCommits ? position.checksum : previous }
    }

    var end: CommitPosition { tail?.position.commit ?? CommitPosition(0, CommitChain(of: manifest.store)) }

    mutating func read(into replayer: inout some Replayer) throws(JournalError) {
        let names = try folder.list()
        hasSpare = names.contains(FileName.spare)
        for segment in manifest.segments where !names.contains(segment.name) {
            throw .missing(segment.name, in: folder.path)
        }
        report.oldestFormat = manifest.version
        durable = try DurableEnd.read(from: folder, manifest)
        let base = try readSnapshot(into: &replayer)
        try readLog(after: base, into: &replayer)
        report.lastSequence = tail?.position.last ?? 0
        report.wasClosed = manifest.closed != nil
        if DurableEnd.isCopied(in: folder, manifest) { report.warnings.append(.copied(at: report.lastSequence)) }
        try judge(names)
    }

    /// The newest valid one; returns its sequence number, 0 for the empty store.
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

    /// Returns what is wrong with it.
    private mutating func read(
        _ snapshot: Manifest.Snapshot, into replayer: inout some Replayer
    ) throws(JournalError) -> RecoveryReport.Warning? {
        var warning = RecoveryReport.Warning(kind: .skippedSnapshot, file: snapshot.name, message: "the file is gone")
        let (outcome, refusal): (DocumentScan.Outcome, (line: Int, error: any Error)?)
        do throws(JournalError) {
            (outcome, refusal) = try DocumentScan.scan(folder.open(snapshot.name), into: &replayer)
        } catch {
            guard error.isMissing else { throw error }
            return warning
        }
        switch outcome {
        case .unknown(let version):
            throw .unknownFormat(snapshot.name, version: version)
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
            recordFormat(document.origin?.version)
            return nil
        }
    }
}

extension Recovery {
    /// Reads the commits after `base`, and always the last segment.
    mutating func readLog(after base: Int, into replayer: inout some Replayer) throws(JournalError) {
        let start = manifest.segments.lastIndex { $0.first <= base + 1 } ?? 0
        for segment in manifest.segments[..<start] { try checkLength(of: segment) }
        var walk = LogWalk(of: manifest.store, manifest.log, from: start, in: folder)
        while let event = try walk.next() {
            switch event {
            case .commit(let commit) where commit.sequence > base: try replay(commit, of: walk, into: &replayer)
            case .header(let header):
                recordFormat(header.version)
                try requireChain(of: base, in: walk)
            case .commit, .mark: try requireChain(of: base, in: walk)
            case .damage(let damage): try end(walk, damage)
            case .end: try end(walk, nil)
            }
        }
        guard let tail else { return }
        // A file or a snapshot shows that the log once reached at least as far.
        if let durable, tail.position.last < durable.sequence, !options.failpoints.contains(.cutByLength) {
            throw endsEarly(tail, durable.reason)
        }
        if let newest = manifest.snapshots.last, tail.position.last < newest.sequence {
            throw endsEarly(tail, "\(newest.name) was made after it was longer")
        }
    }

    private func endsEarly(_ tail: Tail, _ reason: String) -> JournalError {
        .damaged(
            tail.name, "the log ends at sequence \(tail.position.last), and \(reason)", line: tail.position.lines + 1,
            byte: tail.position.offset, sequence: tail.position.last + 1, in: folder.path)
    }

    /// A segment that only the older snapshot or the history needs is not read, but must have its full length.
    private func checkLength(of segment: Manifest.Segment) throws(JournalError) {
        let length = try folder.open(segment.name).length()
        guard let end = segment.seal?.end, length != end.length else { return }
        throw .damaged(
            segment.name, "the file has \(Count(length, "byte")), the manifest says \(Count.grouped(end.length))",
            in: folder.path)
    }

    private mutating func recordFormat(_ version: Int?) {
        report.oldestFormat = min(report.oldestFormat, version ?? CheckedDocument.version)
    }

    private mutating func replay(
        _ commit: LoggedCommit, of walk: LogWalk, into replayer: inout some Replayer
    ) throws(JournalError) {
        do {
            try replayer.commit(commit)
        } catch {
            throw .notReplayable(
                walk.segment.name, line: walk.position.lines, byte: walk.position.lineStart,
                sequence: commit.sequence, error)
        }
        report.replayedCommits += 1
        bytesSinceSnapshot += walk.position.offset - walk.position.lineStart
    }

    /// The log must lead to the state of the snapshot, with the same chain.
    private func requireChain(of base: Int, in walk: LogWalk) throws(JournalError) {
        guard walk.position.last == base, let snapshot = manifest.snapshots.first(where: { $0.sequence == base }),
            snapshot.chain != walk.position.chain
        else { return }
        throw .damaged(
            walk.segment.name, "the chain of the commits is not that of \(snapshot.name)", line: walk.position.lines,
            byte: walk.position.offset, sequence: base, in: folder.path)
    }

    /// One that was sealed or closed must end where the manifest states.
    private mutating func end(_ walk: LogWalk, _ damage: LogDamage?) throws(JournalError) {
        let (segment, position) = (walk.segment, walk.position)
        let isLast = segment.first == manifest.segments.last?.first
        if let damage, segment.seal != nil || walk.header == nil {
            throw walk.error(
                damage,
                because: isLast ? "the store was closed after it was written" : "the segment was sealed")
        }
        // Not the position of the reader: zeros may follow it, which only an active segment has.
        if let end = segment.seal?.end, let length = try walk.file?.length(),
            !end.isEnd(at: position, length: length)
        {
            throw .damaged(
                segment.name, end.difference(from: position, length: length), line: position.lines + 1,
                byte: position.offset, sequence: position.last + 1, in: folder.path)
        }
        guard isLast, let header = walk.header else { return }
        if let damage { try refuseUnlessTorn(damage, walk) }
        tail = Tail(first: segment.first, previous: header.previous, position: position, cut: damage)
    }

    /// At the end of a log that was not closed.
    private func refuseUnlessTorn(_ damage: LogDamage, _ walk: LogWalk) throws(JournalError) {
        guard let file = walk.file, !options.failpoints.contains(.cutByLength) else { return }
        if let proof = try DurabilityProof.find(in: file, from: damage.byte, for: damage.sequence) {
            throw walk.error(
                damage, because: "byte \(proof.byte) says that all commits up to sequence \(proof.synced) were written")
        }
        if let durable, durable.sequence >= damage.sequence { throw walk.error(damage, because: durable.reason) }
    }
}

extension Recovery {
    /// The manifest does not list them.
    mutating func judge(_ names: [String]) throws(JournalError) {
        let named = Set(manifest.segments.map(\.name) + manifest.snapshots.map(\.name))
        let oldest = manifest.segments.first?.first
        for name in names.sorted() where !named.contains(name) {
            switch FileName(name) {
            case .temporary:
                leftovers.append(name)
            case .segment(let first):
                // Older ones were dropped from the manifest and must be removed.
                if let oldest, first < oldest {
                    leftovers.append(name)
                } else {
                    try judgeSegment(name, first: first)
                }
            case .snapshot(let sequence):
                // It is created before the manifest lists it, and removed after the manifest drops it.
                guard sequence <= report.lastSequence else {
                    throw .unexpected(
                        name, "it was made after the log, which ends at sequence \(report.lastSequence), was longer",
                        in: folder.path)
                }
                leftovers.append(name)
            case nil: continue
            }
        }
    }

    /// A new segment is created before the manifest lists it; at that time it has a first line and no commit.
    private mutating func judgeSegment(_ name: String, first: Int) throws(JournalError) {
        guard let header = try SegmentReader.header(ofEmpty: folder.open(name)) else {
            throw .unexpected(name, "there is more in it than a first line", in: folder.path)
        }
        guard header.store == manifest.store else {
            throw .wrongStore(name, found: header.store, expected: manifest.store)
        }
        guard first <= report.lastSequence + 1 else {
            throw .unexpected(
                name, "it was begun after the log, which ends at sequence \(report.lastSequence), was longer",
                in: folder.path)
        }
        leftovers.append(name)
    }
}
