import Bytes
import SookeModel

/// A query of the listed businesses: all filters must match.
///
/// See `BusinessPlan` for the way it is executed.
public struct BusinessQuery: Sendable {
    /// Only businesses whose name contains this text, ignoring case.
    public var search: String?
    /// Only these businesses: the result of a ranked search, the best first.
    public var matches: [RankedBusiness]?
    /// Only businesses of this category.
    public var category: Slug?
    /// Only businesses in this circle, and the center of distances; see `everywhere`.
    public var near: GeoCircle?
    /// Only businesses in this bounding box.
    public var box: BoundingBox?
    /// Only businesses changed at or after this moment.
    public var updatedSince: Timestamp?
    /// Only businesses in each of these lists, which are in the order of their names: for example those that are open.
    public var among: [[BusinessRecord]] = []
    /// The order of the list. Without matches or a center, `.relevance` and `.distance` are the same as `.name`.
    public var order = BusinessOrder.name
    /// Only the part of the list after this key of its order. Counts still include the part before.
    public var after: BusinessKey?

    /// All listed businesses, by name.
    public init(search: String? = nil, category: Slug? = nil) {
        self.search = search
        self.category = category
    }
}

/// A listed business that matches a ranked search.
public struct RankedBusiness: Sendable {
    public let id: Int
    /// How well it matches: the lower, the better. Equal ones are in the order of their names.
    public let rank: Int

    /// A business with its rank.
    public init(id: Int, rank: Int) {
        (self.id, self.rank) = (id, rank)
    }
}

extension Town {
    /// A page of the listed businesses that match a query, in its order.
    public func page(_ request: PageRequest, of query: BusinessQuery) -> Page<BusinessRecord> {
        BusinessPlan(query, in: self).page(request)
    }

    /// All listed businesses that match a query, in its order. They are found while the list is read, as far as an index
    /// is in that order.
    public func list(of query: BusinessQuery) -> BusinessList {
        var query = query
        query.after = nil
        return BusinessPlan(query, in: self).list()
    }

    /// The place of a business in the list of a query; a query with this key as `after` continues behind it.
    public func key(of record: BusinessRecord, in query: BusinessQuery) -> BusinessKey {
        query.key(of: record)
    }
}

extension BusinessQuery {
    /// The order of the list: that of the query, unless it lacks what the order needs.
    var effectiveOrder: BusinessOrder {
        switch order {
        case .distance where near == nil, .relevance where matches == nil: .name
        default: order
        }
    }

    /// The place of a business in the list.
    func key(of record: BusinessRecord) -> BusinessKey {
        switch effectiveOrder {
        case .name: .name(record.nameKey)
        case .updated: .updated(record.updated, id: record.id)
        case .relevance: .relevance(rank: matches?.first { $0.id == record.id }?.rank ?? 0, record.nameKey)
        case .distance:
            .distance(
                squaredChord: near.flatMap { record.neighbour(of: SurfacePoint($0.center))?.squaredChord } ?? 4,
                id: record.id)
        }
    }
}

/// The businesses that somebody may see.
///
/// An event shows the name, slug and coordinates of its business to everybody, because apps expect them. Anything else
/// about a business that is not listed is only for those who may see it: its address, that it has events, and that an
/// event is found by its name.
public enum VisibleBusinesses: Sendable {
    /// All businesses.
    case all
    /// The listed businesses, which have a category: everybody may see them.
    case listed
    /// These and those that a person owns.
    case listedOrOwned(by: Int)

    /// Whether a business is visible.
    public func contains(_ business: BusinessRecord) -> Bool {
        switch self {
        case .all: true
        case .listed: business.categoryID != nil
        case .listedOrOwned(let owner): business.categoryID != nil || business.ownerID == owner
        }
    }
}

extension Town {
    /// The business with a slug; nil when it is not visible.
    public func business(_ slug: Slug, among visible: VisibleBusinesses) -> BusinessRecord? {
        self.businesses[slug].flatMap { visible.contains($0) ? $0 : nil }
    }
}
