import Bytes

extension Journal {
    /// Prepares a snapshot of the state that is durable now: after `durableSequence`.
    ///
    /// - Parameter at: when that state was reached, which should be the time of its last commit: then the same state
    ///   gives the same file.
    /// - Returns: what writes it, on any thread; nil when the newest snapshot, or the empty store, is that state
    ///   already. One snapshot is taken at a time.
    public func prepareSnapshot(at: Timestamp) -> SnapshotWriter? {
        guard durableSequence > (manifest.snapshots.last?.sequence ?? 0) else { return nil }
        return SnapshotWriter(
            sequence: durableSequence,
            origin: CheckedDocument.Origin(store: identity, sequence: durableSequence, at: at),
            folder: folder, syncBytes: options.snapshotSyncBytes,
            mark: SnapshotMark(bytes: statistics.bytesSinceSnapshot, commits: statistics.commitsSinceSnapshot))
    }

    /// Takes a snapshot into the manifest, drops what is not needed any more from it, and then removes those files.
    ///
    /// - Parameter now: the time, by which segments are old enough to be dropped.
    /// - Throws: `SnapshotFailure`.
    public func install(_ finished: FinishedSnapshot, now: Timestamp) throws(SnapshotFailure) {
        do throws(FlushFailure) {
            try requireUsable()
        } catch {
            throw SnapshotFailure(error.cause)
        }
        precondition(finished.sequence > (manifest.snapshots.last?.sequence ?? 0), "snapshots are taken in order")
        var new = manifest
        new.snapshots.append(finished.file)
        let dropped = new.dropUnneeded(now: now, keepHistorySeconds: options.keepHistorySeconds)
        do throws(FileSystemError) {
            try swap(new)
        } catch {
            if !error.isFatal { try? folder.remove(finished.file.name) }
            throw SnapshotFailure(error)
        }
        // The manifest is on stable storage: what a crash leaves now, the next start removes.
        for name in dropped { try? folder.remove(name) }
        statistics.bytesSinceSnapshot -= finished.mark.bytes
        statistics.commitsSinceSnapshot -= finished.mark.commits
        measureFiles()
    }
}

extension Manifest {
    /// Drops what need not be kept: all snapshots but the newest two, and segments from the oldest on, while all
    /// commits in them are in both snapshots and they were sealed longer ago than the history is kept.
    ///
    /// - Returns: the names of their files.
    mutating func dropUnneeded(now: Timestamp, keepHistorySeconds: Int) -> [String] {
        let oldSnapshots = snapshots.dropLast(2)
        snapshots.removeFirst(oldSnapshots.count)
        // A single snapshot may turn out to be damaged: then the log from the first commit on takes its place.
        guard snapshots.count == 2 else { return [] }
        let needed = snapshots[0].sequence
        let kept = now.advanced(bySeconds: -keepHistorySeconds)
        let oldSegments = segments.prefix { segment in
            segment.seal.map { $0.end.last <= needed && $0.at < kept } ?? false
        }
        segments.removeFirst(oldSegments.count)
        return oldSnapshots.map(\.name) + oldSegments.map(\.name)
    }
}
