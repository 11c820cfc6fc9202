import Bytes
import Journal

/// The state of a town at an instant, found in the log of its data folder.
///
/// Commits are ordered by their sequence numbers, and the instant is one of the clock. A clock that was ahead or behind
/// may have shown an instant twice, or never; where it is not certain which commits came before it, there is no state.
package struct PointInTime: Sendable {
    package struct Moment: Sendable, Equatable {
        package let sequence: Int
        package let at: Timestamp
    }

    package let survey: FolderSurvey
    package let last: Moment
    /// The first commit after the state with a known time; nil when there is none.
    package let next: Moment?

    /// Searches the log of a data folder, which is only read; a server may run on it.
    ///
    /// - Parameter now: the time: a commit that is later was made by a clock that was ahead.
    /// - Throws: `JournalError` when the folder cannot be read, `PointInTimeError` when there is no such state.
    package init(
        _ moment: Timestamp, in directory: String, now: Timestamp, fileSystem: any FileSystem = POSIXFileSystem()
    ) throws {
        var clock = ClockRecord(moment, now: now)
        survey = try FolderSurvey(of: directory, fileSystem: fileSystem) { sequence, payload in
            if let time = try? Commit.time(of: payload) { clock.append(sequence, at: time.clock) }
        }
        let oldest = survey.oldestState
        if let base = oldest, let at = base.at, at > moment, clock.last == nil, clock.isWrong(at, at: base.sequence) {
            let change = Moment(sequence: base.sequence, at: at)
            throw PointInTimeError.clockWasWrong(change, knownUntil: nil, from: clock.next?.at)
        }
        if let error = clock.uncertainty { throw error }
        let sequence = clock.last?.sequence ?? clock.next.map { $0.sequence - 1 } ?? survey.report.lastSequence
        if !survey.canBuild(sequence), oldest.map({ sequence > $0.sequence }) ?? true {
            throw PointInTimeError.unreadable(sequence: sequence)
        }
        guard let at = clock.last?.at ?? survey.time(ofSnapshot: sequence), at <= moment, survey.canBuild(sequence)
        else { throw PointInTimeError.beforeHistory(oldest: oldest?.at) }
        last = Moment(sequence: sequence, at: at)
        next = clock.next
    }
}

/// What the clock showed at each commit, compared with an instant.
///
/// Each commit is before it, after it, or was made by a clock that was wrong: a later one than now, or an earlier one
/// than at the first commit. The state is the one after the last commit before the instant, if all earlier commits are
/// before it, all later ones after it, and none of a wrong clock lies between.
private struct ClockRecord {
    private enum Side { case before, after, wrong }

    private struct Run {
        let side: Side
        let first: PointInTime.Moment
        var last: PointInTime.Moment
    }

    /// How far the clocks of two machines may differ, in seconds.
    private static let tolerance = 300

    private let moment: Timestamp
    /// The latest time that a clock can have shown, and the earliest: that of the first commit.
    private let latest: Timestamp
    private var earliest: Timestamp?
    private var runs: [Run] = []

    init(_ moment: Timestamp, now: Timestamp) {
        self.moment = moment
        let latest = now.advanced(bySeconds: Self.tolerance)
        // Who asks for an instant that is to come means what the clock of the town showed.
        self.latest = moment > latest ? Timestamp.endOfTime : latest
    }

    mutating func append(_ sequence: Int, at time: Timestamp) {
        // Lines that were just written or are damaged are read again; what was found before them still counts.
        while let run = runs.last, run.last.sequence >= sequence {
            runs.removeLast()
            guard run.first.sequence < sequence else { continue }
            runs.append(Run(side: run.side, first: run.first, last: .init(sequence: sequence - 1, at: run.last.at)))
        }
        let commit = PointInTime.Moment(sequence: sequence, at: time)
        if earliest == nil, time <= latest { earliest = time }
        let isWrong = time > latest || earliest.map { time < $0.advanced(bySeconds: -Self.tolerance) } ?? false
        let side = isWrong ? Side.wrong : time <= moment ? .before : .after
        if runs.last?.side == side {
            runs[runs.count - 1].last = commit
        } else {
            runs.append(Run(side: side, first: commit, last: commit))
        }
    }

    var last: PointInTime.Moment? { runs.last { $0.side == .before }?.last }

    var next: PointInTime.Moment? {
        let start = runs.lastIndex { $0.side == .before } ?? 0
        return runs[start...].first { $0.side == .after }?.first
    }

    var uncertainty: PointInTimeError? {
        let end = runs.lastIndex { $0.side == .before }
        if let end {
            if let early = runs[..<end].last(where: { $0.side == .after }) {
                return .clockWasWrong(early.last, knownUntil: nil, from: max(early.first.at, early.last.at))
            }
            // At the exact time of a commit, what follows it is not in the state.
            if runs[end].last.at == moment { return nil }
        }
        let between = runs[(end.map { $0 + 1 } ?? 0)...].prefix { $0.side != .after }
        guard let wrong = between.first(where: { $0.side == .wrong }) else { return nil }
        return .clockWasWrong(wrong.first, knownUntil: last?.at, from: next?.at)
    }

    /// Whether a time that a snapshot has may be none that the clock showed: it may be that of an earlier commit.
    func isWrong(_ time: Timestamp, at sequence: Int) -> Bool {
        time > latest || runs.contains { $0.last.sequence > sequence && ($0.first.at < time || $0.last.at < time) }
    }
}

package enum PointInTimeError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Before the creation of the town, or before the start of its stored history.
    case beforeHistory(oldest: Timestamp?)
    /// The clock was wrong at a change, so it is not known whether that was made before the instant. The states up to
    /// one instant and from another one on are known.
    case clockWasWrong(PointInTime.Moment, knownUntil: Timestamp?, from: Timestamp?)
    case unreadable(sequence: Int)

    package var description: String {
        switch self {
        case .beforeHistory(let oldest?): return "the history begins at \(oldest.rfc3339)"
        case .beforeHistory(nil): return "there was no town yet"
        case .clockWasWrong(let change, let end, let start):
            let known = [end.map { "up to \($0.rfc3339)" }, start.map { "from \($0.rfc3339) on" }].compactMap(\.self)
            let advice = known.isEmpty ? "" : "; choose a time \(known.joined(separator: ", or "))"
            return "the clock was wrong at change \(change.sequence), of \(change.at.rfc3339), so it is not known "
                + "whether that was made before or after the time\(advice)"
        case .unreadable(let sequence):
            return "commit \(sequence), the last before that time, cannot be built upon what can be read of the log"
        }
    }
}
