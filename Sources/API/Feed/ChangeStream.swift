import HTTP
import Service
import Store
import Synchronization

/// The changes of the town as server-sent events (HTML Living Standard, section 9.2), for one client.
///
/// The client is a position in the history. Each part of the body is made when the client can receive it: from a whole
/// version, from the log, or from the recent commits in memory.
final class ChangeStream: BodySource {
    private enum Phase {
        /// Continuing from a position that the client sent.
        case starting(FeedPosition)
        /// Sending a whole version.
        case whole(WholeVersion)
        /// Sending commits from the log.
        case replaying(LogCursor, HistoryPosition)
        /// Waiting for a part of the log.
        case reading(HistoryPosition)
        /// Sending recent commits.
        case live(HistoryPosition)
        case ended
    }

    private struct State {
        var phase: Phase
        /// The client in the version with the sequence number `since`.
        var viewer: Viewer
        /// The commit after which the client has the rights of `viewer`. It had other rights perhaps before.
        var since: Int
        var outbox = ChangeOutbox()
        /// When the next bookmark is due, in monotonic nanoseconds.
        var bookmarkAt: Int

        var isEnded: Bool { if case .ended = phase { true } else { false } }
    }

    /// The most commits, or parts of a whole version, that are visited at a time: a client that sees few of them must
    /// not block the event loop.
    private static let workLimit = 256
    /// The most commits that wait to be sent.
    private static let outboxLimit = 64

    private let follower: Follower
    private let feed: Feed
    private let reader: ChangeReader
    private let topics: ChangeTopics
    private let id: Int
    private let state: Mutex<State>

    private var store: PublishedStore { follower.town.store }

    /// A stream from a position, or one that begins with a whole version.
    ///
    /// - Throws: `overloaded` when too many clients follow.
    init(
        _ follower: Follower, in version: Version, from start: Start, _ topics: ChangeTopics, _ reader: ChangeReader
    ) throws(ServiceError) {
        (self.follower, self.topics, self.reader, feed) = (follower, topics, reader, follower.town.feed)
        let viewer = Viewer(follower.caller, in: version.community)
        id = try feed.join(at: version.sequence)
        let isWhole: Bool
        let phase: Phase
        switch start {
        case .after(let position): (phase, isWhole) = (.starting(position), false)
        case .beginning, .unknown: (phase, isWhole) = (.whole(WholeVersion(version, for: viewer, topics)), true)
        }
        if case .unknown = start { feed.count { $0.resets += 1 } }
        var state = State(
            phase: phase, viewer: viewer, since: version.sequence, bookmarkAt: feed.now() + Feed.heartbeat)
        if isWhole { state.outbox.reset() }
        self.state = Mutex(state)
    }

