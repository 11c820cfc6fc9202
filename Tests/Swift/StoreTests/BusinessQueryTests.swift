import Bytes
import SookeModel
import TestSupport
import Testing

@testable import Store

/// Queries compared with a scan of all businesses.
@Suite struct BusinessQueryTests {
    @Test(arguments: [(0, 1), (3, 1), (90, 1), (90, 1_000_000), (900, 1)])
    func agreesWithAScan(count: Int, stepOfIDs: Int) throws {
        var random = SplitMix64(seed: UInt64(count))
        let town = try PlacedTown(count, &random, stepOfIDs: stepOfIDs)
        for _ in 0..<(count > 100 ? 60 : 300) {
            let query = town.query(&random)
            let request = PageRequest(number: Int.random(in: 1...4, using: &random), size: random.pick([1, 7, 100]))
            let expected = town.ids(of: query)
            let page = town.town.page(request, of: query)
            #expect(page.total == expected.count, "\(query)")
            #expect(page.records.map(\.id) == Array(expected[request.ranks(in: expected.count)]), "\(query)")
            #expect(page.hasNext == (request.number * request.size < expected.count), "\(query)")
            #expect(town.list(of: query) == expected, "\(query)")
        }
    }

    /// A walk with a cursor visits every business once.
    @Test func continuesAfterAKey() throws {
        var random = SplitMix64(seed: 8)
        let town = try PlacedTown(200, &random)
        for _ in 0..<60 {
            var query = town.query(&random)
            let expected = town.ids(of: query)
            let request = PageRequest(size: Int.random(in: 1...60, using: &random))
            var found: [Int] = []
            while true {
                let page = town.town.page(request, of: query)
                #expect(page.total == expected.count)
                found += page.records.map(\.id)
                #expect(page.hasNext == (found.count < expected.count))
                guard page.hasNext, let last = page.records.last else { break }
                query.after = town.town.key(of: last, in: query)
            }
            #expect(found == expected, "\(query)")
        }
    }

    /// Businesses that exist during the whole walk are visited exactly once, also when others are added and removed.
    @Test func continuesAfterAKeyWhileOthersChange() throws {
        var random = SplitMix64(seed: 9)
        for _ in 0..<40 {
            var town = try PlacedTown(120, &random)
            var query = town.query(&random, isRanked: false)
            var lasting = Set(town.ids(of: query))
            var found: [Int] = []
            while true {
                let page = town.town.page(PageRequest(size: 7), of: query)
                found += page.records.map(\.id)
                guard page.hasNext, let last = page.records.last else { break }
                query.after = town.town.key(of: last, in: query)
                for _ in 0..<5 { lasting.remove(try town.addAndRemove(&random)) }
            }
            #expect(lasting.isSubset(of: found), "\(query)")
            #expect(Set(found).count == found.count, "\(query)")
        }
    }

    @Test(arguments: [
        (BusinessOrder.distance, BusinessOrder.name), (.relevance, .name), (.updated, .updated), (.name, .name),
    ])
    func anOrderNeedsItsData(_ order: BusinessOrder, _ used: BusinessOrder) {
        var query = BusinessQuery()
        query.order = order
        #expect(query.effectiveOrder == used)
    }
}

/// A town of businesses with places, and its records in a dictionary for comparison.
struct PlacedTown {
    private(set) var town = Town()
    private var records: [Int: BusinessRecord] = [:]
    private var nextID = 1
    private let stepOfIDs: Int

    init(_ count: Int, _ random: inout SplitMix64, stepOfIDs: Int = 1) throws {
        self.stepOfIDs = stepOfIDs
        for id in 1...4 {
            var category = SookeModel.Category()
            (category.id, category.name, category.slug) = (id, "C\(id)", Slug("c\(id)"))
            try town.apply(.put(AnyRecord(category)), at: Timestamp.epoch)
        }
        for _ in 0..<count { try add(&random) }
    }

