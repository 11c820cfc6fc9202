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

    /// One without a location is left out.
    mutating func insert(_ record: BusinessRecord) {
        guard let point = record.surfacePoint else { return }
        let neighbour = Neighbour(squaredChord: center.squaredChord(to: point), id: record.id)
        let key = BusinessKey.distance(squaredChord: neighbour.squaredChord, id: neighbour.id)
        if after.map({ $0 < key }) ?? true { heap.insert(neighbour) }
    }

    mutating func next(_ count: Int) -> [Int] { (0..<count).compactMap { _ in heap.popFirst()?.id } }

    mutating func skip(_ count: Int) {
        for _ in 0..<count { _ = heap.popFirst() }
    }

    var isEmpty: Bool { heap.first == nil }
}

/// A business at a distance; the nearest is the smallest, and equally near ones are in the order of their IDs. It has
/// no reference to the record, so that moving it in the heap counts none.
private struct Neighbour: Comparable, Sendable {
    /// The square of the chord; see `SurfacePoint`.
    let squaredChord: Double
    let id: Int

    static func < (left: Neighbour, right: Neighbour) -> Bool {
        left.squaredChord == right.squaredChord ? left.id < right.id : left.squaredChord < right.squaredChord
    }
}

/// A binary heap with the smallest element first (Williams, "Algorithm 232", CACM 7:6, 1964).
struct Heap<Element: Comparable & Sendable>: Sendable {
    /// Each element is at most as large as the two at twice its index plus one and plus two.
    private var elements: [Element] = []

    var first: Element? { elements.first }

    mutating func insert(_ element: Element) {
        var index = elements.count
        elements.append(element)
        while index > 0, element < elements[(index - 1) / 2] {
            elements[index] = elements[(index - 1) / 2]
            index = (index - 1) / 2
        }
        elements[index] = element
    }

    mutating func popFirst() -> Element? {
        guard let last = elements.popLast() else { return nil }
        guard let first = elements.first else { return last }
        var index = 0
        while true {
            var child = 2 * index + 1
            guard child < elements.count else { break }
            if child + 1 < elements.count, elements[child + 1] < elements[child] { child += 1 }
            guard elements[child] < last else { break }
            elements[index] = elements[child]
            index = child
        }
        elements[index] = last
        return first
    }
}
