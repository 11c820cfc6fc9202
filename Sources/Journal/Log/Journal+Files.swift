import Bytes

/// Sealing a segment and beginning the next:
///
/// 1. The segment is truncated after its last line and synced once more, for that and for the mark after its last
///    batch.
/// 2. The new segment gets its first line, is synced and renamed; the folder is synced.
/// 3. The manifest is replaced: it contains the end of the old segment and lists the new one, and no history that is
///    too old or too large.
///
/// A crash after step 2 leaves a segment without commits that the manifest does not list; the next start removes it. If
/// a step fails for another reason than a sync or a broken disk, the old segment stays active, and the next batch tries
/// again.
extension Journal {
    func rotate(now: Timestamp) throws(JournalError) {
        let header = SegmentHeader(
            store: identity, first: durableSequence + 1, previous: segment.checksum, chain: segment.chain,
            version: options.version)
        let next: ActiveSegment
        do throws(JournalError) {
            try segment.cutBack()
            try segment.sync()
            next = try ActiveSegment(begin: header, in: folder, options)
        } catch {
            if error.isFatal { throw fail(error) }
            return
        }
        var sealed = manifest
        sealed.segments[sealed.segments.count - 1].seal = Manifest.Seal(
            end: segment.end(last: durableSequence), at: now)
        sealed.segments.append(Manifest.Segment(first: header.first))
        do throws(JournalError) {
            try swap(sealed, droppingOld: now)
        } catch {
            if error.isFatal { throw fail(error) }
            // It contains no commit: if it cannot be removed now, a later start removes it.
            try? folder.remove(FileName.segment(header.first))
            return
        }
        segment = next
        measureFiles()
    }

    /// A snapshot must be taken when the log has grown by so many bytes since the last one, and a segment be sealed, so
    /// that the log that the newest two snapshots need is not larger than the history may be.
    package var snapshotBytesAtMost: Int { (history?.limitBytes ?? .max) / 4 }

    func measureFiles() {
        statistics.segments = manifest.segments.count
        statistics.logBytes = manifest.segments.reduce(segment.length) { $0 + ($1.seal?.end.length ?? 0) }
        statistics.snapshotBytes = manifest.snapshots.last?.length ?? 0
        statistics.snapshotSequence = manifest.snapshots.last?.sequence ?? 0
        statistics.snapshotAt = manifest.snapshots.last?.at
        statistics.history = HistoryExtent(manifest, history, storedReason)
    }
}

extension Journal {
    /// When the journal was opened, the disk had no room for the files that writing needs. The state can be read;
    /// `flush` fails until `findRoom` succeeds.
    package var noSpaceFailure: JournalError? { unready?.cause }

    /// After a flush failed on a full disk: whether another small batch can succeed. It writes a file of its own to
    /// find out, and drops expired history if necessary. `warn` receives the warnings of a recovery that can be
    /// completed only now.
    package func findRoom(now: Timestamp, warn: (RecoveryReport.Warning) -> Void = { _ in }) -> Bool {
        guard (try? requireInPlace()) != nil else { return false }
        guard let unready else { return hasRoom() || (dropOld(now: now) && hasRoom()) }
        // The sequence numbers of the batch would be assigned twice.
        guard batch.isEmpty else { return false }
        var recovery = unready.recovery
        let known = recovery.report.warnings.count
        do throws(JournalError) {
            segment = try recovery.write(now: now)
        } catch {
            self.unready = (recovery, unready.cause)
            for found in recovery.report.warnings[known...] { warn(found) }
            if error.isNoSpace {
                // Removing the spare file makes room for the next attempt, which can then drop expired history.
                if history?.hasOld(in: recovery.manifest, now: now, neededAfter: neededAfter) ?? false {
                    try? folder.remove(FileName.spare)
                }
                return false
            }
            if error.isFatal || error.cause == nil { _ = fail(error) }
            return false
        }
        self.unready = nil
        manifest = recovery.manifest
        batch.reset(after: segment.checksum, segment.chain)
        lastSequence = durableSequence
        measureFiles()
        _ = dropOld(now: now)
        for found in recovery.report.warnings[known...] { warn(found) }
        return true
    }

    private func hasRoom() -> Bool {
        do throws(JournalError) {
            let trial = try folder.begin(FileName.manifest)
            defer { trial.discard() }
            try trial.file.append([UInt8](repeating: 0, count: 64 << 10))
            return true
        } catch {
            return false
        }
    }
}

