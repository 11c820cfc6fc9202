/// A part of the globe.
public protocol GeoRegion: Sendable {
    /// Whether a place is in the region.
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
