/// The places between two parallels and two meridians (RFC 7946, section 5).
public struct BoundingBox: Sendable, Hashable {
    /// The western edge in degrees.
    public let west: Double
    /// The southern edge in degrees.
    public let south: Double
    /// The eastern edge in degrees; below `west` when the box crosses the date line.
    public let east: Double
    /// The northern edge in degrees.
    public let north: Double

    /// The longitudes of the box: one range, two when it crosses the date line. The last one is the date line itself
    /// under its other name, 180 or −180, if the box touches it.
    private let longitudes: [ClosedRange<Double>]

    /// The places between edges, which belong to the box; nil when an edge is no latitude or longitude, or the southern
    /// edge is north of the northern one.
    public init?(west: Double, south: Double, east: Double, north: Double) {
        let edges = [west, east].allSatisfy { -180...180 ~= $0 } && [south, north].allSatisfy { -90...90 ~= $0 }
        guard edges, south <= north else { return nil }
        (self.west, self.south, self.east, self.north) = (west, south, east, north)
        if west > east {
            longitudes = [west...180, -180...east]
        } else {
            let other: [ClosedRange<Double>] = west == -180 ? [180...180] : []
            longitudes = [west...east] + other + (east == 180 ? [-180 ... -180] : [])
        }
    }

    /// Whether a place is in the box.
    public func contains(_ place: Coordinates) -> Bool {
        south <= place.latitude && place.latitude <= north && longitudes.contains { $0.contains(place.longitude) }
    }
}
