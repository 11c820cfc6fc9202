import BTree
import SookeModel
import TestSupport
import Testing

@testable import Store

@Suite struct PlaceIndexTests {
    private static func record(_ id: Int, _ place: Coordinates?, category: Int? = 1) -> BusinessRecord {
        var business = Business()
        (business.id, business.name, business.slug) = (id, "B", Slug("b-\(id)"))
        (business.latitude, business.longitude) = (place?.latitude, place?.longitude)
        return BusinessRecord(business, categoryID: category)
    }

    private static func records(_ places: [Coordinates]) -> [BusinessRecord] {
        places.enumerated().map { record($0.offset + 1, $0.element) }
    }

    /// How the businesses of a town lie.
    enum Spread: CaseIterable {
        case world, town, poles, dateLine, corners, onePlace, lattice

        func place(_ random: inout SplitMix64) throws -> Coordinates {
            let (latitude, longitude): (Double, Double) =
                switch self {
                case .world: (.random(in: -90...90, using: &random), .random(in: -180...180, using: &random))
                case .town: (.random(in: 48.3...48.5, using: &random), .random(in: -123.9 ... -123.6, using: &random))
                case .poles:
                    (
                        .random(in: 89.9...90, using: &random) * (.random(using: &random) ? 1 : -1),
                        .random(in: -180...180, using: &random)
                    )
                case .dateLine:
                    (
                        .random(in: -0.1...0.1, using: &random),
                        .random(in: 179.9...180, using: &random) * (.random(using: &random) ? 1 : -1)
                    )
                case .corners:
                    (
                        [-90, 0, 90].randomElement(using: &random) ?? 0,
                        [-180, -90, 0, 90, 180].randomElement(using: &random) ?? 0
                    )
                case .onePlace: (48.3742, -123.7276)
                case .lattice:
                    (
                        Double(Int.random(in: -9...9, using: &random)) * 10,
                        Double(Int.random(in: -18...18, using: &random)) * 10
                    )
                }
            return try #require(Coordinates(latitude: latitude, longitude: longitude))
        }
    }

    /// Compared with a scan.
    private static func check(
        _ index: PlaceIndex, _ records: [BusinessRecord], _ region: some GeoRegion, near center: Coordinates,
        _ random: inout SplitMix64
    ) {
        let inside = records.filter { $0.place.map(region.contains) ?? false }
        #expect(index.count(in: region) == inside.count, "\(region)")
        var found: [Int] = []
        index.forEach(in: region) { found += $0 }
        #expect(found.sorted() == inside.map(\.id).sorted(), "\(region)")
        let point = SurfacePoint(center)
        let sorted = inside.compactMap { record in
            record.place.map { Neighbour(squaredChord: point.squaredChord(to: SurfacePoint($0)), id: record.id) }
        }.sorted()
        let limit = Int.random(in: 0...(records.count + 1), using: &random)
        var nearest = NearestPlaces(index, from: point, in: region) { $0.id % 2 == 0 }
        #expect((0..<limit).compactMap { _ in nearest.next() } == Array(sorted.filter { $0.id % 2 == 0 }.prefix(limit)))
        var even = IDSet(upTo: records.map(\.id).max() ?? 0, of: records.count)
        even.insert(records.lazy.map(\.id).filter { $0 % 2 == 0 })
        #expect(index.count(in: region, among: even) == sorted.filter { $0.id % 2 == 0 }.count, "\(region)")
    }

    @Test(arguments: Spread.allCases, [0, 1, 33, 700])
    func agreesWithAScan(_ spread: Spread, count: Int) throws {
        var random = SplitMix64(seed: 3)
        let records = Self.records(try (0..<count).map { _ in try spread.place(&random) })
        let index = PlaceIndex(records)
        #expect(index.tree.checkInvariants().isEmpty)
        for step in 0..<60 {
            let center = try spread.place(&random)
            let radius =
                [0, 0.01, 5, 900, 5_000, 300_000, 1e7, 2.1e7][step % 8] * .random(in: 0.5...1.5, using: &random)
            Self.check(index, records, GeoCircle(center: center, radius: radius), near: center, &random)
            let corners = (try spread.place(&random), try spread.place(&random))
            let box = try #require(
                BoundingBox(
                    west: corners.0.longitude, south: min(corners.0.latitude, corners.1.latitude),
                    east: corners.1.longitude, north: max(corners.0.latitude, corners.1.latitude)))
            Self.check(index, records, box, near: center, &random)
        }
    }

    /// Circles whose edge goes through a place.
    @Test func anEdgeBelongsToItsCircle() throws {
        var random = SplitMix64(seed: 4)
        let records = Self.records(try (0..<300).map { _ in try Spread.town.place(&random) })
        let index = PlaceIndex(records)
        for record in records {
            let (center, place) = (try Spread.town.place(&random), try #require(record.place))
            let radius = center.distance(to: place) * .random(in: 1 - 1e-9...1 + 1e-9, using: &random)
            Self.check(index, records, GeoCircle(center: center, radius: radius), near: center, &random)
        }
    }

    @Test func changesLikeATable() throws {
        var random = SplitMix64(seed: 5)
        var (index, table) = (PlaceIndex(), BTree<Int, BusinessRecord>())
        for step in 0..<3_000 {
            let id = Int.random(in: 1...300, using: &random)
            let place = step % 11 == 0 ? nil : try Spread.allCases[step % 3].place(&random)
            let new = Self.record(id, place, category: step % 7 == 0 ? nil : 1)
            let old = table[id]
            if step % 5 == 0, let old {
                table.removeValue(forKey: id)
                index.remove(old, among: table)
            } else {
                table.updateValue(new, forKey: id)
                if let old { index.replace(old, with: new, among: table) } else { index.insert(new, among: table) }
            }
            guard step % 100 == 0 else { continue }
            let center = try Spread.town.place(&random)
            let listed = table.elements.values.filter { $0.categoryID != nil }
            Self.check(index, listed, GeoCircle(center: center, radius: 5_000), near: center, &random)
            Self.check(index, listed, GeoCircle(center: center, radius: 1e9), near: center, &random)
        }
    }

    @Test func leavesOutPlacesThatAreNotOnEarth() throws {
        let places = [(90.5, 0.0), (0, 181), (-1e300, 1e300), (48, -123)]
        let records = Self.records(
            try places.map { try #require(Coordinates(latitude: $0.0, longitude: $0.1)) })
        let center = try #require(Coordinates(latitude: 0, longitude: 0))
        #expect(PlaceIndex(records).count(in: GeoCircle(center: center, radius: 1e9)) == 1)
    }
}
