import Bytes

extension Manifest {
    struct Retention {
        /// The history before a snapshot is older than the retention period.
        var isOld: (Snapshot) -> Bool = { _ in false }
        /// Of the history, and as many as the next snapshot will probably have.
        var limitBytes = Int.max
        /// After this commit the log is stored anyway.
        var neededAfter = Int.max
    }

    /// Drops files that are no longer needed.
    ///
    /// Two properties must hold: the newest snapshot may be lost, and the state at any time of the retention period
    /// can be built, as long as the size of the history allows it. A state is built from a snapshot before it and the
    /// log after that. So these snapshots are stored:
    ///
    /// - the newest two;
    /// - the *base*: the newest one that is older than the retention period (see `HistoryAge`), or a later one, where
    ///   the history would be too large;
    /// - the one after the base, which is the next base once it is old enough;
    /// - later ones after every eighth of the largest history, which are the next bases when it becomes too large.
    ///
    /// Segments whose commits are all in the base, and not needed otherwise, are dropped. Without a base the whole log
    /// is stored.
    ///
    /// - Returns: the names of the files that were dropped, and why the history begins later than before; nil when it
    ///   does not.
    mutating func dropUnneeded(_ retention: Retention) -> (names: [String], reason: HistoryExtent.Reason?) {
        // A single snapshot may turn out to be damaged: then the log from the first commit on replaces it.
        guard snapshots.count >= 2 else { return ([], nil) }
        var base = snapshots.dropLast().lastIndex(where: retention.isOld)
        var reason = HistoryExtent.Reason.days
        while historyBytes(from: base, retention) > retention.limitBytes, base ?? -1 < snapshots.count - 2 {
            (base, reason) = ((base ?? -1) + 1, .size)
        }
        let kept = Set(keptSnapshots(from: base ?? 0, retention) + [snapshots.count - 2, snapshots.count - 1])
        let oldSnapshots = snapshots.indices.filter { !kept.contains($0) }.map { snapshots[$0] }
        let oldSegments = segments.prefix(droppable(before: base, retention))
        snapshots.removeAll(where: oldSnapshots.contains)
        segments.removeFirst(oldSegments.count)
        return (oldSnapshots.map(\.name) + oldSegments.map(\.name), oldSegments.isEmpty ? nil : reason)
    }

    /// Without the newest two snapshots.
    var historyBytes: Int {
        segments.reduce(0) { $0 + ($1.seal?.end.length ?? 0) } + snapshots.dropLast(2).reduce(0) { $0 + $1.length }
    }

    private func historyBytes(from base: Int?, _ retention: Retention) -> Int {
        var rest = self
        rest.segments.removeFirst(droppable(before: base, retention))
        let older = keptSnapshots(from: base ?? 0, retention).filter { $0 < snapshots.count - 2 }
        rest.snapshots = older.map { snapshots[$0] } + snapshots.suffix(2)
        return rest.historyBytes + (snapshots.last?.length ?? 0)
    }

    /// How many segments no state after a base needs.
    private func droppable(before base: Int?, _ retention: Retention) -> Int {
        guard let base else { return 0 }
        let last = min(snapshots[base].sequence, retention.neededAfter)
        return segments.prefix { segment in segment.seal.map { $0.end.last <= last } ?? false }.count
    }

    /// Without the newest two.
    private func keptSnapshots(from base: Int, _ retention: Retention) -> [Int] {
        var kept = [base]
        var before = logBytes(before: snapshots[base])
        for index in snapshots.indices.dropLast(2) where index > base {
            let log = logBytes(before: snapshots[index])
            // A snapshot must be small compared with the log that it makes unnecessary.
            let least = max(retention.limitBytes / 8, 2 * snapshots[index].length)
            guard index == base + 1 || log - before >= least else { continue }
            kept.append(index)
            before = log
        }
        return kept
    }

    /// Of the sealed segments whose commits are all in a snapshot.
    private func logBytes(before snapshot: Snapshot) -> Int {
        segments.reduce(0) { sum, segment in
            segment.seal.map { $0.end.last <= snapshot.sequence ? sum + $0.end.length : sum } ?? sum
        }
    }
}

/// From which state on any can be built.
package struct HistoryExtent: Sendable, Hashable {
    /// Why there is no earlier history.
    package enum Reason: String, Sendable, Hashable {
        /// There is: it goes back to the first commit.
        case beginning
        case days
        case size
        /// The folder was made without it, by a restore or a repair.
        case copy
    }

    package internal(set) var first = 1
    /// When the state before it was reached; nil when it is the first commit of all.
    package internal(set) var since: Timestamp?
    package internal(set) var reason = Reason.beginning
    /// Without the newest two snapshots and the segment that is written to.
    package internal(set) var bytes = 0
    /// nil when nothing is dropped.
    package internal(set) var limitBytes: Int?
    /// nil when nothing is dropped for its age.
    package internal(set) var retentionSeconds: Int?

    /// Until when a commit will probably be in the history; nil when it is never dropped for its age.
    package func end(ofCommitAt time: Timestamp, now: Timestamp) -> Timestamp? {
        let reach = reason == .size ? since.map { now.seconds - $0.seconds } : nil
        return (reach ?? retentionSeconds).map { time.advanced(bySeconds: $0) }
    }
}

extension HistoryExtent {
    init(_ manifest: Manifest, _ retention: HistoryRetention?, _ storedReason: HistoryExtent.Reason?) {
        first = manifest.segments.first?.first ?? 1
        bytes = manifest.historyBytes
        (limitBytes, retentionSeconds) = (retention?.limitBytes, retention?.retentionSeconds)
        guard first > 1 else { return }
        since = manifest.snapshots.first { $0.sequence + 1 >= first }?.at
        reason = retention?.reason ?? storedReason ?? .copy
    }
}
