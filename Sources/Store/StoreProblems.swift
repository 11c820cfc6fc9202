import Bytes

/// The current problems of a store, for health and status. Reads continue in spite of them.
public struct StoreProblems: Sendable {
    /// A lasting problem.
    public struct Trouble: Sendable, Hashable {
        /// The time when it was first noticed.
        public let since: Timestamp
        /// A description for the owner of the server only: it may contain names of files.
        public let detail: String
    }

    /// Why writes fail; nil when they succeed.
    public internal(set) var writes: StoreError?
    /// Why snapshots fail; nil when the last one succeeded. The log continues without them.
    public internal(set) var snapshots: Trouble?
    /// The damage that the last check of the files found; nil when it found none, or there was no check yet.
    public internal(set) var files: Trouble?

    /// All problems in one text; nil when there are none.
    public var text: String? {
        let texts = [writes.map { "\($0)" }, snapshots?.detail, files?.detail].compactMap { $0 }
        return texts.isEmpty ? nil : texts.joined(separator: "; ")
    }
}

extension StoreProblems.Trouble {
    /// A problem with a description; it began when an equal earlier one did.
    init(_ detail: String, after earlier: Self?, now: Timestamp) {
        self.init(since: earlier?.since ?? now, detail: detail)
    }
}
