import Bytes

/// What can be read in a data folder, and which states of the store can be built from it.
///
/// A state is built from a snapshot, or from the empty store, and all commits after it, without a gap. An unreadable
/// commit ends what can be built, since later commits depend on it.
package struct FolderSurvey: Sendable {
    /// Receives a commit that could be read, with the payload given to `Journal.append`.
    package typealias Visitor = (_ sequence: Int, _ payload: ArraySlice<UInt8>) -> Void

    package internal(set) var report = InspectionReport()

    let folder: StoreFolder
    /// Valid; oldest first.
    var snapshots: [Manifest.Snapshot] = []
    /// Oldest first.
    package internal(set) var damagedSnapshots: [DamagedSnapshot] = []
    /// Found or listed; oldest first.
    var log: [Manifest.Segment] = []
    /// Of the segments with readable commits, oldest first.
    var headers: [SegmentHeader] = []
    /// Readable commits, in runs without a gap.
    var runs: [ClosedRange<Int>] = []

    init(_ folder: StoreFolder) {
        self.folder = folder
    }

    /// nil when no state can be built. 0 is the empty store, which can be built only if there never was a commit.
    package var newestState: Int? {
        let behindSnapshots = snapshots.map { run(with: $0.sequence + 1)?.upperBound ?? $0.sequence }
        let fromTheStart = run(with: 1)?.upperBound ?? (report.lastSequence == 0 ? 0 : nil)
        return (behindSnapshots + [fromTheStart].compactMap(\.self)).max()
    }

    package func canBuild(_ sequence: Int) -> Bool {
        let first = run(with: sequence)?.lowerBound ?? sequence + 1
        return first == 1 || base(of: sequence, from: first) != nil
    }

    /// It can be built together with all later ones up to the newest.
    package var oldestState: (sequence: Int, at: Timestamp?)? {
        guard let newest = newestState else { return nil }
        let first = run(with: newest)?.lowerBound ?? newest + 1
        if first == 1 { return (0, nil) }
        return base(of: newest, from: first).map { ($0.sequence, $0.at) }
    }

    package func time(ofSnapshot sequence: Int) -> Timestamp? {
        snapshots.first { $0.sequence == sequence }?.at
    }

    /// - Throws: of the kind `changed` when a server has dropped the file since.
    func open(_ name: String) throws(JournalError) -> FolderFile {
        do throws(JournalError) {
            return try folder.open(name)
        } catch {
            throw error.isMissing ? .changed(name, in: folder.path) : error
        }
    }

    func run(with sequence: Int) -> ClosedRange<Int>? {
        runs.first { $0.contains(sequence) }
    }

    /// Of a copy of the commits that lead to a state.
    struct Start {
        var first: Int
        var chain: CommitChain
    }

    /// The oldest commit from which a copy can lead to a state: in a run, and with a known chain before it. After an
    /// unreadable commit the chain is known again from the next snapshot or segment on.
    func start(of sequence: Int) -> Start? {
        guard let run = run(with: sequence) else { return nil }
        let begun = headers.map { Start(first: $0.first, chain: $0.chain) }
        let shown = snapshots.map { Start(first: $0.sequence + 1, chain: $0.chain) }
        return (begun + shown).filter { run.lowerBound...sequence ~= $0.first }.min { $0.first < $1.first }
    }

    /// The oldest one from which the commits from `first` on lead to a state.
    private func base(of sequence: Int, from first: Int) -> Manifest.Snapshot? {
        snapshots.first { $0.sequence + 1 >= first && $0.sequence <= sequence }
    }
}

extension [ClosedRange<Int>] {
    /// After all others, joined to the last one if there is no gap.
    mutating func append(_ run: ClosedRange<Int>) {
        guard let last, last.upperBound + 1 >= run.lowerBound else { return insert(run, at: count) }
        self[count - 1] = Swift.min(last.lowerBound, run.lowerBound)...Swift.max(last.upperBound, run.upperBound)
    }
}

package struct InspectionReport: Sendable {
    package enum Verdict: Sendable {
        case sound
        /// The state after the last acknowledged commit can be read.
        case damaged
        /// Acknowledged commits are lost or unreadable.
        case lost
    }

    /// Where a file differs from what was written.
    package struct Finding: Sendable, Hashable, CustomStringConvertible {
        package let file: String
        /// The line, from 1, its offset, and the first commit that is affected.
        package let line, byte, sequence: Int?
        package let message: String

        init(_ file: String, line: Int? = nil, byte: Int? = nil, sequence: Int? = nil, _ message: String) {
            (self.file, self.line, self.byte, self.sequence, self.message) = (file, line, byte, sequence, message)
        }

        package var description: String { "\(JournalError.place(file, line, byte, sequence)): \(message)" }
    }

    /// nil when the manifest cannot be read.
    package internal(set) var identity: String?
    package internal(set) var segments = 0
    package internal(set) var commits = 0
    package internal(set) var snapshots = 0
    package internal(set) var bytes = 0
    /// Of the last known commit. Where a log has lost an unknown number of commits at its end, it is one more than that
    /// of the newest snapshot.
    package internal(set) var lastSequence = 0
    package internal(set) var findings: [Finding] = []
    package internal(set) var verdict = Verdict.sound
}
