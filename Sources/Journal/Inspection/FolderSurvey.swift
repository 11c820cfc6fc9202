import Bytes

/// What can be read in a data folder, and which states of the store can be built from it.
///
/// A state is built from a snapshot, or from the empty store, and all commits after it, without a gap. An unreadable
/// commit ends what can be built, since later commits depend on it.
package struct FolderSurvey: Sendable {
    /// Receives a commit that could be read: its sequence number, and the payload given to `Journal.append`.
    package typealias Visitor = (_ sequence: Int, _ payload: ArraySlice<UInt8>) -> Void

    package let report: InspectionReport

    let folder: DataFolder
    /// The valid snapshots, oldest first.
    let snapshots: [Manifest.Snapshot]
    /// The snapshots with damage, oldest first.
    package let damagedSnapshots: [DamagedSnapshot]
    /// A segment with commits that can be read.
    struct Segment {
        let header: SegmentHeader
        let last: Int
    }

    /// The segments with readable commits, oldest first.
    let segments: [Segment]
    /// Readable commits, in runs without a gap.
    let runs: [ClosedRange<Int>]

    /// Reads every byte of a data folder. Like `JournalInspector` it changes nothing and may run while a server does.
    ///
    /// - Parameters:
    /// - commit: receives each commit in order; the commits from one of them on are repeated when they are read again
    ///   because a server may have changed files meanwhile.
    /// - Throws: `JournalError` when there is nothing to read.
    package init(
        of directory: String, fileSystem: any FileSystem = POSIXFileSystem(), commit: Visitor = { _, _ in }
    ) throws(JournalError) {
        self = try JournalInspector.survey(directory, fileSystem: fileSystem, commit: commit)
    }

    init(
        report: InspectionReport, folder: DataFolder, snapshots: [Manifest.Snapshot],
        damagedSnapshots: [DamagedSnapshot], segments: [Segment], runs: [ClosedRange<Int>]
    ) {
        self.damagedSnapshots = damagedSnapshots
        (self.report, self.folder, self.snapshots) = (report, folder, snapshots)
        (self.segments, self.runs) = (segments, runs)
    }

    /// The sequence number of the newest state that can be built; nil when none can. 0 is the empty store, which can be
    /// built only if there never was a commit.
    package var newestState: Int? {
        let behindSnapshots = snapshots.map { run(with: $0.sequence + 1)?.upperBound ?? $0.sequence }
        let fromTheStart = run(with: 1)?.upperBound ?? (report.lastSequence == 0 ? 0 : nil)
        return (behindSnapshots + [fromTheStart].compactMap(\.self)).max()
    }

    package func canBuild(_ sequence: Int) -> Bool {
        let first = run(with: sequence)?.lowerBound ?? sequence + 1
        return first == 1 || base(of: sequence, from: first) != nil
    }

    /// The oldest state that can be built together with all later ones up to the newest.
    package var oldestState: (sequence: Int, at: Timestamp?)? {
        guard let newest = newestState else { return nil }
        let first = run(with: newest)?.lowerBound ?? newest + 1
        if first == 1 { return (0, nil) }
        return base(of: newest, from: first).map { ($0.sequence, $0.at) }
    }

    /// When the state in a valid snapshot was reached; nil when there is no such snapshot.
    package func time(ofSnapshot sequence: Int) -> Timestamp? {
        snapshots.first { $0.sequence == sequence }?.at
    }

    /// Opens one of its files.
    ///
    /// - Throws: `JournalError`; of the kind `changed` when a server has dropped it since.
    func open(_ name: String) throws(JournalError) -> any OpenFile {
        do throws(FileSystemError) {
            return try folder.open(name)
        } catch {
            throw error.isMissing ? .changed(name, in: folder.path) : .system(error, in: folder.path)
        }
    }

    func run(with sequence: Int) -> ClosedRange<Int>? {
        runs.first { $0.contains(sequence) }
    }

    /// The start of a copy of the commits that lead to a state.
    struct Start {
        var first: Int
        /// The chain before it.
        var chain: CommitChain
    }

    /// The oldest commit from which a copy can lead to a state: in a run, and with a known chain before it. After an
    /// unreadable commit the chain is known again from the next snapshot or segment on. Nil when there is no commit.
    func start(of sequence: Int) -> Start? {
        guard let run = run(with: sequence), let holder = segments.last(where: { $0.header.first <= run.lowerBound })
        else { return nil }
        if holder.header.first == run.lowerBound {
            return Start(first: run.lowerBound, chain: holder.header.chain)
        }
        let begun = segments.map { Start(first: $0.header.first, chain: $0.header.chain) }
        let shown = snapshots.map { Start(first: $0.sequence + 1, chain: $0.chain) }
        return (begun + shown).filter { run.lowerBound...sequence ~= $0.first }.min { $0.first < $1.first }
    }

    /// The oldest snapshot from which the commits from `first` on lead to a state.
    private func base(of sequence: Int, from first: Int) -> Manifest.Snapshot? {
        snapshots.first { $0.sequence + 1 >= first && $0.sequence <= sequence }
    }
}

extension [ClosedRange<Int>] {
    /// Appends a sequence number after all others, unless it is already the last.
    mutating func append(_ number: Int) {
        append(number...number)
    }

    /// Appends a run after all others, joined to the last one if there is no gap.
    mutating func append(_ run: ClosedRange<Int>) {
        guard let last, last.upperBound + 1 >= run.lowerBound else { return insert(run, at: count) }
        self[count - 1] = Swift.min(last.lowerBound, run.lowerBound)...Swift.max(last.upperBound, run.upperBound)
    }
}
