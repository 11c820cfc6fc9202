/// The places within a distance of another one.
public struct GeoCircle: Sendable, Hashable {
    /// The place in the middle.
    public let center: Coordinates
    /// The distance in metres.
    public let radius: Double

    private let point: SurfacePoint
    private let limit: Double

    /// The places at most `radius` metres from another one. The largest distance on Earth, or more, includes all places.
    public init(center: Coordinates, radius: Double) {
        (self.center, self.radius) = (center, radius)
        point = SurfacePoint(center)
        // The other side of the Earth must not be lost in the rounding of its chord.
        limit = radius < SurfacePoint.longestDistance ? SurfacePoint.squaredChord(distance: radius) : .infinity
    }

    /// Whether a place is within the distance.
    public func contains(_ place: Coordinates) -> Bool { contains(SurfacePoint(place)) }

    package func contains(_ place: SurfacePoint) -> Bool { point.squaredChord(to: place) <= limit }
}
