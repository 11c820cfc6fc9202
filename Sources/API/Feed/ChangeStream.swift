import Bytes
import HTTP
import Service
import SookeModel
import Store
import Synchronization

/// The changes of the town as server-sent events (HTML Living Standard, section 9.2), for one client.
///
/// The client is a position in the history. Each part of the body is made when the client can receive it: from a whole
/// version, from the log, or from the recent commits in memory.
final class ChangeStream: BodySource {
    private enum Phase {
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
        /// Bytes to send first.
        var ready: [UInt8] = []
        /// When the next bookmark is due, in monotonic nanoseconds.
        var bookmarkAt: Int
    }

    /// A part ends when it has so many bytes.
    private static let partSize = 32 * 1024
    /// How much of the log is read at a time.
    private static let logPart = 256 * 1024

    private let town: Town
    private let feed: Feed
    private let reader: ChangeReader
    private let caller: Caller
    private let viewer: Viewer
    private let topics: ChangeTopics
    private let id: Int
    /// The newest commit when the client connected: its rights are those after this commit.
    private let connected: Int
    private let state: Mutex<State>

    /// A stream from a position, or one that begins with a whole version.
    ///
    /// - Throws: `overloaded` when too many clients follow.
    init(
        _ call: Call, from start: Start, _ topics: ChangeTopics, _ reader: ChangeReader
    ) throws(ServiceError) {
        (town, feed, caller, self.topics, self.reader) = (call.town, call.town.feed, call.caller, topics, reader)
        let version = call.version
        viewer = Viewer(call.caller, in: version.community)
        connected = version.sequence
        id = try feed.join(at: connected)
        let phase: Phase
        switch start {
        case .after(let position): phase = .live(position)
        case .beginning, .unknown: phase = .whole(WholeVersion(version, for: viewer, topics))
        }
        if case .unknown = start { feed.count { $0.resets += 1 } }
        var state = State(phase: phase, bookmarkAt: feed.now() + Feed.heartbeat)
        if case .whole = phase { state.ready = Self.reset }
        self.state = Mutex(state)
    }

    func end() {
        feed.leave(id)
    }

    func next(_ wakeup: BodyWakeup) -> BodyPart {
        if feed.isStopped { return .end }
        return state.withLock { state in
            while true {
                if !state.ready.isEmpty {
                    defer { state.ready = [] }
                    return .bytes(state.ready)
                }
                switch state.phase {
                case .ended: return .end
                case .whole(var whole): sendPart(of: &whole, &state)
                case .live(let position):
                    if let part = sendRecent(after: position, &state, wakeup) { return part }
                case .replaying(let cursor, let position):
                    state.phase = .reading(position)
                    read(cursor, wakeup)
                case .reading(let position):
                    if isBookmarkDue(&state) {
                        state.ready = Self.bookmark(position)
                    } else {
                        let waits = feed.wait(id, at: position.sequence, until: state.bookmarkAt) { wakeup() }
                        return waits ? .pending : .end
                    }
                }
            }
        }
    }

    /// Appends records of a whole version; after the last a bookmark.
    private func sendPart(of whole: inout WholeVersion, _ state: inout State) {
        while state.ready.count < Self.partSize {
            guard let changes = whole.next() else {
                state.ready += Self.bookmark(whole.position)
                state.phase = .live(whole.position)
                return
            }
            for item in changes.items { Self.append(item, to: &state.ready, id: nil) }
        }
        state.phase = .whole(whole)
    }

