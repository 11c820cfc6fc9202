import Bytes

/// A write-ahead log with snapshots. It writes commits, which are opaque bytes, to stable storage and replays them in
/// order.
///
/// ```swift
/// var state = State()
/// let (journal, report) = try Journal.open("data", now: now, replaying: &state)
/// journal.append { $0 += Array(#""at":"…","changes":[]"#.utf8) }  // 1201
/// try journal.flush(now: now)                                      // durable now: acknowledge
/// ```
///
/// The steps of a commit:
///
/// 1. `append` assigns a sequence number and adds a line to the batch, in memory.
/// 2. `flush` pads the batch to whole sectors, so that no later write touches one of its sectors.
/// 3. It appends the batch to the segment with one `write`, into reserved space: a sync without a new file length takes
///    a third less.
/// 4. It syncs the segment. From now on the commits are durable.
/// 5. It appends a mark that states this (`DurabilityProof`), without a sync: the next batch includes it. The mark is
///    in the file before any commit is acknowledged.
/// 6. It writes the sequence number of the last commit into the file `durable` (`DurableEnd`), without a sync either.
/// 7. It seals a segment that is large enough (`Journal+Files.swift`).
/// 8. It returns, and the commits may be published and acknowledged.
///
/// If step 3 finds the disk full, the file is truncated to its former length and synced, and the batch is discarded:
/// the journal can be used as before. After any other failure the contents of the disk are unknown: every further call
/// fails. See `JournalError.isFatal`.
///
/// A journal belongs to one owner, usually an actor, and is not `Sendable`. It locks its folder until `close` or until
/// the last reference is released. Before it writes a batch or renames a file it checks that the folder is in place: it
/// changes nothing in a folder that was moved, deleted or replaced, or whose log was (`StoreFolder`).
package final class Journal {
    /// 32 hexadecimal digits, generated with the store.
    package var identity: String { manifest.store }
    /// On stable storage; 0 when there is none.
    package private(set) var durableSequence: Int
    package internal(set) var lastSequence: Int
    package internal(set) var statistics = JournalStatistics()

    let folder: StoreFolder
    let options: JournalOptions
    var manifest: Manifest
    var segment: ActiveSegment
    var batch: LogBatch
    private var state = State.open
    private let releasesLock: Bool
    /// The next start reads the log after this commit: it is stored regardless of the retention.
    package var neededAfter = Int.max
    private var durableFile: DurableFile?
    /// What `setReadOnly` stored: nil when the store is not read-only, empty when the file with the state is damaged.
    package internal(set) var readOnlyState: [UInt8]?
    /// When expired history is dropped.
    var history: HistoryRetention?
    /// As a server has stored it; for a journal that drops none.
    var storedReason: HistoryExtent.Reason?
    /// A folder that was read but not prepared for writing, because the disk was full.
    var unready: (recovery: Recovery, cause: JournalError)?

    private enum State {
        case open
        case failed(JournalError)
        case closed
    }

    /// `ready` is an error when the disk had no room for the active segment.
    init(
        _ recovery: Recovery, ready: Result<ActiveSegment, JournalError>, history: HistoryRetention?,
        releasesLock: Bool
    ) {
        (folder, options, manifest) = (recovery.folder, recovery.options, recovery.manifest)
        switch ready {
        case .success(let segment): self.segment = segment
        case .failure(let cause):
            segment = ActiveSegment(missingAfter: recovery.end.chain, length: recovery.tail?.position.offset ?? 0)
            unready = (recovery, cause)
        }
        (self.history, self.releasesLock) = (history, releasesLock)
        batch = LogBatch(after: segment.checksum, segment.chain)
        durableSequence = recovery.report.lastSequence
        lastSequence = recovery.report.lastSequence
        statistics.bytesSinceSnapshot = recovery.bytesSinceSnapshot
        statistics.commitsSinceSnapshot = recovery.report.replayedCommits
    }

    /// Adds a commit to the batch; returns its position in the history.
    ///
    /// - Parameter payload: appends the members of the commit's JSON object that follow `seq`, without the braces, such
    ///   as `"at":"…","changes":[]`: at least one, without a line feed. When it throws, the batch is as before.
    @discardableResult
    package func append<Failure>(_ payload: (inout [UInt8]) throws(Failure) -> Void) throws(Failure) -> CommitPosition {
        try batch.append(sequence: lastSequence + 1, payload: payload)
        lastSequence += 1
        return CommitPosition(lastSequence, batch.chain)
    }

    package var durablePosition: CommitPosition { CommitPosition(durableSequence, segment.chain) }

    /// Writes all appended commits to stable storage. `now` is the time at which a full segment is sealed.
    ///
    /// - Throws: an error that `isFatal`, or the disk is full. Then nothing of the batch remains, its sequence numbers
    ///   are free again, and the journal can still be used: revert to the last durable state.
    package func flush(now: Timestamp) throws(JournalError) {
        try requireUsable()
        guard !batch.isEmpty else { return }
        try requireInPlace()
        if let unready { throw refuseBatch(unready.cause) }
        batch.pad(at: segment.length, sectorBytes: options.sectorBytes)
        try writeBatch()
        let started = ContinuousClock.now
        if !options.failpoints.contains(.acknowledgeBeforeSync) { try critical(segment.sync) }
        statistics.lastSync = started.duration(to: .now)
        statistics.syncs.record(Int(statistics.lastSync / .nanoseconds(1)))
        batchIsDurable()
        try writeMark()
        try writeDurableEnd()
        if segment.length >= min(options.segmentBytes, snapshotBytesAtMost) { try rotate(now: now) }
        batch.reset(after: segment.checksum, segment.chain)
    }

    /// Flushes and stores the end of the log in the manifest, so that the next start treats anything missing before it
    /// as damage. Nothing may be called afterwards.
    ///
    /// - Throws: as `flush`. On a full disk the log is complete, but the manifest does not contain its end.
    package func close(now: Timestamp) throws(JournalError) {
        defer {
            state = .closed
            if releasesLock { folder.release() }
        }
        try flush(now: now)
        try requireInPlace()
        // A folder that was not prepared for writing is unchanged.
        if unready != nil { return }
        try storeHistory(now: now)
        try segment.cutBack()
        try segment.sync()
        var closed = manifest
        closed.closed = segment.end(last: durableSequence)
        try swap(closed)
    }

    package var files: any FileSystem { folder.files }

    /// Includes the lock, the manifest and the whole active segment. It throws an error that `isDisplaced`.
    package func requireInPlace() throws(JournalError) {
        try requireUsable()
        try critical { () throws(JournalError) in
            try folder.requireInPlace()
            try folder.requireUnchanged(FileName.manifest)
            if let active = manifest.segments.last { try folder.requireUnchanged(active.name, length: segment.length) }
        }
    }

    func storeHistory(now: Timestamp) throws(JournalError) {
        try critical { () throws(JournalError) in try history?.store(in: folder, now: now) }
    }

    /// On a full disk the batch is discarded.
    private func writeBatch() throws(JournalError) {
        do throws(JournalError) {
            try segment.append(batch)
        } catch {
            guard error.isNoSpace else { throw fail(error) }
            try cutBack()
            // Otherwise a crash might bring back a commit that was refused.
            try critical(segment.sync)
            throw refuseBatch(error)
        }
    }

    private func refuseBatch(_ error: JournalError) -> JournalError {
        lastSequence = durableSequence
        batch.reset(after: segment.checksum, segment.chain)
        return error
    }

    private func batchIsDurable() {
        statistics.batches += 1
        statistics.commits += lastSequence - durableSequence
        statistics.logBytes += batch.bytes.count
        statistics.bytesSinceSnapshot += batch.bytes.count
        statistics.commitsSinceSnapshot += lastSequence - durableSequence
        durableSequence = lastSequence
    }

    /// On a full disk the log is still complete without the mark.
    private func writeMark() throws(JournalError) {
        var mark: [UInt8] = []
        let checksum = mark.appendMark(synced: durableSequence, after: segment.checksum)
        do throws(JournalError) {
            try segment.append(mark, checksum: checksum)
            statistics.logBytes += mark.count
        } catch {
            guard error.isNoSpace else { throw fail(error) }
            try cutBack()
        }
    }

    /// Where that fails, the file is older than it could be, or absent.
    private func writeDurableEnd() throws(JournalError) {
        guard let first = manifest.segments.last?.first else { return }
        let end = DurableEnd(sequence: durableSequence, first: first)
        do throws(JournalError) {
            if let durableFile { return try durableFile.write(end) }
            durableFile = try DurableFile(in: folder, store: identity, end)
        } catch {
            if error.isFatal { throw fail(error) }
        }
    }

    private func cutBack() throws(JournalError) {
        try critical { () throws(JournalError) in try segment.cutBack() }
    }

    /// Nothing has changed when it throws, unless the error is fatal.
    func swap(_ new: Manifest) throws(JournalError) {
        do throws(JournalError) {
            try folder.replace(FileName.manifest, with: new.bytes)
        } catch {
            throw error.isFatal ? fail(error) : error
        }
        manifest = new
    }

    /// Its failure ends the journal.
    func critical<Value>(_ call: () throws(JournalError) -> Value) throws(JournalError) -> Value {
        do throws(JournalError) {
            return try call()
        } catch {
            throw fail(error)
        }
    }

    func fail(_ error: JournalError) -> JournalError {
        state = .failed(error.ending)
        return error.ending
    }

    func requireUsable() throws(JournalError) {
        switch state {
        case .open: return
        case .failed(let error): throw error
        case .closed: preconditionFailure("the journal is closed")
        }
    }
}
