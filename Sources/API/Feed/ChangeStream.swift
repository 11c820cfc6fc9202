import HTTP
import Service
import Store
import Synchronization

/// Server-sent events (HTML Living Standard, section 9.2), for one client. The client is a position in the history;
/// each part of the body is made when the client can receive it: from a snapshot, or from the recent commits in memory.
final class ChangeStream: BodySource {
    private enum Phase {
        case whole(WholeVersion)
        case live(HistoryPosition)
        case reading(HistoryPosition)
        case ended
    }

    private struct State {
        var phase: Phase
        /// In the version with the sequence number `since`.
        var viewer: Viewer
        /// Before this commit the client perhaps had other rights.
        var since: Int
        var outbox: ChangeOutbox
        /// In monotonic nanoseconds.
        var bookmarkAt: Int

        var isEnded: Bool { if case .ended = phase { true } else { false } }
    }

    private static let workLimit = WholeVersion.workLimit
    private static let outboxLimit = 64

    private let follower: Follower
    private let feed: Feed
    private let reader: ChangeReader
    private let topics: ChangeTopics
    private let id: Int
    private let state: Mutex<State>

    private var store: Store { follower.service.store }

    /// - Parameters:
    ///   - position: nil for a snapshot.
    ///   - isNew: whether the client has no position yet.
    /// - Throws: `overloaded` when too many clients follow.
    init(
        _ follower: Follower, in version: Version, from position: HistoryPosition?, isNew: Bool,
        hasBookmarkEvents: Bool, _ topics: ChangeTopics, _ reader: ChangeReader
    ) throws(ServiceError) {
        let service = follower.service
        (self.follower, self.topics, self.reader, feed) = (follower, topics, reader, service.feed)
        let viewer = Viewer(follower.caller, in: version.town)
        id = try feed.join(at: version.sequence, from: follower.network)
        var state = State(
            phase: position.map(Phase.live) ?? .whole(WholeVersion(version, for: viewer, topics)), viewer: viewer,
            since: version.sequence,
            outbox: ChangeOutbox(hasBookmarkEvents: hasBookmarkEvents) { service.position($0, for: viewer) },
            bookmarkAt: feed.now() + Feed.heartbeat)
        if position == nil { state.outbox.reset() }
        // From there it goes on when the connection is lost.
        if isNew { state.outbox.append(bookmark: version.position) }
        self.state = Mutex(state)
    }

    /// Nil while anything else is to be sent.
    var livePosition: HistoryPosition? {
        state.withLock { state in
            if case .live(let position) = state.phase, state.outbox.isEmpty { position } else { nil }
        }
    }

    func end() {
        feed.leave(id)
        state.withLock { $0.phase = .ended }
    }

    func next(_ wakeup: BodyWakeup) -> BodyPart {
        // Another client may have taken its place.
        guard feed.isFollowing(id) else { return .end }
        return state.withLock { state in
            let version = store.current
            var work = Self.workLimit
            if !state.isEnded, !follower.hasRights(of: state.viewer, in: version) { revoke(&state) }
            while true {
                if let part = state.outbox.takePart() {
                    if state.outbox.isEmpty { state.bookmarkAt = feed.now() + Feed.heartbeat }
                    return .bytes(part)
                }
                if work <= 0 {
                    wakeup()
                    return .pending
                }
                switch state.phase {
                case .ended: return .end
                case .whole(var whole): send(&whole, &state, &work)
                case .reading(let position):
                    if let part = wait(at: position, version, &state, wakeup) { return part }
                case .live(let position):
                    let newest = sendRecent(after: position, version, &state, &work, wakeup)
                    guard let newest, state.outbox.isEmpty else { continue }
                    if let part = wait(at: newest, version, &state, wakeup) { return part }
                }
            }
        }
    }

    private func send(_ whole: inout WholeVersion, _ state: inout State, _ work: inout Int) {
        while !state.outbox.isFull, work > 0 {
            work -= WholeVersion.partSize
            guard let items = whole.next() else {
                state.outbox.append(bookmark: whole.position)
                state.phase = .live(whole.position)
                return
            }
            for item in items { state.outbox.append(item) }
        }
        state.phase = .whole(whole)
    }

