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

    /// Whether both numbers are in their ranges.
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
