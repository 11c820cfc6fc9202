import Bytes

extension Journal {
    /// Prepares a snapshot of the state that is durable now, after `durableSequence`.
    ///
    /// - Parameters:
    ///   - at: when that state was reached: the time of its last commit, so that the same state gives the same file.
    ///   - wall: what the clock of the machine said then, where that was earlier.
    /// - Returns: the writer, for any thread; nil when the newest snapshot, or the empty store, already has that state.
    ///   Only one snapshot is written at a time.
    package func prepareSnapshot(at: Timestamp, wall: Timestamp? = nil) -> SnapshotWriter? {
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
    package func install(_ finished: FinishedSnapshot, now: Timestamp) throws(SnapshotFailure) {
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
    func swap(_ wanted: Manifest, droppingOld now: Timestamp) throws(FileSystemError) {
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