    /// - Returns: the newest position, when the client has all commits; nil when there is more to do.
    private func sendRecent(
        after position: HistoryPosition, _ version: Version, _ state: inout State, _ work: inout Int,
        _ wakeup: BodyWakeup
    ) -> HistoryPosition? {
        guard let commits = version.commits(after: position, limit: Self.outboxLimit) else {
            // It was too slow, and continues from its position when it connects again.
            feed.count { $0.slow += 1 }
            state.phase = .ended
            return nil
        }
        var position = position
        for commit in commits where work > 0 && state.outbox.commitCount < Self.outboxLimit {
            work -= max(1, commit.changeCount)
            if commit.isLarge, !reader.hasEncoded(commit, for: state.viewer) {
                state.phase = .reading(position)
                read(commit, for: state.viewer, wakeup)
                return nil
            }
            guard let (changes, effect) = reader.changes(of: commit, for: state.viewer, topics) else {
                reset(&state)
                return nil
            }
            guard apply(effect, of: commit.position, &state) else { return nil }
            state.outbox.append(changes)
            position = commit.position
        }
        state.phase = .live(position)
        return position == version.position ? position : nil
    }

    /// For the next commit, bookmark or end of the client's session; nil when a bookmark is due.
    private func wait(
        at position: HistoryPosition, _ version: Version, _ state: inout State, _ wakeup: BodyWakeup
    ) -> BodyPart? {
        let now = feed.now()
        if now >= state.bookmarkAt {
            state.bookmarkAt = now + Feed.heartbeat
            state.outbox.append(bookmark: position)
            return nil
        }
        let deadline = min(state.bookmarkAt, follower.expiry(in: version) ?? .max)
        guard feed.wait(id, at: position.sequence, until: deadline, { wakeup() }) else { return .end }
        // A commit that was published meanwhile has woken nobody.
        if store.current.position != version.position { wakeup() }
        return .pending
    }

    private func read(_ commit: RecentCommit, for viewer: Viewer, _ wakeup: BodyWakeup) {
        Task {
            let read = await reader.changes(ofLarge: commit, for: viewer, topics) { [weak self] in
                self?.state.withLock { !$0.isEnded } == true
            }
            state.withLock { state in
                guard case .reading = state.phase else { return }
                guard let (changes, effect) = read else { return reset(&state) }
                guard apply(effect, of: commit.position, &state) else { return }
                state.outbox.append(changes)
                state.phase = .live(commit.position)
            }
            wakeup()
        }
    }

    /// False when the phase has changed. A commit from before the client connected ends nothing, but the client had
    /// other rights then.
    private func apply(_ effect: Viewer.Effect, of position: HistoryPosition, _ state: inout State) -> Bool {
        switch effect {
        case .none: return true
        case .revoked where position.sequence > state.since: revoke(&state)
        case .reset, .revoked: reset(&state)
        }
        return false
    }

    private func reset(_ state: inout State) {
        let version = store.current
        guard follower.hasRights(of: state.viewer, in: version) else { return revoke(&state) }
        feed.count { $0.resets += 1 }
        (state.viewer, state.since) = (Viewer(follower.caller, in: version.town), version.sequence)
        state.outbox.reset()
        state.phase = .whole(WholeVersion(version, for: state.viewer, topics))
    }

    private func revoke(_ state: inout State) {
        feed.count { $0.revocations += 1 }
        state.outbox.revoke()
        state.phase = .ended
    }
}

/// What a stream of changes sends next, as server-sent events, in parts of a moderate size. The changes of a commit may
/// be many; they are shared with other streams, and are copied part by part.
struct ChangeOutbox {
    private let hasBookmarkEvents: Bool
    private let position: @Sendable (HistoryPosition) -> FeedPosition
    private var text: [UInt8] = []
    /// Sent then, each with at least one change.
    private var commits: ArraySlice<ChangeReader.Changes> = []
    /// The next change of the first of them.
    private var next = 0

    static let partSize = 32 * 1024

    init(hasBookmarkEvents: Bool, _ position: @escaping @Sendable (HistoryPosition) -> FeedPosition) {
        (self.hasBookmarkEvents, self.position) = (hasBookmarkEvents, position)
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

    /// A position alone: a client stores it, and no event is dispatched without data.
    mutating func append(bookmark commit: HistoryPosition) {
        text.append("id: ")
        text.append(utf8: "\(position(commit))")
        text.append(hasBookmarkEvents ? "\nevent: bookmark\ndata: {}\n\n" : "\n\n")
    }

    /// Replaces everything; a snapshot follows. Its position is 0, which means nothing yet: a client that is
    /// disconnected before the end of the snapshot must not continue from its former position with only a part of it.
    mutating func reset() {
        self = ChangeOutbox(hasBookmarkEvents: hasBookmarkEvents, position)
        text.append("event: reset\nid: 0\ndata: {}\n\n")
    }

    mutating func revoke() {
        self = ChangeOutbox(hasBookmarkEvents: hasBookmarkEvents, position)
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