    /// The last commit that it has sent from memory; nil while anything else is to be sent.
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
        if feed.isStopped { return .end }
        return state.withLock { state in
            let version = store.current
            var work = Self.workLimit
            if !state.isEnded, !follower.hasRights(of: state.viewer, in: version) { revoke(&state) }
            while true {
                if let part = state.outbox.takePart() {
                    if state.outbox.isEmpty {
                        state.bookmarkAt = feed.now() + Feed.heartbeat
                        // The log is read on while this part is sent.
                        if case .replaying(let cursor, let position) = state.phase {
                            read(cursor, after: position, &state, wakeup)
                        }
                    }
                    return .bytes(part)
                }
                if work <= 0 {
                    wakeup()
                    return .pending
                }
                switch state.phase {
                case .ended: return .end
                case .starting(let position): start(from: position, version, &state, wakeup)
                case .whole(var whole): send(&whole, &state, &work)
                case .replaying(let cursor, let position): read(cursor, after: position, &state, wakeup)
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

    /// Continues from a position that the client sent: in memory, in the log, or not at all.
    private func start(
        from start: FeedPosition, _ version: Version, _ state: inout State, _ wakeup: BodyWakeup
    ) {
        guard state.viewer.canContinue(from: start) else { return reset(&state) }
        let position = start.commit
        if let commits = version.commits(after: position) {
            let isSteady = state.viewer.isSteady(in: commits, through: state.since)
            if isSteady { state.phase = .live(position) } else { reset(&state) }
        } else if version.isWorthReplaying(from: position) {
            feed.count { $0.replays += 1 }
            let cursor = store.cursor(after: position)
            if state.viewer.hasAccount {
                state.phase = .reading(position)
                checkRights(since: position, for: state.viewer, through: state.since, then: cursor, wakeup)
            } else {
                state.phase = .replaying(cursor, position)
            }
        } else {
            reset(&state)
        }
    }

    /// Appends records of a whole version; after the last a bookmark.
    private func send(_ whole: inout WholeVersion, _ state: inout State, _ work: inout Int) {
        while !state.outbox.isFull, work > 0 {
            work -= 1
            guard let changes = whole.next() else {
                state.outbox.append(bookmark: whole.position)
                state.phase = .live(whole.position.commit)
                return
            }
            for item in changes.items { state.outbox.append(item) }
        }
        state.phase = .whole(whole)
    }

    /// Appends recent commits.
    ///
    /// - Returns: the newest position, when the client has all commits; nil when there is more to do.
    private func sendRecent(
        after position: HistoryPosition, _ version: Version, _ state: inout State, _ work: inout Int,
        _ wakeup: BodyWakeup
    ) -> HistoryPosition? {
        guard let commits = version.commits(after: position) else {
            // It was too slow, and continues from its position when it connects again.
            feed.count { $0.slow += 1 }
            state.phase = .ended
            return nil
        }
        var position = position
        for commit in commits where work > 0 && state.outbox.commitCount < Self.outboxLimit {
            work -= 1
            if commit.changes.count > Self.workLimit, !reader.hasEncoded(commit, for: state.viewer) {
                state.phase = .reading(position)
                encode(commit, for: state.viewer, wakeup)
                return nil
            }
            let (changes, effect) = reader.changes(of: commit, for: state.viewer, topics)
            guard apply(effect, of: commit.position, &state) else { return nil }
            state.outbox.append(changes)
            position = commit.position
        }
        state.phase = .live(position)
        return position == version.position ? position : nil
    }

    /// Waits for the next commit, the time of the next bookmark or the end of the client's session; nil when a bookmark
    /// is due.
    private func wait(
        at position: HistoryPosition, _ version: Version, _ state: inout State, _ wakeup: BodyWakeup
    ) -> BodyPart? {
        let now = feed.now()
        if now >= state.bookmarkAt {
            state.bookmarkAt = now + Feed.heartbeat
            state.outbox.append(bookmark: FeedPosition(position, state.viewer.scope))
            return nil
        }
        let deadline = min(state.bookmarkAt, follower.expiry(in: version) ?? .max)
        guard feed.wait(id, at: position.sequence, until: deadline, { wakeup() }) else { return .end }
        // A commit that was published meanwhile has woken nobody.
        if store.current.position != version.position { wakeup() }
        return .pending
    }

    // MARK: - Long work

    /// Begins anew, unless the client had the same rights at the commits that it gets from the log.
    private func checkRights(
        since position: HistoryPosition, for viewer: Viewer, through sequence: Int, then cursor: LogCursor,
        _ wakeup: BodyWakeup
    ) {
        let town = follower.town
        work(wakeup) { [self] in
            try await town.hasSteadyRights(
                viewer, after: position, through: sequence, for: follower.network, isWanted: isWanted)
        } then: { isSteady, state in
            if isSteady { state.phase = .replaying(cursor, position) } else { self.reset(&state) }
        }
    }

    /// Reads the next part of the log.
    private func read(
        _ cursor: LogCursor, after position: HistoryPosition, _ state: inout State, _ wakeup: BodyWakeup
    ) {
        let viewer = state.viewer
        state.phase = .reading(position)
        work(wakeup) { [self] in
            try await follower.town.replays.run(for: follower.network, isWanted: isWanted) { [topics] in
                // Encoded before the state is locked, because an event loop may wait for that.
                try cursor.next(bytes: Town.logPart) { commit in
                    (viewer.effect(of: commit), ChangeReader.changes(of: commit, for: viewer).of(topics))
                }
            }
        } then: { [self] part, state in
            guard let part else { return reset(&state) }
            for (effect, changes) in part.elements {
                guard apply(effect, of: changes.position.commit, &state) else { return }
                state.outbox.append(changes)
            }
            let isInMemory = store.current.commits(after: part.through) != nil
            state.phase = isInMemory ? .live(part.through) : .replaying(cursor, part.through)
        }
    }

    /// Encodes a large commit.
    private func encode(_ commit: RecentCommit, for viewer: Viewer, _ wakeup: BodyWakeup) {
        work(wakeup) { [self] in
            try await follower.town.replays.run(for: follower.network, isWanted: isWanted) { [reader, topics] in
                reader.changes(of: commit, for: viewer, topics)
            }
        } then: { [self] read, state in
            guard apply(read.1, of: commit.position, &state) else { return }
            state.outbox.append(read.0)
            state.phase = .live(commit.position)
        }
    }

    /// Does work that takes long, and changes the state then, unless the client's rights have changed meanwhile.
    private func work<Value: Sendable>(
        _ wakeup: BodyWakeup, _ body: @escaping @Sendable () async throws -> Value,
        then change: @escaping @Sendable (Value, inout State) -> Void
    ) {
        Task {
            let result = try? await body()
            state.withLock { state in
                guard case .reading = state.phase else { return }
                // The client continues from its position when it connects again.
                if let result { change(result, &state) } else { state.phase = .ended }
            }
            wakeup()
        }
    }

    /// Whether the client is still connected and has its rights.
    private var isWanted: @Sendable () -> Bool {
        { [weak self] in self?.state.withLock { !$0.isEnded } == true }
    }

    // MARK: - Rights

    /// Applies the effect of a commit on the rights of the client; false when the phase has changed.
    ///
    /// A commit from before the client connected ends nothing, but the client had other rights then.
    private func apply(_ effect: Viewer.Effect, of position: HistoryPosition, _ state: inout State) -> Bool {
        switch effect {
        case .none: return true
        case .revoked where position.sequence > state.since: revoke(&state)
        case .reset, .revoked: reset(&state)
        }
        return false
    }

    /// Begins anew with a whole version.
    private func reset(_ state: inout State) {
        let version = store.current
        guard follower.hasRights(of: state.viewer, in: version) else { return revoke(&state) }
        feed.count { $0.resets += 1 }
        (state.viewer, state.since) = (Viewer(follower.caller, in: version.community), version.sequence)
        state.outbox.reset()
        state.phase = .whole(WholeVersion(version, for: state.viewer, topics))
    }

    private func revoke(_ state: inout State) {
        feed.count { $0.revocations += 1 }
        state.outbox.revoke()
        state.phase = .ended
    }
}
