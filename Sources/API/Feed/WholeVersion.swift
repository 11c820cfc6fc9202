import Service
import SookeModel
import Store

/// A whole version of the town, as the client may see it, in parts: no part takes longer than a list page.
struct WholeVersion: Sendable {
    let position: HistoryPosition
    private let community: Community
    private let viewer: Viewer
    private let topics: ChangeTopics
    private var kinds: [RecordKind]
    private var lastID = 0

    /// The records of a part. All are counted, also those that the client does not see.
    static let partSize = 32
    /// The most records that are visited at a time: a client that sees few of them must not block the event loop.
    static let workLimit = 128

    init(_ version: Version, for viewer: Viewer, _ topics: ChangeTopics) {
        (community, self.viewer, self.topics) = (version.community, viewer, topics)
        position = version.position
        kinds = topics.possibleKinds
    }

    /// The next records, as changes that create them; nil at the end.
    mutating func next() -> ChangeReader.Changes? {
        guard let kind = kinds.first else { return nil }
        let records: [any StoredRecord]
        if topics.includeAll(of: kind) {
            records = community.records(of: kind, above: lastID, limit: Self.partSize)
        } else {
            // A few, found by their slugs.
            records = lastID == 0 ? topics.records(of: kind, in: community) : []
        }
        if let last = records.last { lastID = last.id } else { (kinds, lastID) = (Array(kinds.dropFirst()), 0) }
        let items = records.compactMap { record -> ChangeReader.Changes.Item? in
            FeedEvent(record, of: kind, for: viewer).flatMap { event in
                ChangeText.json(event).map { .init(event: event, json: $0) }
            }
        }
        return ChangeReader.Changes(position: position, items: items)
    }
}
