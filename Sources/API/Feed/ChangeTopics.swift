import Dispatcher
import HTTP
import Service
import SookeModel
import Store

/// What a client wants to follow: kinds of record, and single records by their slugs.
struct ChangeTopics: Sendable {
    static let kinds = Town.kinds.filter(\.isInFeed)

    private let kinds: Set<RecordKind>
    private let slugs: Set<Slug>

    private static let limit = 20

    static let all = ChangeTopics(kinds: Set(kinds), slugs: [])

    private init(kinds: Set<RecordKind>, slugs: Set<Slug>) {
        (self.kinds, self.slugs) = (kinds, slugs)
    }

    /// `business,event,zeds-diner`; nil for all changes.
    init(_ text: String?) throws(HTTPError) {
        guard let text else {
            self = .all
            return
        }
        let names = text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        guard names.count <= Self.limit, !names.contains(where: \.isEmpty) else {
            throw .invalidParameter("topics names 1 to \(Self.limit) kinds or slugs, such as business,event,zeds-diner")
        }
        var (kinds, slugs) = (Set<RecordKind>(), Set<Slug>())
        for name in names {
            if let kind = Self.kinds.first(where: { $0.name.hasSameBytes(as: name) }) {
                kinds.insert(kind)
            } else {
                slugs.insert(Slug(name))
            }
        }
        self.init(kinds: kinds, slugs: slugs)
    }

    var isAll: Bool { kinds.count == Self.kinds.count }

    /// Of which some records are wanted.
    var possibleKinds: [RecordKind] { slugs.isEmpty ? Self.kinds.filter(kinds.contains) : Self.kinds }

    func includeAll(of kind: RecordKind) -> Bool { kinds.contains(kind) }

    /// Of a kind of which not all are wanted, by ID.
    func records(of kind: RecordKind, in town: Town) -> [any StoredRecord] {
        slugs.compactMap { town.record(of: kind, $0) }.sorted { $0.id < $1.id }
    }

    func include(_ record: any StoredRecord, of kind: RecordKind) -> Bool {
        kinds.contains(kind) || !slugs.isEmpty && record.ownSlug.map(slugs.contains) == true
    }

    func narrow(_ event: FeedEvent) -> FeedEvent? {
        kinds.contains(event.kind) ? event : event.narrowed { include($0, of: event.kind) }
    }
}

extension Town {
    fileprivate func record(of kind: RecordKind, _ slug: Slug) -> (any StoredRecord)? {
        guard let type = Town.recordType(of: kind), let id = type.id(of: slug, in: self) else { return nil }
        return type.record(id, in: self)
    }
}

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