extension Journal {
    /// - Parameters:
    ///   - at: the time of the last commit, so that the same state gives the same file.
    ///   - wall: the time on the machine's clock, where that was earlier.
    /// - Returns: the writer, for any thread; nil when the newest snapshot, or the empty store, already has that state.
    ///   Only one snapshot is written at a time.
    package func prepareSnapshot(at: Timestamp, wall: Timestamp? = nil) -> SnapshotWriter? {
        guard durableSequence > (manifest.snapshots.last?.sequence ?? 0) else { return nil }
        return SnapshotWriter(
            sequence: durableSequence,
            origin: CheckedDocument.Origin(
                store: identity, position: durablePosition, at: at, wall: wall, version: options.version),
            folder: folder, statistics: statistics)
    }

    /// Drops unneeded files from the manifest, and then removes them.
    package func install(_ finished: FinishedSnapshot, now: Timestamp) throws(JournalError) {
        try requireUsable()
        precondition(finished.sequence > (manifest.snapshots.last?.sequence ?? 0), "snapshots are taken in order")
        var new = manifest
        new.snapshots.append(finished.file)
        do throws(JournalError) {
            try swap(new, droppingOld: now)
        } catch {
            if !error.isFatal { try? folder.remove(finished.file.name) }
            throw error
        }
        statistics.bytesSinceSnapshot -= finished.statistics.bytesSinceSnapshot
        statistics.commitsSinceSnapshot -= finished.statistics.commitsSinceSnapshot
        measureFiles()
    }

    /// Without a new snapshot: on a full disk none can be written. Returns whether anything was dropped.
    func dropOld(now: Timestamp) -> Bool {
        let before = manifest
        do throws(JournalError) {
            try swap(manifest, droppingOld: now)
        } catch {
            guard error.isNoSpace, (try? folder.remove(FileName.spare)) != nil,
                (try? swap(manifest, droppingOld: now)) != nil
            else { return false }
        }
        measureFiles()
        return manifest != before
    }

    /// Without expired history; then removes those files.
    func swap(_ wanted: Manifest, droppingOld now: Timestamp) throws(JournalError) {
        var new = wanted
        let dropped =
            history?.drop(from: &new, now: now, neededAfter: neededAfter)
            ?? new.dropUnneeded(Manifest.Retention(neededAfter: neededAfter)).names
        guard new != manifest else { return }
        try swap(new)
        // The manifest is on stable storage: the next start removes what a crash leaves behind.
        for name in dropped { try? folder.remove(name) }
        try storeHistory(now: now)
    }
}

/// The segment that is written to. Zeros follow its last line, reserved for the next ones; a sealed or closed segment
/// has none.
struct ActiveSegment {
    /// nil when there is no segment to write to; nothing is appended then.
    private let file: FolderFile?
    /// After its last line; only zeros follow.
    private(set) var length: Int
    private(set) var checksum: UInt32
    private(set) var chain: CommitChain
    private let reservation: Int
    /// The offset after the zeros, including zeros that could not be written.
    private var reserved = 0

    /// Its first line is on stable storage.
    init(begin header: SegmentHeader, in folder: StoreFolder, _ options: JournalOptions) throws(JournalError) {
        let line = header.line(sectorBytes: options.sectorBytes)
        let name = FileName.segment(header.first)
        file = try folder.replace(name, with: line.bytes).named(folder.path(of: name))
        length = line.bytes.count
        (checksum, chain) = (line.checksum, header.chain)
        reservation = options.reservedBytes
    }

    /// A placeholder while the disk has no room for a segment.
    init(missingAfter chain: CommitChain, length: Int) {
        (file, self.length, checksum, reservation) = (nil, length, 0, 0)
        self.chain = chain
    }

    func end(last: Int) -> Manifest.End {
        Manifest.End(last: last, length: length, checksum: checksum, chain: chain)
    }

    /// When it throws, the file may contain any part of the batch.
    mutating func append(_ batch: LogBatch) throws(JournalError) {
        try append(batch.bytes, checksum: batch.checksum)
        chain = batch.chain
    }

    /// Lines without commits; the checksum is that of the last.
    mutating func append(_ lines: [UInt8], checksum: UInt32) throws(JournalError) {
        try file?.append(lines)
        length += lines.count
        self.checksum = checksum
        if length > reserved, reservation > 0 {
            reserved = length + reservation
            file?.file.reserve(reservation)
        }
    }

    /// Removes reserved space, and what a failed `append` has written.
    mutating func cutBack() throws(JournalError) {
        try file?.truncate(to: length)
        reserved = 0
    }

    func sync() throws(JournalError) {
        try file?.sync()
    }
}
