import Bytes
import Journal

/// The state of a town at a moment of its history, found in the log of its data folder.
///
/// Commits are in the order of their sequence numbers. That of their times may differ where the clock of the machine
/// was set back or ran wild; so the state is the one before the first commit that says it is later.
public struct PointInTime: Sendable {
    /// A commit and when it was made.
    public struct Moment: Sendable, Equatable {
        /// Its sequence number.
        public let sequence: Int
        /// What the clock said.
        public let at: Timestamp
    }

    /// What can be read of the folder.
    public let survey: FolderSurvey
    /// The last commit that the state holds.
    public let last: Moment
    /// The first commit that it does not hold; nil when it is the newest state.
    public let next: Moment?

    /// Looks through the log of a data folder, which is only read; a server may run on it.
    ///
    /// - Parameters:
    ///   - moment: the time asked for.
    ///   - directory: the path of the data folder.
    ///   - fileSystem: the files of the operating system, if nothing else is said.
    /// - Throws: `JournalError` when there is nothing to read, `PointInTimeError` when the state cannot be built.
    public init(
        _ moment: Timestamp, in directory: String, fileSystem: any FileSystem = POSIXFileSystem()
    ) throws {
        var search = Search(moment: moment)
        survey = try FolderSurvey(of: directory, fileSystem: fileSystem) { sequence, payload in
            search.visit(sequence, payload)
        }
        let sequence = search.next.map { $0.sequence - 1 } ?? survey.report.lastSequence
        let oldest = survey.oldestState
        if !survey.canBuild(sequence), oldest.map({ sequence > $0.sequence }) ?? true {
            throw PointInTimeError.unreadable(sequence: sequence)
        }
        let at = search.last?.sequence == sequence ? search.last?.at : survey.time(ofSnapshot: sequence)
        guard let at, at <= moment, survey.canBuild(sequence) else {
            throw PointInTimeError.beforeHistory(oldest: oldest?.at)
        }
        if let base = oldest, let time = base.at, time > moment {
            throw PointInTimeError.clockWasWrong(sequence: base.sequence, at: time)
        }
        last = Moment(sequence: sequence, at: at)
        next = search.next
    }

    private struct Search {
        let moment: Timestamp
        var last: Moment?
        var next: Moment?

        mutating func visit(_ sequence: Int, _ payload: ArraySlice<UInt8>) {
            // What was written meanwhile or is damaged is read again: what was found before that stays.
            if let found = last, found.sequence >= sequence { last = nil }
            if let found = next, found.sequence >= sequence { next = nil }
            guard next == nil, let at = try? Commit.time(of: payload) else { return }
            let found = Moment(sequence: sequence, at: at)
            if at <= moment { last = found } else { next = found }
        }
    }
}

/// Why the state at a moment cannot be had.
public enum PointInTimeError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The town is younger, or its history is kept from a later moment on.
    case beforeHistory(oldest: Timestamp?)
    /// The state that the history begins with says that it is of a later time than the moment, and than changes behind
    /// it: the clock was wrong when it was made, and nobody can say which changes were made before the moment.
    case clockWasWrong(sequence: Int, at: Timestamp)
    /// A part of the log is damaged that would be needed.
    case unreadable(sequence: Int)

    /// What is wrong, and what may be asked for.
    public var description: String {
        switch self {
        case .beforeHistory(let oldest?): "the history is kept from \(oldest.rfc3339) on"
        case .beforeHistory(nil): "there was no town yet"
        case .clockWasWrong(let sequence, let at):
            "the history begins with the state after change \(sequence), of \(at.rfc3339): the clock was wrong then, "
                + "so nobody can say how the town was at that moment"
        case .unreadable(let sequence):
            "commit \(sequence), the last before that moment, cannot be built upon what can be read of the log"
        }
    }
}