    private mutating func add(_ random: inout SplitMix64) throws {
        var business = Business()
        business.id = nextID
        business.name =
            random.pick(["Bay", "Zed", "bay", "Harbour", "Old Bay", "Café"]) + random.pick(["", " B", " 7"])
        business.slug = Slug("b-\(business.id)")
        business.category = random.pick([nil, Slug("c1"), Slug("c2"), Slug("c2"), Slug("c3")])
        if Int.random(in: 0..<8, using: &random) > 0 {
            business.latitude = 48.4 + .random(in: -1...1, using: &random).rounded(to: 50) * 0.02
            business.longitude = -123.7 + .random(in: -1...1, using: &random).rounded(to: 50) * 0.02
        }
        nextID += stepOfIDs
        // Several have one time.
        try town.apply(.put(AnyRecord(business)), at: Timestamp(clampingSeconds: business.id / stepOfIDs / 3))
        records[business.id] = town.businesses[business.id]
    }

    /// Adds a business and removes another; returns the ID of that.
    mutating func addAndRemove(_ random: inout SplitMix64) throws -> Int {
        try add(&random)
        let id = records.keys.sorted().randomElement(using: &random) ?? 0
        try town.apply(.delete(.business, id: id), at: nil)
        records[id] = nil
        return id
    }

    func query(_ random: inout SplitMix64, isRanked: Bool = true) -> BusinessQuery {
        func isChosen(of count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }
        var query = BusinessQuery()
        if isChosen(of: 3) { query.search = random.pick(["a", "É", "o", "b", "bay", "%"]) }
        if isChosen(of: 3) { query.category = random.pick([Slug("c1"), Slug("c2"), Slug("c4"), Slug("nope")]) }
        if isChosen(of: 2), let center = Coordinates(latitude: 48.4, longitude: -123.69) {
            query.near = GeoCircle(center: center, radius: random.pick([300, 900, 2_000, 1e8]))
        }
        if isChosen(of: 4) {
            query.box = BoundingBox(
                west: -123.71, south: 48.39, east: random.pick([-123.7, -123.69]), north: random.pick([48.4, 48.41]))
        }
        if isChosen(of: 3) {
            query.updatedSince = Timestamp(
                clampingSeconds: Int.random(in: 0...(1 + nextID / stepOfIDs / 3), using: &random))
        }
        if isChosen(of: 4) { query.conditions = [{ $0.id % 3 == 1 }] }
        if isRanked, isChosen(of: 4) {
            query.matches = listed.filter { $0.id % 5 < 3 }.sorted { ($0.id % 5, $0.nameKey) < ($1.id % 5, $1.nameKey) }
                .map { RankedBusiness(id: $0.id, rank: $0.id % 5) }
        }
        query.order = random.pick([.name, .distance, .updated, .relevance])
        return query
    }

    private var listed: [BusinessRecord] {
        records.values.filter { $0.categoryID != nil }.sorted { $0.nameKey < $1.nameKey }
    }

    /// The IDs of the list of a query.
    func ids(of query: BusinessQuery) -> [Int] {
        let found = listed.filter { record in
            (query.search.map { CaseFolding.contains(record.foldedName, CaseFolding.fold($0)) } ?? true)
                && (query.category.map { record.category == $0 } ?? true)
                && (query.near.map { record.place.map($0.contains) ?? false } ?? true)
                && (query.box.map { record.place.map($0.contains) ?? false } ?? true)
                && (query.updatedSince.map { $0 <= record.updated } ?? true)
                && (query.conditions.isEmpty || record.id % 3 == 1)
                && (query.matches.map { $0.contains { $0.id == record.id } } ?? true)
        }
        switch query.order {
        case .distance:
            guard let center = query.near?.center else { return found.map(\.id) }
            return found.sorted {
                let point = SurfacePoint(center)
                let chords = [$0, $1].map { record in
                    record.place.map { point.squaredChord(to: SurfacePoint($0)) } ?? .infinity
                }
                return (chords[0], $0.id) < (chords[1], $1.id)
            }.map(\.id)
        case .updated: return found.sorted { ($1.updated, $1.id) < ($0.updated, $0.id) }.map(\.id)
        case .relevance:
            guard let matches = query.matches else { return found.map(\.id) }
            let ids = Set(found.map(\.id))
            return matches.map(\.id).filter(ids.contains)
        case .name: return found.map(\.id)
        }
    }

    func list(of query: BusinessQuery) -> [Int] {
        var list = town.list(of: query)
        var ids: [Int] = []
        while let part = list.next(visiting: 128) { ids += part.map(\.id) }
        return ids
    }
}

extension Double {
    /// The nearest multiple of a fraction, so that several businesses are at one place.
    fileprivate func rounded(to parts: Double) -> Double { (self * parts).rounded() / parts }
}
