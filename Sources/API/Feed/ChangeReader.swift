import Bytes
import HTTP
import JSON
import Service
import SookeModel
import Store
import Synchronization

/// Encodes the changes of a recent commit once for all clients that see only what is public, and once for all that see
/// everything.
final class ChangeReader: Sendable {
    struct Changes: Sendable {
        struct Item: Sendable {
            let event: FeedEvent
            let json: [UInt8]
        }

        let position: HistoryPosition
        let items: [Item]
    }

    private struct Key: Hashable {
        let position: HistoryPosition
        let seesAll: Bool
    }

    private struct Cache {
        var changes: [Key: Changes] = [:]
        var order: [Key] = []
        var bytes = 0
    }

    /// More commits than clients are behind that follow at all.
    private static let capacity = 256
    /// Of JSON, unless one commit has more.
    private static let byteCapacity = 16 << 20
    private let encoded = Mutex(Cache())

    /// Reads large commits one after another, on no event loop.
    private actor LargeCommits {
        func run<Value: Sendable>(_ body: @Sendable () -> Value) -> Value { body() }
    }

    private let largeCommits = LargeCommits()

    /// Of the topics that the client follows; nil when the commit cannot be read.
    func changes(of commit: RecentCommit, for viewer: Viewer, _ topics: ChangeTopics) -> (Changes, Viewer.Effect)? {
        if viewer == .anyone, let known = encoded(commit, for: viewer) { return (known.of(topics), .none) }
        guard let read = commit.changeSet else { return nil }
        let isShared = viewer == .anyone || viewer.scope == .all
        let changes = isShared ? shared(read, viewer) : Self.changes(of: read, for: viewer)
        return (changes.of(topics), viewer.effect(of: read))
    }

    /// When its turn comes; nil also when it is no longer wanted.
    func changes(
        ofLarge commit: RecentCommit, for viewer: Viewer, _ topics: ChangeTopics,
        isWanted: @escaping @Sendable () -> Bool
    ) async -> (Changes, Viewer.Effect)? {
        await largeCommits.run { isWanted() ? self.changes(of: commit, for: viewer, topics) : nil }
    }

    func hasEncoded(_ commit: RecentCommit, for viewer: Viewer) -> Bool {
        viewer == .anyone && encoded(commit, for: viewer) != nil
    }

    private func encoded(_ commit: RecentCommit, for viewer: Viewer) -> Changes? {
        encoded.withLock { $0.changes[Key(position: commit.position, seesAll: viewer.scope == .all)] }
    }

    static func changes(of commit: ChangeSet, for viewer: Viewer) -> Changes {
        Changes(
            position: commit.position,
            items: commit.items.compactMap { item in
                guard ChangeTopics.kinds.contains(item.kind), let event = FeedEvent(item, for: viewer) else {
                    return nil
                }
                return ChangeText.json(event).map { Changes.Item(event: event, json: $0) }
            })
    }

    private func shared(_ commit: ChangeSet, _ viewer: Viewer) -> Changes {
        let key = Key(position: commit.position, seesAll: viewer.scope == .all)
        if let found = encoded.withLock({ $0.changes[key] }) { return found }
        let changes = Self.changes(of: commit, for: viewer)
        encoded.withLock { encoded in
            guard encoded.changes.updateValue(changes, forKey: key) == nil else { return }
            encoded.order.append(key)
            encoded.bytes += changes.bytes
            while encoded.order.count > 1,
                encoded.order.count > Self.capacity || encoded.bytes > Self.byteCapacity
            {
                let oldest = encoded.changes.removeValue(forKey: encoded.order.removeFirst())
                encoded.bytes -= oldest?.bytes ?? 0
            }
        }
        return changes
    }
}

extension ChangeReader.Changes {
    fileprivate var bytes: Int { items.reduce(0) { $0 + $1.json.count } }

    func of(_ topics: ChangeTopics) -> Self {
        if topics.isAll { return self }
        return Self(
            position: position,
            items: items.compactMap { item in
                guard let event = topics.narrow(item.event) else { return nil }
                if event.action == item.event.action { return item }
                return ChangeText.json(event).map { Item(event: event, json: $0) }
            })
    }
}

/// A record has the members of its detail, without those that depend on the clock or on other records: those refer to
/// others by slug only.
enum ChangeText {
    /// `{"kind":"business","action":"updated","id":3,"slug":"zeds","former_slug":"zed","record":{…}}`; nil when the
    /// client sees no difference.
    static func json(_ event: FeedEvent) -> [UInt8]? {
        if event.action == .updated, let before = event.before, let after = event.after,
            before.hasSameFeedForm(asAny: after)
        {
            return nil
        }
        let record = event.after?.feedForm
        let slug = event.after?.ownSlug ?? event.before?.ownSlug
        return JSONWriter.object(reservingCapacity: (record?.count ?? 0) + 128) { writer in
            writer.member("kind", event.kind.name)
            writer.member("action", event.action.rawValue)
            writer.member("id", event.id)
            writer.member("slug", slug?.text)
            if event.action == .updated, let former = event.before?.ownSlug, former != slug {
                writer.member("former_slug", former.text)
            }
            if let record { writer.member("record", raw: record) }
        }
    }
}
