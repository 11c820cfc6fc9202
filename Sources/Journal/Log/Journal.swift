import Bytes

/// A write-ahead log with snapshots: it keeps commits, which are opaque bytes to it, on stable storage, and gives them
/// back in order.
///
/// ```swift
/// var state = State()
/// let (journal, report) = try Journal.open("data", now: now, replaying: &state)
/// journal.append { $0 += Array(#""at":"…","changes":[]"#.utf8) }  // 1201
/// try journal.flush(now: now)                                      // on disk now: answer
/// ```
///
/// A commit goes this way:
///
/// 1. `append` gives it a sequence number and puts its line into the batch, in memory.
/// 2. `flush` fills the batch up to whole sectors, so that no later write touches a sector of it,
/// 3. appends it to the segment with one `write`, into room that was reserved: a sync that has nothing new to note of
///    the file takes a third less,
/// 4. and syncs the segment. Now, and not before, it is durable.
/// 5. It appends a mark that says so (`DurabilityProof`), without syncing that: it goes with the next batch. The mark
///    is in the file before anybody is answered.
/// 6. A segment that has become large enough is sealed (`Journal+Rotation.swift`).
/// 7. `flush` returns, and the commits may be shown and answered.
///
/// When step 3 finds no room the file is cut back to where it was and synced, and the batch is forgotten: the journal
/// is as it was before, and can be used again. When anything else fails what the disk holds is not known: every
/// further call fails. See `FlushFailure`.
///
/// A journal belongs to one owner, usually an actor, and is not `Sendable`. It holds the lock on its folder until
/// `close` or until the last reference goes. Before it writes a batch or names a file it makes sure that the folder is
/// where it was: of one that was moved, deleted or replaced nothing is changed any more (`LockedFolder`).
public final class Journal {
    /// The identity of the store: 32 hexadecimal digits, drawn when it was made.
    public var identity: String { manifest.store }
    /// The sequence number of the last commit that is on stable storage; 0 when there is none.
    public private(set) var durableSequence: Int
    /// The sequence number of the last commit that was appended.
    public internal(set) var lastSequence: Int
    /// Sizes and durations, for metrics and for the decision when to take a snapshot.
    public internal(set) var statistics = JournalStatistics()

    let folder: DataFolder
    let options: JournalOptions
    var manifest: Manifest
    var segment: ActiveSegment
    var batch: LogBatch
    private var state = State.open
    private let lockedFolder: LockedFolder
    private let releasesLock: Bool
    /// Set where old history is dropped.
    var history: HistoryRetention?
    /// A folder that was read, but not made ready for writing, for want of room; and what was missing room.
    var unready: (recovery: Recovery, cause: FileSystemError)?

    private enum State {
        case open
        case failed(FileSystemError)
        case closed
    }

    /// A journal on a folder that was read.
    ///
    /// - Parameter ready: the segment to write to; an error when there was no room for it.
    init(
        _ recovery: Recovery, ready: Result<ActiveSegment, FileSystemError>, history: HistoryRetention?,
        lockedFolder: LockedFolder,
        releasesLock: Bool
    ) {
        (folder, options, manifest) = (recovery.folder, recovery.options, recovery.manifest)
        switch ready {
        case .success(let segment): self.segment = segment
        case .failure(let cause):
            segment = ActiveSegment(missingAfter: recovery.chain)
            unready = (recovery, cause)
        }
        (self.history, self.lockedFolder, self.releasesLock) = (history, lockedFolder, releasesLock)
        batch = LogBatch(after: segment.checksum, segment.chain)
        durableSequence = recovery.report.lastSequence
        lastSequence = recovery.report.lastSequence
        statistics.bytesSinceSnapshot = recovery.bytesSinceSnapshot
        statistics.commitsSinceSnapshot = recovery.report.replayedCommits
        measureFiles()
    }

    /// Puts a commit into the batch; `flush` writes it.
    ///
    /// - Parameter payload: appends the members of the commit's JSON object that follow `seq`, without the braces, such
    ///   as `"at":"…","changes":[]`. They must be valid JSON, at least one, and without a line feed.
    /// - Returns: its place in the history.
    @discardableResult
    public func append(_ payload: (inout [UInt8]) -> Void) -> CommitPosition {
        lastSequence += 1
        batch.append(sequence: lastSequence, payload: payload)
        return position(lastSequence, batch.chain)
    }

    /// Where the log ends that is on stable storage.
    public var durablePosition: CommitPosition { position(durableSequence, segment.chain) }

    private func position(_ sequence: Int, _ chain: CommitChain?) -> CommitPosition {
        guard let chain else { preconditionFailure("what a journal writes to is of the newest version") }
        return CommitPosition(sequence, chain)
    }

