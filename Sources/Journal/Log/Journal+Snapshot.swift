import Bytes

extension Journal {
    /// Prepares a snapshot of the state that is durable now, after `durableSequence`.
    ///
    /// - Parameters:
    ///   - at: when that state was reached: the time of its last commit, so that the same state gives the same file.
    ///   - wall: what the clock of the machine said then, where that was earlier.
    /// - Returns: the writer, for any thread; nil when the newest snapshot, or the empty store, already has that state.
    ///   Only one snapshot is written at a time.
    public func prepareSnapshot(at: Timestamp, wall: Timestamp? = nil) -> SnapshotWriter? {
        guard durableSequence > (manifest.snapshots.last?.sequence ?? 0) else { return nil }
        return SnapshotWriter(
            sequence: durableSequence,
            origin: CheckedDocument.Origin(store: identity, position: durablePosition, at: at, wall: wall),
            folder: folder,
            mark: SnapshotMark(bytes: statistics.bytesSinceSnapshot, commits: statistics.commitsSinceSnapshot))
    }

    /// Adds a snapshot to the manifest, drops unneeded files from it, and then removes those files.
    ///
    /// - Parameter now: the time, which determines what has expired.
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
        do throws(FileSystemError) {
            try swap(new, droppingOld: now)
        } catch {
            if !error.isFatal { try? folder.remove(finished.file.name) }
            throw SnapshotFailure(error)
        }
        statistics.bytesSinceSnapshot -= finished.mark.bytes
        statistics.commitsSinceSnapshot -= finished.mark.commits
        measureFiles()
    }

    /// Drops expired history without a new snapshot: on a full disk none can be written.
    ///
    /// - Returns: whether anything was dropped.
    func dropOld(now: Timestamp) -> Bool {
        let before = manifest
        do throws(FileSystemError) {
            try swap(manifest, droppingOld: now)
        } catch {
            guard error.isNoSpace, (try? folder.remove(FileName.spare)) != nil,
                (try? swap(manifest, droppingOld: now)) != nil
            else { return false }
        }
        measureFiles()
        return manifest != before
    }

    /// Replaces the manifest by one without expired history, and then removes those files.
    private func swap(_ wanted: Manifest, droppingOld now: Timestamp) throws(FileSystemError) {
        var new = wanted
        let dropped = history?.drop(from: &new, now: now) ?? new.dropUnneeded { _ in false }
        guard new != manifest else { return }
        try swap(new)
        // The manifest is on stable storage: the next start removes what a crash leaves behind.
        for name in dropped { try? folder.remove(name) }
        try storeHistory(now: now)
    }
}

extension Manifest {
    /// Drops files that are no longer needed.
    ///
    /// Two properties must hold: the newest snapshot may be lost, and the state at any moment of the last
    /// `historyRetentionSeconds` can be built. A moment is built from a snapshot before it and the log after that. So
    /// at most four snapshots are stored:
    ///
    /// - the newest two;
    /// - the *base*: the newest one that is older than the retention period (see `HistoryAge`);
    /// - the one after the base, which is the next base once it is old enough.
    ///
    /// Segments whose commits are all in the base are dropped. Without a base the whole log is stored.
    ///
    /// - Returns: the names of the files that were dropped.
    mutating func dropUnneeded(_ isOld: (Snapshot) -> Bool) -> [String] {
        // A single snapshot may turn out to be damaged: then the log from the first commit on replaces it.
        guard snapshots.count >= 2 else { return [] }
        let base = snapshots.dropLast().lastIndex(where: isOld)
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
