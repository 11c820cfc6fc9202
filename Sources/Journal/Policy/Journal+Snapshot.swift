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
            folder: folder,
            mark: SnapshotMark(bytes: statistics.bytesSinceSnapshot, commits: statistics.commitsSinceSnapshot))
    }

    /// Takes a snapshot into the manifest, drops what is not needed any more from it, and then removes those files.
    ///
    /// - Parameter now: the time, by which snapshots and segments are old enough to be dropped.
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
    /// Drops what need not be kept.
    ///
    /// Two things are needed: that the newest snapshot may be lost, and that the state at any moment of the last
    /// `keepHistorySeconds` can be built again. A moment is built from a snapshot before it and the log behind that. So
    /// at most four snapshots are kept:
    ///
    /// - the newest two;
    /// - the *base*: the newest one that is older than the history that is kept;
    /// - the one behind the base, which is the next base once it is old enough.
    ///
    /// Segments whose commits are all in the base are dropped. Before there is a base the log begins where it does now.
    ///
    /// - Returns: the names of the files that were dropped.
    mutating func dropUnneeded(now: Timestamp, keepHistorySeconds: Int) -> [String] {
        // A single snapshot may turn out to be damaged: then the log from the first commit on takes its place.
        guard snapshots.count >= 2 else { return [] }
        let horizon = now.advanced(bySeconds: -keepHistorySeconds)
        let base = snapshots.dropLast().lastIndex { $0.at <= horizon }
        let first = base ?? 0
        let kept = Set([first, first + 1, snapshots.count - 2, snapshots.count - 1])
        let oldSnapshots = snapshots.indices.filter { !kept.contains($0) }.map { snapshots[$0] }
        let oldSegments = segments.prefix { segment in
            guard let base, let seal = segment.seal else { return false }
            return seal.end.last <= snapshots[base].sequence
        }
        snapshots.removeAll(where: oldSnapshots.contains)
        segments.removeFirst(oldSegments.count)
        return oldSnapshots.map(\.name) + oldSegments.map(\.name)
    }
}