    /// Brings all commits that were appended to stable storage. Does nothing when there are none.
    ///
    /// - Parameter now: when a segment that is sealed on this occasion was sealed.
    /// - Throws: `FlushFailure`. None of the batch may be answered then. After `.noSpace` its sequence numbers are
    ///   free again; after `.fatal` the process has to end.
    public func flush(now: Timestamp) throws(FlushFailure) {
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
        if segment.length >= options.segmentBytes { try rotate(now: now) }
        batch.reset(after: segment.checksum, segment.chain)
    }

    /// Stops cleanly: writes what was appended and says in the manifest where the log ends, so that the next start
    /// takes whatever is missing there for damage. The lock is let go of; nothing may be called after it.
    ///
    /// - Throws: `FlushFailure`. After `.noSpace` the log is whole, without that word in the manifest.
    public func close(now: Timestamp) throws(FlushFailure) {
        defer {
            state = .closed
            if releasesLock { lockedFolder.release() }
        }
        try flush(now: now)
        try requireInPlace()
        // What was not made ready is as the last process has left it.
        if unready != nil { return }
        do throws(FileSystemError) {
            try storeHistory(now: now)
            try segment.cutBack()
            try segment.sync()
            var closed = manifest
            closed.closed = segment.end(last: durableSequence)
            try swap(closed)
        } catch {
            throw FlushFailure(kind: error.isFatal ? .fatal : .noSpace, cause: error)
        }
    }

    /// The files of its folder, for who reads them while it runs, wherever the folder has been moved to.
    public var files: any FileSystem { lockedFolder.files }

    /// Makes sure that the path of the folder still leads to it, and that the lock is in it.
    ///
    /// - Throws: `FlushFailure` of the kind `.fatal` whose cause `isDisplaced`.
    public func requireInPlace() throws(FlushFailure) {
        try requireUsable()
        try critical(folder.requireInPlace)
    }

    /// Stores how old the history is.
    func storeHistory(now: Timestamp) throws(FileSystemError) {
        do throws(FileSystemError) {
            try history?.store(in: folder, now: now)
        } catch {
            _ = fail(error)
            throw error
        }
    }

    // MARK: - Steps

    /// Appends the batch; when there is no room for it, makes as if it had never been.
    private func writeBatch() throws(FlushFailure) {
        do throws(FileSystemError) {
            try segment.append(batch)
        } catch {
            guard error.isNoSpace else { throw fail(error) }
            try cutBack()
            // Else a crash might bring back a commit that was refused.
            try critical(segment.sync)
            throw refuseBatch(error)
        }
    }

    /// Makes as if the batch had never been.
    private func refuseBatch(_ cause: FileSystemError) -> FlushFailure {
        lastSequence = durableSequence
        batch.reset(after: segment.checksum, segment.chain)
        return FlushFailure(kind: .noSpace, cause: cause)
    }

    private func batchIsDurable() {
        statistics.batches += 1
        statistics.commits += lastSequence - durableSequence
        statistics.logBytes += batch.bytes.count
        statistics.bytesSinceSnapshot += batch.bytes.count
        statistics.commitsSinceSnapshot += lastSequence - durableSequence
        durableSequence = lastSequence
    }

    /// Appends the mark that the batch is durable. Without room for it the log is as good, only less sure of itself.
    private func writeMark() throws(FlushFailure) {
        var mark: [UInt8] = []
        let checksum = mark.appendMark(synced: durableSequence, after: segment.checksum)
        do throws(FileSystemError) {
            try segment.append(mark, checksum: checksum)
            statistics.logBytes += mark.count
        } catch {
            guard error.isNoSpace else { throw fail(error) }
            try cutBack()
        }
    }

    private func cutBack() throws(FlushFailure) {
        try critical { () throws(FileSystemError) in try segment.cutBack() }
    }

    /// Swaps the manifest. Nothing has changed when it throws, unless the error is fatal.
    func swap(_ new: Manifest) throws(FileSystemError) {
        do throws(FileSystemError) {
            try folder.replace(FileName.manifest, with: new.bytes)
        } catch {
            if error.isFatal { _ = fail(error) }
            throw error
        }
        manifest = new
    }

    // MARK: - Failures

    /// Does what must not fail.
    func critical<Value>(_ call: () throws(FileSystemError) -> Value) throws(FlushFailure) -> Value {
        do throws(FileSystemError) {
            return try call()
        } catch {
            throw fail(error)
        }
    }

    /// Ends all further work.
    func fail(_ cause: FileSystemError) -> FlushFailure {
        state = .failed(cause)
        return FlushFailure(kind: .fatal, cause: cause)
    }

    func requireUsable() throws(FlushFailure) {
        switch state {
        case .open: return
        case .failed(let cause): throw FlushFailure(kind: .fatal, cause: cause)
        case .closed: preconditionFailure("the journal is closed")
        }
    }
}
