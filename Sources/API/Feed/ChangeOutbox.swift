import Service
import Store

/// What a stream of changes sends next, as server-sent events, in parts of a moderate size. The changes of a commit may
/// be many; they are shared with other streams, and are copied part by part.
struct ChangeOutbox {
    private let position: @Sendable (HistoryPosition) -> FeedPosition
    /// Sent first.
    private var text: [UInt8] = []
    /// Sent then, each with at least one change.
    private var commits: ArraySlice<ChangeReader.Changes> = []
    /// The next change of the first of them.
    private var next = 0

    /// A part ends when it has so many bytes.
    static let partSize = 32 * 1024

    init(_ position: @escaping @Sendable (HistoryPosition) -> FeedPosition) {
        self.position = position
    }

    var isEmpty: Bool { text.isEmpty && commits.isEmpty }

    /// For a part without commits.
    var isFull: Bool { text.count >= Self.partSize }

    var commitCount: Int { commits.count }

    /// Only the last change has an `id`, so that clients apply a commit whole.
    mutating func append(_ changes: ChangeReader.Changes) {
        if !changes.items.isEmpty { commits.append(changes) }
    }

    mutating func append(_ item: ChangeReader.Changes.Item) {
        Self.append(item, id: nil, to: &text)
    }

    /// A position alone: a client stores it, and no event is dispatched.
    mutating func append(bookmark commit: HistoryPosition) {
        text.append("id: ")
        text.append(utf8: "\(position(commit))")
        text.append("\n\n")
    }

    /// Replaces everything; a snapshot follows. Its position is 0, which stands for nothing yet: a client that is
    /// disconnected before the end of the snapshot must not continue from its former position with only a part of it.
    mutating func reset() {
        self = ChangeOutbox(position)
        text.append("event: reset\nid: 0\ndata: {}\n\n")
    }

    /// Replaces everything.
    mutating func revoke() {
        self = ChangeOutbox(position)
        text.append("event: revoked\ndata: {}\n\n")
    }

    mutating func takePart() -> [UInt8]? {
        if isEmpty { return nil }
        while text.count < Self.partSize, let commit = commits.first {
            let item = commit.items[next]
            next += 1
            let isLast = next == commit.items.count
            Self.append(item, id: isLast ? position(commit.position) : nil, to: &text)
            if isLast {
                commits.removeFirst()
                next = 0
            }
        }
        defer { text = [] }
        return text
    }

    private static func append(_ item: ChangeReader.Changes.Item, id: FeedPosition?, to text: inout [UInt8]) {
        text.append("event: ")
        text.append(utf8: item.event.kind.name)
        if let id {
            text.append("\nid: ")
            text.append(utf8: "\(id)")
        }
        text.append("\ndata: ")
        text.append(contentsOf: item.json)
        text.append("\n\n")
    }
}
