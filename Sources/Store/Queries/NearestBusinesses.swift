import SookeModel

/// Businesses from the nearest to the farthest.
struct NearestBusinesses: Sendable {
    private let center: SurfacePoint
    private let after: BusinessKey?
    private var heap = Heap<Neighbour>()

    /// - Parameter after: only businesses after this key of their distance are returned.
    init(to center: Coordinates, after: BusinessKey? = nil) {
        (self.center, self.after) = (SurfacePoint(center), after)
    }

    /// Inserts a business; one without a location is left out.
    mutating func insert(_ record: BusinessRecord) {
        guard let neighbour = Neighbour(record, from: center), after.map({ $0 < neighbour.key }) ?? true else { return }
        heap.insert(neighbour)
    }

    /// The next businesses.
    mutating func next(_ count: Int) -> [BusinessRecord] { (0..<count).compactMap { _ in heap.popFirst()?.record } }

    var isEmpty: Bool { heap.first == nil }
}

/// A business at a distance; the nearest is the smallest, and equally near ones are in the order of their IDs.
private struct Neighbour: Comparable, Sendable {
    /// The square of the chord; see `SurfacePoint`.
    let squaredChord: Double
    let record: BusinessRecord

    init?(_ record: BusinessRecord, from center: SurfacePoint) {
        guard let point = record.surfacePoint else { return nil }
        (squaredChord, self.record) = (center.squaredChord(to: point), record)
    }

    /// Its place in a list by distance.
    var key: BusinessKey { .distance(squaredChord: squaredChord, id: record.id) }

    static func < (left: Neighbour, right: Neighbour) -> Bool { left.key < right.key }
    static func == (left: Neighbour, right: Neighbour) -> Bool { left.key == right.key }
}
