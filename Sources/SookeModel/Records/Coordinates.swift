/// A location in degrees (WGS 84).
public struct Coordinates: Sendable, Hashable {
    /// Degrees north of the equator, −90 to 90.
    public let latitude: Double
    /// Degrees east of Greenwich, −180 to 180.
    public let longitude: Double

    /// A location; nil if one of the two numbers is missing.
    @inlinable public init?(latitude: Double?, longitude: Double?) {
        guard let latitude, let longitude else { return nil }
        (self.latitude, self.longitude) = (latitude, longitude)
    }
}
