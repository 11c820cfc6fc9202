import Journal
import Platform
import SookeModel
import Synchronization

/// Reads the commits after a position from the log, part by part.
///
/// ```swift
/// let cursor = LogCursor(store, after: position)
/// guard let part = try cursor.next(bytes: 64 << 10, { $0.items.count }) else { … }
/// ```
public final class LogCursor: Sendable {
    /// The next commits.
    public struct Part<Element: Sendable>: Sendable {
        /// What was made of the commits; nothing at the newest version.
        public let elements: [Element]
        /// The position after them.
        public let through: CommitPosition
    }

    private struct State {
        var position: CommitPosition
        var reader: CommitReader?
    }

    /// The longest commit that is read, in bytes of the log. Each reader has a copy of it in memory; a whole version can
    /// be sent in slices instead.
    public static let longestCommit = 4 << 20

    private let store: Store
    private let state: Mutex<State>

    /// A cursor that begins after a position. Nothing is read yet.
    public init(_ store: Store, after position: CommitPosition) {
        self.store = store
        state = Mutex(State(position: position))
    }

    /// The next commits, of at least some bytes of the log unless fewer follow. It waits for the disk.
    ///
    /// - Parameter transform: makes of a commit what the caller needs.
    /// - Returns: nil when the log cannot be continued from the position: it is not in the log, or its commits have no
    ///   before-images or are too long.
    /// - Throws: `JournalError` when the log cannot be read, `StoredRecordError` when it has content that the store does
    ///   not write.
    public func next<Element: Sendable>(
        bytes limit: Int, _ transform: @Sendable (ChangeSet) -> Element
    ) throws -> Part<Element>? {
        do {
            return try state.withLock { state in try read(limit, &state, transform) }
        } catch let error as JournalError where error.kind == .historyDropped {
            // The log was shortened meanwhile.
            return nil
        }
    }

    private func read<Element: Sendable>(
        _ limit: Int, _ state: inout State, _ transform: @Sendable (ChangeSet) -> Element
    ) throws -> Part<Element>? {
        if state.reader == nil {
            state.reader = try CommitReader.after(
                state.position, in: store.folder, fileSystem: store.fileSystem, through: store.current.sequence)
        }
        guard state.reader != nil else { return nil }
        var elements: [Element] = []
        var bytes = 0
        while bytes < limit, let commit = try state.reader?.next() {
            guard commit.payload.count <= Self.longestCommit, let changes = try ChangeSet(commit) else { return nil }
            elements.append(transform(changes))
            state.position = changes.position
            bytes += commit.payload.count
        }
        // A reader ends with the commit that was the newest when it was made.
        if bytes < limit { state.reader = nil }
        return Part(elements: elements, through: state.position)
    }
}
