/// A location on the globe as a unit vector from the centre of the Earth.
///
/// The straight line between two such points, the chord, grows with their distance along the surface. So distances are
/// compared by the square of the chord, which takes no trigonometry, has full precision for neighbours and knows
/// neither poles nor a date line.
public struct SurfacePoint: Sendable, Hashable {
    /// The coordinates, in radii of the Earth.
    public let x, y, z: Double

    /// The mean radius of the Earth (IUGG) in metres. Distances are those on a sphere, at most 0.6 % off.
    public static let earthRadius = 6_371_008.8

    /// The largest distance between two points in metres.
    public static let longestDistance = Double.pi * earthRadius

    public init(_ place: Coordinates) {
        let (latitude, longitude) = (
            Trigonometry.sineAndCosine(degrees: place.latitude), Trigonometry.sineAndCosine(degrees: place.longitude)
        )
        x = latitude.cosine * longitude.cosine
        y = latitude.cosine * longitude.sine
        z = latitude.sine
    }

    private init(x: Double, y: Double, z: Double) {
        (self.x, self.y, self.z) = (x, y, z)
    }

    static prefix func - (point: SurfacePoint) -> SurfacePoint {
        SurfacePoint(x: -point.x, y: -point.y, z: -point.z)
    }

    /// The square of the straight line to another point, in radii of the Earth: 0 to 4.
    public func squaredChord(to other: SurfacePoint) -> Double {
        let (x, y, z) = (x - other.x, y - other.y, z - other.z)
        return x * x + y * y + z * z
    }

    /// The distance along the surface in metres between points with this square of the chord.
    public static func distance(squaredChord: Double) -> Double {
        2 * earthRadius * Trigonometry.arcsine(min(1, squaredChord.squareRoot() / 2))
    }

    /// The square of the chord between points at a distance in metres; 4 beyond the other side of the Earth.
    static func squaredChord(distance: Double) -> Double {
        guard distance < longestDistance else { return 4 }
        let half = Trigonometry.sineAndCosine(degrees: distance / (2 * earthRadius) * (180 / .pi)).sine
        return 4 * half * half
    }
}

extension Coordinates {
    /// The distance to another place in metres along a great circle; see `SurfacePoint.earthRadius`.
    public func distance(to other: Coordinates) -> Double {
        SurfacePoint.distance(squaredChord: SurfacePoint(self).squaredChord(to: SurfacePoint(other)))
    }

    public var isValid: Bool { -90...90 ~= latitude && -180...180 ~= longitude }
}

/// The places within a distance of another one.
public struct GeoCircle: Sendable, Hashable {
    public let center: Coordinates
    public let radius: Double

    private let point: SurfacePoint
    private let limit: Double

    /// The places at most `radius` metres from another one; beyond the largest distance on Earth, all places.
    public init(center: Coordinates, radius: Double) {
        (self.center, self.radius) = (center, radius)
        point = SurfacePoint(center)
        // The other side of the Earth must not be lost in the rounding of its chord.
        limit = radius < SurfacePoint.longestDistance ? SurfacePoint.squaredChord(distance: radius) : .infinity
    }

    public func contains(_ place: Coordinates) -> Bool { contains(SurfacePoint(place)) }

    package func contains(_ place: SurfacePoint) -> Bool { point.squaredChord(to: place) <= limit }
}
