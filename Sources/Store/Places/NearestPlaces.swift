import SookeModel

/// A business at a distance; the nearest is the smallest, and equally near ones are in the order of their IDs.
struct Neighbour: Comparable, Sendable {
    /// The square of the chord; see `SurfacePoint`.
    let squaredChord: Double
    let id: Int

    static func < (left: Neighbour, right: Neighbour) -> Bool {
        left.squaredChord == right.squaredChord ? left.id < right.id : left.squaredChord < right.squaredChord
    }
}

/// Businesses by their distance, found one by one.
protocol BoundedPlaces: Sendable {
    /// The next business; nil at the end, or when there are no visits left.
    ///
    /// - Parameter visits: how many places and areas may be looked at.
    mutating func next(_ visits: inout Int) -> Neighbour?
}

/// The businesses in a region from the nearest to the farthest, found one by one (Hjaltason and Samet, "Distance
/// Browsing in Spatial Databases", ACM TODS 24:2, 1999).
struct NearestPlaces<Region: GeoRegion>: BoundedPlaces, IteratorProtocol {
    private let index: PlaceIndex
    private let point: SurfacePoint
    private let region: Region
    private let isIncluded: @Sendable (Neighbour) -> Bool
    private var cells = Heap<Candidate>()
    /// The places of the cells that were divided to the end.
    private var places = Heap<Neighbour>()

    /// - Parameter isIncluded: whether a business counts.
    init(
        _ index: PlaceIndex, from point: SurfacePoint, in region: Region,
        where isIncluded: @escaping @Sendable (Neighbour) -> Bool = { _ in true }
    ) {
        (self.index, self.point, self.region, self.isIncluded) = (index, point, region, isIncluded)
        cells.insert(Candidate(cell: .world(index.count), squaredChord: 0, isWhole: false))
    }

    mutating func next() -> Neighbour? {
        var visits = Int.max
        return next(&visits)
    }

    mutating func next(_ visits: inout Int) -> Neighbour? {
        while let cell = cells.first, cell.squaredChord <= places.first?.squaredChord ?? .infinity {
            guard visits > 0 else { return nil }
            visits -= 1
            visit(cell, &visits)
        }
        visits -= 1
        return places.popFirst()
    }

    /// Divides the nearest cell.
    private mutating func visit(_ candidate: Candidate, _ visits: inout Int) {
        _ = cells.popFirst()
        let (cell, isWhole) = (candidate.cell, candidate.isWhole)
        guard cell.isDivisible else {
            visits -= cell.ranks.count
            for (key, place) in index.elements(cell.ranks) where isWhole || region.contains(place) {
                let neighbour = Neighbour(squaredChord: point.squaredChord(to: SurfacePoint(place)), id: key.id)
                if isIncluded(neighbour) { places.insert(neighbour) }
            }
            return
        }
        index.forEachQuarter(of: cell) { quarter in
            let overlap = isWhole ? .whole : region.overlap(with: quarter.area)
            guard overlap != .none else { return }
            let nearest = quarter.area.squaredChords(from: point).lowerBound
            cells.insert(Candidate(cell: quarter, squaredChord: nearest, isWhole: overlap == .whole))
        }
    }

    private struct Candidate: Comparable, Sendable {
        let cell: PlaceIndex.Cell
        /// At most the square of the chord to a place in the cell.
        let squaredChord: Double
        /// Whether the region contains the whole cell.
        let isWhole: Bool

        static func < (left: Candidate, right: Candidate) -> Bool { left.squaredChord < right.squaredChord }
        static func == (left: Candidate, right: Candidate) -> Bool { left.squaredChord == right.squaredChord }
    }
}

/// A binary heap with the smallest element first (Williams, "Algorithm 232", CACM 7:6, 1964).
struct Heap<Element: Comparable & Sendable>: Sendable {
    /// Each element is at most as large as the two at twice its index plus one and plus two.
    private var elements: [Element] = []

    /// The smallest element.
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

    /// Removes the smallest element and returns it.
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
