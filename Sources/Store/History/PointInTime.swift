import Bytes
import Journal

/// The state of a town at a moment, found in the log of its data folder.
///
/// Commits are ordered by their sequence numbers. Their times may not ascend, where the clock of the machine was set
/// back or was wrong; so the state is the one before the first commit with a later time.
public struct PointInTime: Sendable {
    /// A commit and its time.
    public struct Moment: Sendable, Equatable {
        /// Its sequence number.
        public let sequence: Int
        /// The time of the commit.
        public let at: Timestamp
    }

    /// The survey of the folder.
    public let survey: FolderSurvey
    /// The last commit of the state.
    public let last: Moment
    /// The first commit after the state; nil when it is the newest state.
    public let next: Moment?

    /// Searches the log of a data folder, which is only read; a server may run on it.
    ///
    /// - Parameters:
    ///   - moment: the moment.
    ///   - directory: the path of the data folder.
    ///   - fileSystem: the file system.
    /// - Throws: `JournalError` when the folder cannot be read, `PointInTimeError` when there is no such state.
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
            // Lines that were just written or are damaged are read again; the last commit found before them still
            // counts.
            if let found = last, found.sequence >= sequence { last = nil }
            if let found = next, found.sequence >= sequence { next = nil }
            guard next == nil, let at = try? Commit.time(of: payload) else { return }
            let found = Moment(sequence: sequence, at: at)
            if at <= moment { last = found } else { next = found }
        }
    }
}

/// Why there is no state for a moment.
public enum PointInTimeError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The moment is before the creation of the town, or before the start of its stored history.
    case beforeHistory(oldest: Timestamp?)
    /// The oldest stored state has a later time than the moment and than changes after it: the clock was wrong when it
    /// was made, so the changes before the moment cannot be determined.
    case clockWasWrong(sequence: Int, at: Timestamp)
    /// A needed part of the log is damaged.
    case unreadable(sequence: Int)

    /// What is wrong, and which moments are possible.
    public var description: String {
        switch self {
        case .beforeHistory(let oldest?): "the history begins at \(oldest.rfc3339)"
        case .beforeHistory(nil): "there was no town yet"
        case .clockWasWrong(let sequence, let at):
            "the history begins with the state after change \(sequence), of \(at.rfc3339): the clock was wrong then, "
                + "so the state at that moment is not known"
        case .unreadable(let sequence):
            "commit \(sequence), the last before that moment, cannot be built upon what can be read of the log"
        }
    }
}