    /// Appends recent commits, or waits for the next.
    ///
    /// - Returns: the part to return; nil when something is ready or the phase has changed.
    private func sendRecent(
        after position: HistoryPosition, _ state: inout State, _ wakeup: BodyWakeup
    ) -> BodyPart? {
        let version = town.store.current
        guard town.isValid(caller, in: version) else {
            revoke(&state)
            return nil
        }
        guard let commits = version.commits(after: position) else {
            continueOutOfMemory(from: position, version, &state)
            return nil
        }
        var position = position
        for commit in commits where state.ready.count < Self.partSize {
            let (changes, effect) = reader.changes(of: commit, for: viewer, topics)
            guard apply(effect, of: commit.position, &state) else { return nil }
            append(changes, &state)
            position = commit.position
        }
        state.phase = .live(position)
        if !state.ready.isEmpty { return nil }
        if isBookmarkDue(&state) {
            state.ready = Self.bookmark(position)
            return nil
        }
        let waits = feed.wait(id, at: position.sequence, until: state.bookmarkAt) { wakeup() }
        guard waits else { return .end }
        // A commit that was published meanwhile has woken nobody.
        if town.store.current.sequence != position.sequence { wakeup() }
        return .pending
    }

    /// Continues from a position whose commits are not in memory: a client that connects gets them from the log; one
    /// that was too slow is disconnected, and continues from its position when it connects again.
    private func continueOutOfMemory(from position: HistoryPosition, _ version: Version, _ state: inout State) {
        if position.sequence >= connected {
            feed.count { $0.slow += 1 }
            state.phase = .ended
        } else if version.isWorthReplaying(from: position) {
            feed.count { $0.replays += 1 }
            state.phase = .replaying(town.store.cursor(after: position), position)
        } else {
            reset(&state)
        }
    }

    /// Reads the next part of the log on its thread.
    private func read(_ cursor: LogCursor, _ wakeup: BodyWakeup) {
        Task {
            let part = try? await cursor.next(bytes: Self.logPart)
            state.withLock { take(part, from: cursor, &$0) }
            wakeup()
        }
    }

    private func take(_ part: LogCursor.Part?, from cursor: LogCursor, _ state: inout State) {
        guard case .reading = state.phase else { return }
        guard case .commits(let commits, let position)? = part else { return reset(&state) }
        for commit in commits {
            guard apply(viewer.effect(of: commit), of: commit.position, &state) else { return }
            append(ChangeReader.changes(of: commit, for: viewer).of(topics), &state)
        }
        let isInMemory = town.store.current.commits(after: position) != nil
        state.phase = isInMemory ? .live(position) : .replaying(cursor, position)
    }

    /// Applies the effect of a commit on the rights of the client; false when the phase has changed.
    ///
    /// A commit from before the client connected ends nothing, but the client had other rights then.
    private func apply(_ effect: Viewer.Effect, of position: HistoryPosition, _ state: inout State) -> Bool {
        switch effect {
        case .none: return true
        case .revoked where position.sequence > connected: revoke(&state)
        case .reset, .revoked: reset(&state)
        }
        return false
    }

    /// Begins anew with a whole version.
    private func reset(_ state: inout State) {
        feed.count { $0.resets += 1 }
        state.ready = Self.reset
        state.phase = .whole(WholeVersion(town.store.current, for: viewer, topics))
    }

    private func revoke(_ state: inout State) {
        feed.count { $0.revocations += 1 }
        state.ready += Array("event: revoked\ndata: {}\n\n".utf8)
        state.phase = .ended
    }

    private func append(_ changes: ChangeReader.Changes, _ state: inout State) {
        for (index, item) in changes.items.enumerated() {
            let isLast = index == changes.items.count - 1
            Self.append(item, to: &state.ready, id: isLast ? changes.position : nil)
            if isLast { state.bookmarkAt = feed.now() + Feed.heartbeat }
        }
    }

    private func isBookmarkDue(_ state: inout State) -> Bool {
        let now = feed.now()
        guard now >= state.bookmarkAt else { return false }
        state.bookmarkAt = now + Feed.heartbeat
        return true
    }

    private static let reset = Array("event: reset\ndata: {}\n\n".utf8)

    /// The position alone: a client stores it, and no event is dispatched.
    private static func bookmark(_ position: HistoryPosition) -> [UInt8] { Array("id: \(position)\n\n".utf8) }

    private static func append(_ item: ChangeReader.Changes.Item, to text: inout [UInt8], id: HistoryPosition?) {
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
