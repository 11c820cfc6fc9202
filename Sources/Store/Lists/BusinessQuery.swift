import Bytes
import SookeModel

/// A query of the listed businesses: all filters must match.
package struct BusinessQuery: Sendable {
    /// Only businesses whose name contains this text, ignoring case.
    package var search: String?
    /// Only these businesses: the result of a ranked search, the best first.
    package var matches: [RankedBusiness]?
    package var category: Slug?
    /// Only businesses in this circle, and the center of distances.
    package var near: GeoCircle?
    package var box: BoundingBox?
    package var updatedSince: Timestamp?
    package var ids: Set<Int>?
    package var conditions: [@Sendable (BusinessRecord) -> Bool] = []
    /// The order of the list. Without matches or a center, `.relevance` and `.distance` are the same as `.name`.
    package var order = BusinessOrder.name
    /// Only the part of the list after this key of its order. Counts still include the part before.
    package var after: BusinessKey?

    package init(search: String? = nil, category: Slug? = nil) {
        self.search = search
        self.category = category
    }
}

package struct RankedBusiness: Sendable {
    package let id: Int
    /// How well it matches: the lower, the better. Equal ones are in the order of their names.
    package let rank: Int
}

extension Town {
    package func page(_ request: PageRequest, of query: BusinessQuery) -> Page<BusinessRecord> {
        let candidates = candidates(query)
        guard query.effectiveOrder == .distance, let center = query.near?.center else {
            return candidates.page(request, where: query.after.map { key in { key < query.key(of: $0) } })
        }
        let point = SurfacePoint(center)
        var (nearest, total) = ([Neighbour](), 0)
        candidates.forEach { _, record in
            total += 1
            guard let neighbour = record.distance(from: point) else { return }
            let key = BusinessKey.distance(squaredChord: neighbour.squaredChord, id: neighbour.id)
            if query.after.map({ $0 < key }) ?? true { nearest.append(neighbour) }
        }
        nearest.sort { $0 < $1 }
        let ranks = query.after == nil ? request.ranks(in: nearest.count) : 0..<min(request.size, nearest.count)
        let records = self.businesses.records(with: nearest[ranks].map(\.id))
        return Page(records: records, request: request, total: total, hasNext: ranks.upperBound < nearest.count)
    }

    /// All of them, in the order of the query; they are found while the list is read.
    package func list(of query: BusinessQuery) -> BusinessList {
        let center = query.effectiveOrder == .distance ? query.near?.center : nil
        return BusinessList(candidates(query), in: self.businesses, from: center.map { SurfacePoint($0) })
    }

    package func key(of record: BusinessRecord, in query: BusinessQuery) -> BusinessKey {
        query.key(of: record)
    }

    /// In the order of the query unless that is by distance, with the filters that the order does not satisfy.
    private func candidates(_ query: BusinessQuery) -> Candidates<BusinessRecord> {
        let (table, order) = (self.businesses, query.effectiveOrder)
        let category = query.category.map { self.categories[$0]?.id ?? 0 }
        let found: Candidates<BusinessRecord>
        switch order {
        case .updated:
            found = Candidates(table.listed(changedSince: query.updatedSince), \.value)
        case .relevance:
            var matches = query.matches ?? []
            if let ids = query.ids { matches.removeAll { !ids.contains($0.id) } }
            found = Candidates(matches) { table[$0.id] }
        case .name, .distance:
            found = category.map { Candidates(table.listed(in: $0), \.value) } ?? Candidates(table.listed, \.value)
        }
        // What takes least comes first; the other conditions may evaluate hours.
        var conditions: [@Sendable (BusinessRecord) -> Bool] = []
        if let ids = query.ids, order != .relevance { conditions.append { ids.contains($0.id) } }
        if let matches = query.matches, order != .relevance {
            let ids = Set(matches.lazy.map(\.id))
            conditions.append { ids.contains($0.id) }
        }
        if let category, order == .updated || order == .relevance { conditions.append { $0.categoryID == category } }
        if let moment = query.updatedSince, order != .updated { conditions.append { $0.updated >= moment } }
        if let circle = query.near { conditions.append { $0.surfacePoint.map(circle.contains) ?? false } }
        if let box = query.box { conditions.append { $0.place.map(box.contains) ?? false } }
        if let text = query.search, !text.isEmpty {
            let search = ByteSearch(for: CaseFolding.fold(text))
            conditions.append { record in
                let name = record.foldedName
                return search.firstMatch(in: name.span) != nil
            }
        }
        return (conditions + query.conditions).reduce(found) { $0.filter($1) }
    }
}

