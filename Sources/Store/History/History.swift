import Bytes
import JSON
import Journal
import SookeModel

/// Who changed a record, when and what: a page of it, the newest change first, as far back as the log is kept.
///
/// ```swift
/// let history = try await store.history(of: .business, id: 17)
/// let older = try await store.history(of: .business, id: 17, before: history.next)
/// ```
public struct History: Sendable {
    /// What a commit did to the record.
    public enum Action: String, Sendable {
        /// It was not there before.
        case created
        /// It was another before; or nobody knows, see `Entry.isBeforeKnown`.
        case updated
        /// It is not there since.
        case deleted
    }

    /// What became of one field.
    public struct Field: Sendable, Equatable {
        /// Its name in a dataset.
        public let name: String
        /// Its value before, as JSON; nil when there was none, which is the same as null.
        public let before: [UInt8]?
        /// Its value afterwards, as JSON; nil when there is none, which is the same as null.
        public let after: [UInt8]?
    }

    /// What one commit did to the record.
    public struct Entry: Sendable, Equatable {
        /// The sequence number of the commit.
        public let sequence: Int
        /// When it was made.
        public let at: Timestamp
        /// Who made it.
        public let by: Author
        /// What it did.
        public let action: Action
        /// Whether it is known what the record was before. It is not of the first entry that the log has of a record,
        /// when older parts of the log are not kept any more: the fields then are all that the record has, and it may
        /// have been new.
        public let isBeforeKnown: Bool
        /// The fields that are others than before, in the order of the record.
        public let fields: [Field]
    }

    /// The changes, the newest first.
    public let entries: [Entry]
    /// What to ask for as `before` to get the entries that follow; nil when there are none.
    public let next: Int?

    /// Reads the log of a data folder, all that is kept of it: 70 MB take an eighth of a second.
    ///
    /// - Parameters:
    ///   - kind: the kind of record; a private one (see `RecordKind.shared`) has no history to show.
    ///   - id: its number.
    ///   - directory: the path of the data folder.
    ///   - fileSystem: the files of the operating system, if nothing else is said.
    ///   - through: the last commit to look at. Beside a running server it must be a published one.
    ///   - limit: how many entries to give at most.
    ///   - before: only changes before the commit with this sequence number; nil for all.
    /// - Throws: `JournalError` when the log cannot be read, `StoredRecordError` when it holds what no store writes.
    public init(
        of kind: RecordKind, id: Int, in directory: String, fileSystem: any FileSystem = POSIXFileSystem(),
        through: Int, limit: Int, before: Int? = nil
    ) throws {
        let last = min(through, (before ?? .max) - 1)
        guard RecordKind.shared.contains(kind), limit > 0 else {
            (entries, next) = ([], nil)
            return
        }
        var commits = try CommitReader(directory, fileSystem: fileSystem, after: nil, through: last)
        var search = HistorySearch(kind, id: id, isWhole: commits.firstKept == 1, limit: limit)
        while let commit = try commits.next() { try search.visit(commit) }
        entries = search.entries.reversed()
        next = search.hasOlder ? entries.last?.sequence : nil
    }
}

extension Store {
    /// Who changed a record, when and what, up to the newest version. The log is read on a thread of its own, for one
    /// caller after the other.
    ///
    /// - Parameters:
    ///   - kind: the kind of record; a private one (see `RecordKind.shared`) has no history to show.
    ///   - id: its number, also that of one that is gone.
    ///   - limit: how many entries to give at most.
    ///   - before: only changes before the commit with this sequence number; nil for all.
    /// - Throws: `JournalError` when the log cannot be read.
    public nonisolated func history(
        of kind: RecordKind, id: Int, limit: Int = PageRequest.defaultSize, before: Int? = nil
    ) async throws -> History {
        let (folder, fileSystem, through) = (folder, fileSystem, current.sequence)
        return try await histories.run {
            try History(
                of: kind, id: id, in: folder, fileSystem: fileSystem, through: through, limit: limit, before: before)
        }
    }
}

/// Reads the log on a thread of its own, so that neither commits nor answers wait for that.
actor HistoryThread {
    private let thread = CommitThread(name: "history")

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init() {
        thread.start {}
    }

    func run<Result: Sendable>(_ body: @Sendable () throws -> Result) throws -> Result {
        try body()
    }

    nonisolated func stop() {
        thread.stop()
    }
}
