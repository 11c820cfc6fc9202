import Journal
import Platform
import SookeModel

/// Reads the commits after a position from the log, part by part, on the thread that reads histories.
///
/// ```swift
/// let cursor = LogCursor(store, after: position)
/// guard case .commits(let commits, let through) = try await cursor.next(bytes: 256 << 10) else { … }
/// ```
public actor LogCursor {
    /// The next commits.
    public enum Part: Sendable {
        /// Some commits, and the position after them; none at the newest version.
        case commits([ChangeSet], through: CommitPosition)
        /// The log cannot be continued from the position: it is not in the log, or its commits have no before-images.
        case unknown
    }

    private let store: Store
    private let thread: ThreadExecutor
    private var position: CommitPosition
    private var reader: CommitReader?

    /// Runs the actor on the thread that reads histories.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// A cursor that begins after a position. Nothing is read yet.
    public init(_ store: Store, after position: CommitPosition) {
        (self.store, self.position) = (store, position)
        thread = store.histories.thread
    }

    /// The next commits, of at least some bytes of the log unless fewer follow.
    ///
    /// - Throws: `JournalError` when the log cannot be read, `StoredRecordError` when it has content that the store does
    ///   not write.
    public func next(bytes limit: Int) throws -> Part {
        do {
            return try read(limit)
        } catch let error as JournalError where error.kind == .historyDropped {
            // The log was shortened meanwhile.
            return .unknown
        }
    }

    private func read(_ limit: Int) throws -> Part {
        let newest = store.current.sequence
        if reader == nil {
            reader = try CommitReader.after(
                position, in: store.folder, fileSystem: store.fileSystem, through: newest)
        }
        guard reader != nil else { return .unknown }
        var commits: [ChangeSet] = []
        var bytes = 0
        while bytes < limit, let commit = try reader?.next() {
            guard let changes = try ChangeSet(commit) else { return .unknown }
            commits.append(changes)
            position = changes.position
            bytes += commit.payload.count
        }
        // A reader ends with the commit that was the newest when it was made.
        if bytes < limit { reader = nil }
        return .commits(commits, through: position)
    }
}