/// A business at a distance from a point, as the square of the chord; see `SurfacePoint`.
private typealias Neighbour = (squaredChord: Double, id: Int)

extension BusinessRecord {
    fileprivate func distance(from center: SurfacePoint) -> Neighbour? {
        surfacePoint.map { (center.squaredChord(to: $0), id) }
    }
}

package struct BusinessList: Sendable {
    private let candidates: Candidates<BusinessRecord>
    private let table: Table<BusinessRecord>
    private var position = 0
    /// From which the nearest come first; nil for the order of the candidates.
    private let center: SurfacePoint?
    /// Those that were found; once all are, the nearest is the last.
    private var nearest: [Neighbour] = []

    init(_ candidates: Candidates<BusinessRecord>, in table: Table<BusinessRecord>, from center: SurfacePoint?) {
        (self.candidates, self.table, self.center) = (candidates, table, center)
    }

    /// Nil at the end; an empty part is not the end.
    package mutating func next(visiting count: Int) -> [BusinessRecord]? {
        guard position < candidates.count else {
            let part = nearest.suffix(count)
            nearest.removeLast(part.count)
            return part.isEmpty ? nil : table.records(with: part.reversed().map(\.id))
        }
        let found = candidates.matches(in: position..<position + count)
        position += count
        guard let center else { return found }
        nearest += found.compactMap { $0.distance(from: center) }
        if position >= candidates.count { nearest.sort { $0 > $1 } }
        return []
    }
}

extension BusinessQuery {
    var effectiveOrder: BusinessOrder {
        switch order {
        case .distance where near == nil, .relevance where matches == nil: .name
        default: order
        }
    }

    func key(of record: BusinessRecord) -> BusinessKey {
        switch effectiveOrder {
        case .name: .name(record.nameKey)
        case .updated: .updated(record.updated, id: record.id)
        case .relevance: .relevance(rank: matches?.first { $0.id == record.id }?.rank ?? 0, record.nameKey)
        case .distance:
            .distance(
                squaredChord: near.flatMap { near in
                    record.surfacePoint.map { SurfacePoint(near.center).squaredChord(to: $0) }
                } ?? 4, id: record.id)
        }
    }
}

/// An event shows the name, slug and coordinates of its business to everybody, because apps expect them. Anything else
/// about a business that is not listed is only for those who may see it: its address, that it has events, and that an
/// event is found by its name.
package enum VisibleBusinesses: Sendable {
    case all
    /// Those with a category: everybody may see them.
    case listed
    case listedOrOwned(by: Int)

    package func contains(_ business: BusinessRecord) -> Bool {
        switch self {
        case .all: true
        case .listed: business.categoryID != nil
        case .listedOrOwned(let owner): business.categoryID != nil || business.ownerID == owner
        }
    }
}

extension Town {
    package func business(_ slug: Slug, among visible: VisibleBusinesses) -> BusinessRecord? {
        self.businesses[slug].flatMap { visible.contains($0) ? $0 : nil }
    }
}

package enum BusinessOrder: Sendable, Hashable {
    case name
    case distance
    /// The last changed first.
    case updated
    case relevance
}

/// The place of a business in a list: it is unique, and stays the same as long as the business is not changed.
package enum BusinessKey: Sendable {
    case name(NameKey)
    /// By the square of the chord (see `SurfacePoint`), then by ID.
    case distance(squaredChord: Double, id: Int)
    /// By the time of the last change, the last one first; equal ones by ID, the highest first.
    case updated(Timestamp, id: Int)
    case relevance(rank: Int, NameKey)

    package var order: BusinessOrder {
        switch self {
        case .name: .name
        case .distance: .distance
        case .updated: .updated
        case .relevance: .relevance
        }
    }
}

extension BusinessKey: Comparable {
    package static func < (left: BusinessKey, right: BusinessKey) -> Bool {
        switch (left, right) {
        case (.name(let left), .name(let right)): left < right
        case (.distance(let left, let leftID), .distance(let right, let rightID)):
            left == right ? leftID < rightID : left < right
        case (.updated(let left, let leftID), .updated(let right, let rightID)):
            left == right ? rightID < leftID : right < left
        case (.relevance(let left, let leftName), .relevance(let right, let rightName)):
            left == right ? leftName < rightName : left < right
        default: preconditionFailure("keys of different orders")
        }
    }

    package static func == (left: BusinessKey, right: BusinessKey) -> Bool { !(left < right) && !(right < left) }
}

extension BusinessRecord {
    /// The beginning of time if the last change is not recorded.
    var updated: Timestamp { times.updated ?? .beginningOfTime }

    var updatedKey: MomentKey { MomentKey(moment: updated, id: id) }
}
