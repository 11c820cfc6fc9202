import Bytes
import HTTP
import Service
import SookeModel
import Store
import Synchronization

/// Encodes the changes of commits for clients.
///
/// The changes of a recent commit are encoded once for all clients that see only what is public, and once for all that
/// see everything.
final class ChangeReader: Sendable {
    /// The changes of a commit for a client.
    struct Changes: Sendable {
        /// A change with its JSON.
        struct Item: Sendable {
            let event: FeedEvent
            let json: [UInt8]
        }

        let position: FeedPosition
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

    /// The most commits that are stored: more than clients are behind that follow at all.
    private static let capacity = 256
    /// The most bytes of JSON that are stored, unless one commit has more.
    private static let byteCapacity = 16 << 20
    private let encoded = Mutex(Cache())

    /// The changes of a commit in memory for a client, of the topics that it follows.
    func changes(of commit: RecentCommit, for viewer: Viewer, _ topics: ChangeTopics) -> (Changes, Viewer.Effect) {
        if viewer == .anyone { return (shared(commit.position, viewer) { ChangeSet(commit) }.of(topics), .none) }
        let read = ChangeSet(commit)
        let changes =
            viewer.scope == .all
            ? shared(commit.position, viewer) { read } : Self.changes(of: read, for: viewer)
        return (changes.of(topics), viewer.effect(of: read))
    }

    /// Whether the changes of a commit need not be encoded any more.
    func hasEncoded(_ commit: RecentCommit, for viewer: Viewer) -> Bool {
        let key = Key(position: commit.position, seesAll: viewer.scope == .all)
        return viewer == .anyone && encoded.withLock { $0.changes[key] != nil }
    }

    /// The changes of a commit for a client.
    static func changes(of commit: ChangeSet, for viewer: Viewer) -> Changes {
        Changes(
            position: FeedPosition(commit.position, viewer.scope),
            items: commit.items.compactMap { item in
                guard ChangeTopics.kinds.contains(item.kind), let event = FeedEvent(item, for: viewer) else {
                    return nil
                }
                return ChangeText.json(event).map { Changes.Item(event: event, json: $0) }
            })
    }

    private func shared(_ position: HistoryPosition, _ viewer: Viewer, _ read: () -> ChangeSet) -> Changes {
        let key = Key(position: position, seesAll: viewer.scope == .all)
        if let found = encoded.withLock({ $0.changes[key] }) { return found }
        let changes = Self.changes(of: read(), for: viewer)
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

    /// The changes for a client that follows some topics only.
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

/// A whole version of the town, as the client may see it, in parts: no part takes longer than a list page.
struct WholeVersion: Sendable {
    let position: FeedPosition
    private let community: Community
    private let viewer: Viewer
    private let topics: ChangeTopics
    private var kinds: [RecordKind]
    private var lastID = 0

    /// The records of a part.
    private static let partSize = 40

    init(_ version: Version, for viewer: Viewer, _ topics: ChangeTopics) {
        (community, self.viewer, self.topics) = (version.community, viewer, topics)
        position = FeedPosition(version.position, viewer.scope)
        kinds = topics.possibleKinds
    }

    /// The next records, as changes that create them; nil at the end.
    mutating func next() -> ChangeReader.Changes? {
        guard let kind = kinds.first else { return nil }
        let records = community.records(of: kind, above: lastID, limit: Self.partSize)
        if let last = records.last { lastID = last.id } else { (kinds, lastID) = (Array(kinds.dropFirst()), 0) }
        let items = records.compactMap { record -> ChangeReader.Changes.Item? in
            guard let event = FeedEvent(record, of: kind, for: viewer), topics.include(record, of: kind) else {
                return nil
            }
            return ChangeText.json(event).map { .init(event: event, json: $0) }
        }
        return ChangeReader.Changes(position: position, items: items)
    }
}
