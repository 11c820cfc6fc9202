import Bytes
import JSON
import Journal
import Platform
import SookeModel

/// A page of the history of a record: the author, time and fields of each change, the newest first, as far back as the
/// log is stored.
///
/// ```swift
/// let history = try await store.history(of: .business, id: 17)
/// let older = try await store.history(of: .business, id: 17, before: history.next, searched: history.searched)
/// ```
package struct History: Sendable {
    package enum Action: String, Sendable {
        case created
        /// The record was changed; or its creation is not in the log, see `Entry.isBeforeKnown`.
        case updated
        case deleted
    }

    package struct Field: Sendable, Equatable {
        package let name: String
        /// As JSON, like `after`; nil for no value, which is equivalent to null.
        package let before: [UInt8]?
        package let after: [UInt8]?

        /// Those that differ between two states of a record, of which one may be absent.
        ///
        /// - Throws: for a record that the store does not write.
        package static func changed(
            from before: (any StoredRecord)?, to after: (any StoredRecord)?
        ) throws(StoredRecordError) -> [Field] {
            do throws(JSONError) {
                let images = try (RecordImage(before), RecordImage(after))
                return images.1.changes(from: images.0)
            } catch {
                throw StoredRecordError(error)
            }
        }
    }

    package struct Entry: Sendable, Equatable {
        package let position: CommitPosition
        package let at: Timestamp
        package let by: Author
        package let action: Action
        /// Whether the record before the change is known. When older parts of the log have been deleted, it is not
        /// known for the first entry of a record: `fields` then has all fields, and the record may have been new.
        package let isBeforeKnown: Bool
        /// The fields that changed, in the order of the record.
        package fileprivate(set) var fields: [Field]
    }

    package private(set) var entries: [Entry]
    /// The value of `before` for the next page; nil on the last page.
    package let next: Int?
    /// The first commit that was searched, to be passed with `next`; nil when there are no older ones. The log is
    /// searched in parts; a part may have no entries while older parts have many.
    package let searched: Int?

    /// The number of bytes of the log that are searched at a time; or one segment, if that is longer.
    package static let bytesAtATime = 64 << 20

    /// Searches the newest part of the log of a data folder: 70 MB take an eighth of a second.
    ///
    /// - Parameters:
    ///   - kind: one that is private (see `RecordKind.isShared`) has no public history.
    ///   - through: the last commit to search. While a server runs it must be a published one.
    ///   - before: only changes before the commit with this sequence number.
    ///   - searched: with `before`, the first commit that earlier calls searched.
    ///   - isWanted: called now and then; false cancels the search.
    /// - Throws: `CancellationError` when it was cancelled; `JournalError` when the log cannot be read,
    ///   `StoredRecordError` when it has content that the store does not write.
    package init(
        of kind: RecordKind, id: Int, in directory: String, fileSystem: any FileSystem = POSIXFileSystem(),
        through: Int, limit: Int, before: Int? = nil, searched: Int? = nil, reading bytes: Int = bytesAtATime,
        isWanted: () -> Bool = { true }
    ) throws {
        guard isWanted() else { throw CancellationError() }
        let last = min(through, (before ?? .max) - 1)
        guard kind.isShared, limit > 0 else {
            (entries, next, self.searched) = ([], nil, nil)
            return
        }
        let end = min(last, (searched ?? .max) - 1)
        var commits = try CommitReader(directory, fileSystem: fileSystem, through: end, reading: bytes)
        let start = commits.nextSequence
        let isAll = start <= commits.firstKept
        var search = HistorySearch(kind, id: id, isWhole: isAll && commits.firstKept == 1, limit: limit)
        try commits.forEach(while: isWanted) { try search.visit($0) }
        if end < last, last >= commits.firstKept {
            // The entry that an earlier search found without a known before-image; nothing lies between.
            var found = try CommitReader(directory, fileSystem: fileSystem, after: last - 1, through: last)
            try found.forEach(while: isWanted) { try search.visit($0) }
        }
        var shown = search.entries
        // The log has no before-image here; the state before is further back.
        let isFirstOpen = !isAll && shown.first?.isBeforeKnown == false
        if isFirstOpen { shown.removeFirst() }
        entries = shown.reversed()
        if search.hasOlder {
            (next, self.searched) = (entries.last?.position.sequence, nil)
        } else {
            next = isAll ? nil : search.first.map { isFirstOpen ? $0 + 1 : $0 } ?? last + 1
            self.searched = isAll ? nil : start
        }
    }

    package func mappingFields(_ body: ([Field]) -> [Field]) -> History {
        var history = self
        for index in entries.indices { history.entries[index].fields = body(entries[index].fields) }
        return history
    }
}

extension CommitReader {
    /// How much of the log is read between two checks whether the client still waits.
    private static let bytesBetweenQuestions = 1 << 20

    /// Visits the commits that follow.
    ///
    /// - Throws: `CancellationError` when the client no longer waits; what `next` and the body throw.
    mutating func forEach(while isWanted: () -> Bool, _ body: (LoggedCommit) throws -> Void) throws {
        var bytes = 0
        while let commit = try next() {
            try body(commit)
            bytes += commit.payload.count
            guard bytes >= Self.bytesBetweenQuestions else { continue }
            guard isWanted() else { throw CancellationError() }
            bytes = 0
        }
    }
}

extension Store {
    /// The history of a record, which may be deleted, up to the newest version; see `History.init`. The log is read on
    /// a thread of its own, for one caller at a time.
    package nonisolated func history(
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

/// Reads the log on a thread of its own, so that commits and responses do not wait for it.
actor HistoryThread {
    let thread = ThreadExecutor(name: "history")

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init() {
        thread.start {}
    }

    func run<Result: Sendable>(_ body: @Sendable () throws -> Result) throws -> Result {
        try TaskWork.measured(body)
    }

    nonisolated func stop() {
        thread.stop()
    }
}
