import Foundation
import SookeModel
import TestSupport
import Testing

@Suite struct GeoCircleTests {
    private static func place(_ latitude: Double, _ longitude: Double) throws -> Coordinates {
        try #require(Coordinates(latitude: latitude, longitude: longitude))
    }

    /// The formula of the cosine law with Foundation's functions.
    private static func haversine(_ left: Coordinates, _ right: Coordinates) -> Double {
        let radians = Double.pi / 180
        let (first, second) = (left.latitude * radians, right.latitude * radians)
        let latitude = sin((second - first) / 2)
        let longitude = sin((right.longitude - left.longitude) * radians / 2)
        let sum = latitude * latitude + cos(first) * cos(second) * longitude * longitude
        return 2 * 6_371_008.8 * asin(min(1, sqrt(sum)))
    }

    @Test func agreesWithTheHaversineFormula() throws {
        var random = SplitMix64(seed: 1)
        for step in 0..<Cases.count(3_000, of: 20_000) {
            let one = try Self.place(.random(in: -90...90, using: &random), .random(in: -180...180, using: &random))
            let reach = [180, 1, 0.001][step % 3]
            let other = try Self.place(
                min(90, max(-90, one.latitude + .random(in: -reach / 2...reach / 2, using: &random))),
                min(180, max(-180, one.longitude + .random(in: -reach...reach, using: &random))))
            let expected = Self.haversine(one, other)
            #expect(abs(one.distance(to: other) - expected) < 1e-6 + expected * 1e-8, "\(one) \(other)")
        }
    }

    @Test(arguments: [
        // center, place, radius
        (0.0, 179.99, 0.0, -179.99, 2_300.0, true), (0, 179.99, 0, -179.99, 2_200, false),
        (89.99, 0, 89.99, 180, 2_300, true), (89.99, 0, 89.99, 180, 2_200, false),
        (-90, 0, -90, 77, 0, true), (0, 0, 0, 0, 0, true), (0, 0, 0, 180, 20_015_114, false),
        (0, 0, 0, 180, 20_015_115, true), (12, 34, -12, -146, 20_015_115, true), (12, 34, -12, -146, 1e9, true),
    ])
    func contains(
        _ latitude: Double, _ longitude: Double, _ otherLatitude: Double, _ otherLongitude: Double, _ radius: Double,
        _ isInside: Bool
    ) throws {
        let circle = GeoCircle(center: try Self.place(latitude, longitude), radius: radius)
        #expect(circle.contains(try Self.place(otherLatitude, otherLongitude)) == isInside)
    }
}
