import Service
import SookeModel
import Store

/// All records of a version, as the client may see them, in parts: none takes longer than a list page.
struct WholeVersion: RecordParts {
    let position: HistoryPosition
    private let town: Town
    private let viewer: Viewer
    private let topics: ChangeTopics
    private var kinds: [RecordKind]
    private var lastID = 0

    /// All are counted, also those that the client does not see.
    static let partSize = 32
    /// A client that sees few records must not block the event loop.
    static let workLimit = 128

    init(_ version: Version, for viewer: Viewer, _ topics: ChangeTopics) {
        (town, self.viewer, self.topics) = (version.town, viewer, topics)
        position = version.position
        kinds = topics.possibleKinds
    }

    /// As changes that create them; nil at the end.
    mutating func next(visiting count: Int = partSize) -> [ChangeReader.Changes.Item]? {
        guard let kind = kinds.first else { return nil }
        let records: [any StoredRecord]
        if topics.includeAll(of: kind) {
            records = town.records(of: kind, above: lastID, limit: count)
        } else {
            // A few, found by their slugs.
            records = lastID == 0 ? topics.records(of: kind, in: town) : []
        }
        if let last = records.last { lastID = last.id } else { (kinds, lastID) = (Array(kinds.dropFirst()), 0) }
        return records.compactMap { record in
            FeedEvent(record, of: kind, for: viewer).flatMap { event in
                ChangeText.json(event).map { .init(event: event, json: $0) }
            }
        }
    }
}
