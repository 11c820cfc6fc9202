/// A part of the globe.
public protocol GeoRegion: Sendable {
    func contains(_ place: Coordinates) -> Bool

    /// Whether the region contains all places of a cell, or none. It may be `.part` when that is hard to tell.
    func overlap(with cell: GeoCell) -> GeoOverlap
}

/// How much of a cell a region contains.
public enum GeoOverlap: Sendable {
    /// No place.
    case none
    /// Perhaps some places.
    case part
    /// All places.
    case whole
}

/// The places within a distance of another one.
public struct GeoCircle: GeoRegion, Hashable {
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

    /// Whether the circle includes all places.
    public var isEverywhere: Bool { limit == .infinity }

    /// Whether a place is within the distance.
    public func contains(_ place: Coordinates) -> Bool { point.squaredChord(to: SurfacePoint(place)) <= limit }

    /// Whether the circle contains all places of a cell, or none.
    public func overlap(with cell: GeoCell) -> GeoOverlap {
        if isEverywhere { return .whole }
        let chords = cell.squaredChords(from: point)
        if chords.lowerBound > limit { return .none }
        return chords.upperBound <= limit ? .whole : .part
    }
}

/// The places between two parallels and two meridians (RFC 7946, section 5).
public struct BoundingBox: GeoRegion, Hashable {
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

    /// Whether the box contains all places of a cell, or none.
    public func overlap(with cell: GeoCell) -> GeoOverlap {
        guard south <= cell.north, cell.south <= north else { return .none }
        let isBetween = south <= cell.south && cell.north <= north
        var overlap = GeoOverlap.none
        for range in longitudes where range.lowerBound <= cell.east && cell.west <= range.upperBound {
            if isBetween, range.lowerBound <= cell.west, cell.east <= range.upperBound { return .whole }
            overlap = .part
        }
        return overlap
    }
}
