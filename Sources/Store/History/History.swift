import Bytes
import JSON
import Journal
import Platform
import SookeModel

/// Who changed a record, when and what: a page of it, the newest change first, as far back as the log is kept.
///
/// ```swift
/// let history = try await store.history(of: .business, id: 17)
/// let older = try await store.history(of: .business, id: 17, before: history.next, searched: history.searched)
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
    /// The first commit that was looked at, when older ones were not, to be given back with `next`; else nil. So much
    /// of the log is read at a time; there may be no entry in it, and many further back.
    public let searched: Int?

    /// So many bytes of the log are read at a time, or one segment where that is longer.
    public static let bytesAtATime = 64 << 20

    /// So much of the log is read before the next question whether anybody still waits for it.
    private static let bytesBetweenQuestions = 1 << 20

    /// Reads the newest part of the log of a data folder: 70 MB take an eighth of a second.
    ///
    /// - Parameters:
    ///   - kind: the kind of record; a private one (see `RecordKind.shared`) has no history to show.
    ///   - id: its number.
    ///   - directory: the path of the data folder.
    ///   - fileSystem: the files of the operating system, if nothing else is said.
    ///   - through: the last commit to look at. Beside a running server it must be a published one.
    ///   - limit: how many entries to give at most.
    ///   - before: only changes before the commit with this sequence number; nil for all.
    ///   - searched: with `before`, how far an earlier search for the same entries has come.
    ///   - bytes: how much of the log to read.
    ///   - isWanted: asked now and then whether to go on.
    /// - Throws: `CancellationError` when nobody wants it; `JournalError` when the log cannot be read,
    ///   `StoredRecordError` when it holds what no store writes.
    public init(
        of kind: RecordKind, id: Int, in directory: String, fileSystem: any FileSystem = POSIXFileSystem(),
        through: Int, limit: Int, before: Int? = nil, searched: Int? = nil, reading bytes: Int = bytesAtATime,
        isWanted: () -> Bool = { true }
    ) throws {
        guard isWanted() else { throw CancellationError() }
        let last = min(through, (before ?? .max) - 1)
        guard RecordKind.shared.contains(kind), limit > 0 else {
            (entries, next, self.searched) = ([], nil, nil)
            return
        }
        let end = min(last, (searched ?? .max) - 1)
        var commits = try CommitReader(directory, fileSystem: fileSystem, through: end, reading: bytes)
        let start = commits.nextSequence
        let isAll = start <= commits.firstKept
        var search = HistorySearch(kind, id: id, isWhole: isAll && commits.firstKept == 1, limit: limit)
        try Self.read(&commits, &search, isWanted)
        if end < last, last >= commits.firstKept {
            // What an earlier search has found and did not know what it was before; nothing else lies between.
            var found = try CommitReader(directory, fileSystem: fileSystem, after: last - 1, through: last)
            try Self.read(&found, &search, isWanted)
        }
        var shown = search.entries
        // What the record was before is further back in the log, where the log does not say it.
        let isFirstOpen = !isAll && shown.first?.isBeforeKnown == false
        if isFirstOpen { shown.removeFirst() }
        entries = shown.reversed()
        if search.hasOlder {
            (next, self.searched) = (entries.last?.sequence, nil)
        } else {
            next = isAll ? nil : search.first.map { isFirstOpen ? $0 + 1 : $0 } ?? last + 1
            self.searched = isAll ? nil : start
        }
    }

    private static func read(
        _ commits: inout CommitReader, _ search: inout HistorySearch, _ isWanted: () -> Bool
    ) throws {
        var bytes = 0
        while let commit = try commits.next() {
            try search.visit(commit)
            bytes += commit.payload.count
            guard bytes >= bytesBetweenQuestions else { continue }
            guard isWanted() else { throw CancellationError() }
            bytes = 0
        }
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
    ///   - searched: with `before`, how far an earlier search for the same entries has come.
    ///   - isWanted: asked now and then whether anybody still waits for it.
    /// - Throws: `CancellationError` when nobody does; `JournalError` when the log cannot be read.
    public nonisolated func history(
        of kind: RecordKind, id: Int, limit: Int = PageRequest.defaultSize, before: Int? = nil, searched: Int? = nil,
        isWanted: @escaping @Sendable () -> Bool = { true }
    ) async throws -> History {
        let (folder, fileSystem, through) = (folder, fileSystem, current.sequence)
        return try await histories.run {
            try History(
                of: kind, id: id, in: folder, fileSystem: fileSystem, through: through, limit: limit, before: before,
                searched: searched, isWanted: isWanted)
        }
    }
}

/// Reads the log on a thread of its own, so that neither commits nor answers wait for that.
actor HistoryThread {
    private let thread = ThreadExecutor(name: "history")

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
