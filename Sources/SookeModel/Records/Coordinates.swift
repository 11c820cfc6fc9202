/// A location in degrees (WGS 84).
public struct Coordinates: Sendable, Hashable {
    public let latitude: Double
    public let longitude: Double

    /// Nil if one of the two numbers is missing.
    @inlinable public init?(latitude: Double?, longitude: Double?) {
        guard let latitude, let longitude else { return nil }
        (self.latitude, self.longitude) = (latitude, longitude)
    }

    public var isOnEarth: Bool { -90...90 ~= latitude && -180...180 ~= longitude }
}

/// The text in a field: `48.3742,-123.7276`.
extension Coordinates: ShapedValue {
    public static var kind: FieldDescription.Kind { .text }

    public static var shape: String { "latitude,longitude in degrees, such as \"48.3742,-123.7276\"" }

    public static var placeholder: Coordinates {
        guard let origin = Coordinates(latitude: 0, longitude: 0) else { preconditionFailure("two numbers are given") }
        return origin
    }

    public init?(shaped text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            Double(decimal: String(part.drop { $0 == " " }))
        }
        guard parts.count == 2 else { return nil }
        self.init(latitude: parts[0], longitude: parts[1])
        guard isOnEarth else { return nil }
    }

    public var shapedText: String { "\(latitude),\(longitude)" }
}

/// The places between two parallels and two meridians, in degrees (RFC 7946, section 5).
public struct BoundingBox: Sendable, Hashable {
    public let west: Double
    public let south: Double
    /// Below `west` when the box crosses the date line.
    public let east: Double
    public let north: Double

    /// The longitudes of the box: one range, two when it crosses the date line. The last one is the date line itself
    /// under its other name, 180 or −180, if the box touches it.
    private let longitudes: [ClosedRange<Double>]

    /// Nil when an edge is no latitude or longitude, or the southern edge is north of the northern one.
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

    public func contains(_ place: Coordinates) -> Bool {
        south <= place.latitude && place.latitude <= north && longitudes.contains { $0.contains(place.longitude) }
    }
}
