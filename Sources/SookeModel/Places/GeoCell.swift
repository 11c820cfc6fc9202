/// A part of the globe between two parallels and two meridians, for indexes: the world divided into four `depth` times.
///
/// Cells are numbered along a Z-order curve (Morton 1966): the code of a place interleaves the bits of its latitude and
/// longitude, so that the places of a cell are neighbours in the order of their codes.
public struct GeoCell: Sendable {
    /// The lowest code of a place in the cell.
    public let code: UInt64
    /// How often the world was divided, 0 to 32.
    public let depth: Int

    /// The edges in degrees, moved outwards by some micrometres, because the code of a place is rounded.
    let west, south, east, north: Double

    public static let world = GeoCell(code: 0, depth: 0)

    private static let margin = 1e-10

    private init(code: UInt64, depth: Int) {
        (self.code, self.depth) = (code, depth)
        let size = Double(UInt64(1) << (32 - depth))
        let (latitude, longitude) = (Double(Self.evenBits(of: code >> 1)), Double(Self.evenBits(of: code)))
        south = latitude * Self.latitudeStep - 90 - Self.margin
        north = (latitude + size) * Self.latitudeStep - 90 + Self.margin
        west = longitude * Self.longitudeStep - 180 - Self.margin
        east = (longitude + size) * Self.longitudeStep - 180 + Self.margin
    }

    /// Whether the cell can be divided.
    public var isDivisible: Bool { depth < 32 }

    /// A quarter of a divisible cell, 0 to 3 in the order of codes.
    public func quarter(_ index: Int) -> GeoCell {
        GeoCell(code: code + UInt64(index) << UInt64(62 - 2 * depth), depth: depth + 1)
    }
}

/// Codes of places.
extension GeoCell {
    /// The code of a place: a square of about a centimetre.
    public static func code(of place: Coordinates) -> UInt64 {
        let latitude = step((place.latitude + 90) / latitudeStep)
        let longitude = step((place.longitude + 180) / longitudeStep)
        return spread(latitude) << 1 | spread(longitude)
    }

    private static let latitudeStep = 180 / 0x1p32
    private static let longitudeStep = 360 / 0x1p32

    /// The northern and the eastern edge of the world belong to the last step.
    private static func step(_ steps: Double) -> UInt64 { UInt64(UInt32(clamping: Int(clamping: steps))) }

    /// Moves the bits of a number of 32 bits to the even places.
    private static func spread(_ number: UInt64) -> UInt64 {
        var bits = number
        bits = (bits | bits << 16) & 0x0000_FFFF_0000_FFFF
        bits = (bits | bits << 8) & 0x00FF_00FF_00FF_00FF
        bits = (bits | bits << 4) & 0x0F0F_0F0F_0F0F_0F0F
        bits = (bits | bits << 2) & 0x3333_3333_3333_3333
        return (bits | bits << 1) & 0x5555_5555_5555_5555
    }

    /// The inverse of `spread`; ignores the odd places.
    private static func evenBits(of code: UInt64) -> UInt64 {
        var bits = code & 0x5555_5555_5555_5555
        bits = (bits | bits >> 1) & 0x3333_3333_3333_3333
        bits = (bits | bits >> 2) & 0x0F0F_0F0F_0F0F_0F0F
        bits = (bits | bits >> 4) & 0x00FF_00FF_00FF_00FF
        bits = (bits | bits >> 8) & 0x0000_FFFF_0000_FFFF
        return (bits | bits >> 16) & 0xFFFF_FFFF
    }
}

/// Distances.
extension GeoCell {
    /// Bounds of the squares of the chords from a point to the places in the cell; see `SurfacePoint`.
    public func squaredChords(from point: SurfacePoint) -> ClosedRange<Double> {
        if depth == 0 { return 0...4 }
        let edges = Edges(self)
        // The farthest place is the one nearest to the other side of the Earth.
        let (nearest, farthest) = (
            2 - 2 * edges.largestProduct(with: point), 2 + 2 * edges.largestProduct(with: -point)
        )
        return max(0, nearest - Self.rounding)...max(0, farthest + Self.rounding)
    }

    /// More than the error of a scalar product. It corresponds to a distance of less than a metre.
    private static let rounding = 1e-14

    private struct Edges {
        let west, south, east, north: (sine: Double, cosine: Double)

        init(_ cell: GeoCell) {
            west = Trigonometry.sineAndCosine(degrees: cell.west)
            south = Trigonometry.sineAndCosine(degrees: cell.south)
            east = Trigonometry.sineAndCosine(degrees: cell.east)
            north = Trigonometry.sineAndCosine(degrees: cell.north)
        }

        /// The largest scalar product of a point with the places between the edges: the cosine of the smallest angle.
        func largestProduct(with point: SurfacePoint) -> Double {
            let isBetween =
                west.cosine * point.y - west.sine * point.x >= 0 && east.sine * point.x - east.cosine * point.y >= 0
            // Along the meridian of the cell that is nearest to the point, the product is this times the cosine of the
            // latitude, and z times its sine.
            let equatorial =
                isBetween
                ? (point.x * point.x + point.y * point.y).squareRoot()
                : max(west.cosine * point.x + west.sine * point.y, east.cosine * point.x + east.sine * point.y)
            let risesInSouth = point.z * south.cosine - equatorial * south.sine > 0
            let fallsInNorth = point.z * north.cosine - equatorial * north.sine < 0
            if risesInSouth, fallsInNorth { return (point.z * point.z + equatorial * equatorial).squareRoot() }
            return max(
                point.z * south.sine + equatorial * south.cosine, point.z * north.sine + equatorial * north.cosine)
        }
    }
}
