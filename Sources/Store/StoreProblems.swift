import Bytes

/// What is wrong with a store at the moment, for health and status. Reading goes on through all of it.
public struct StoreProblems: Sendable {
    /// Something that lasts.
    public struct Trouble: Sendable, Hashable {
        /// When it was first noticed.
        public let since: Timestamp
        /// What it is, for the owner of the server alone: it may name files.
        public let detail: String
    }

    /// Why writes do not get through; nil when they do.
    public internal(set) var writes: StoreError?
    /// Why snapshots cannot be written; nil when the last one could. The log goes on without them.
    public internal(set) var snapshots: Trouble?
    /// What is not as it was written in the files; nil when the last check found nothing, or there was none yet.
    public internal(set) var files: Trouble?

    /// All of them, one after the other; nil when there is none.
    public var text: String? {
        let texts = [writes.map { "\($0)" }, snapshots?.detail, files?.detail].compactMap { $0 }
        return texts.isEmpty ? nil : texts.joined(separator: "; ")
    }
}

extension StoreProblems.Trouble {
    /// The trouble with these words, begun when the earlier one did, if there was one.
    init(_ detail: String, after earlier: Self?, now: Timestamp) {
        self.init(since: earlier?.since ?? now, detail: detail)
    }
}
