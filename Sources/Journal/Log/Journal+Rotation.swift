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
    func rotate(now: Timestamp) throws(FlushFailure) {
        let header = SegmentHeader(
            store: identity, first: durableSequence + 1, previous: segment.checksum, chain: segment.chain)
        let next: ActiveSegment
        do throws(FileSystemError) {
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
        do throws(FileSystemError) {
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

    /// Updates the sizes of the files from the manifest.
    func measureFiles() {
        statistics.segments = manifest.segments.count
        statistics.logBytes = manifest.segments.reduce(segment.length) { $0 + ($1.seal?.end.length ?? 0) }
        statistics.snapshotBytes = manifest.snapshots.last?.length ?? 0
        statistics.snapshotSequence = manifest.snapshots.last?.sequence ?? 0
        statistics.snapshotAt = manifest.snapshots.last?.at
        statistics.history = HistoryExtent(manifest, history, storedReason)
    }
}
