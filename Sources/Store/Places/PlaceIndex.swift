import BTree
import SookeModel

/// A spatial index of the listed businesses that have a location.
///
/// The tree is in the order of the codes of `GeoCell`. So the places of a cell are a range of it, which is counted by
/// ranks. A query begins with the world and divides each cell that lies partly in its region until few places are left
/// in it: counting those within a circle accesses only the ones near its edge, and no record.
struct PlaceIndex: Index {
    typealias Record = BusinessRecord

    /// A business at a place.
    struct Entry: Sendable {
        let place: Coordinates
        let record: BusinessRecord
    }

    struct Key: Comparable, Sendable {
        let code: UInt64
        let id: Int

        static func < (left: Key, right: Key) -> Bool {
            left.code == right.code ? left.id < right.id : left.code < right.code
        }
    }

    /// Fewer places are compared one by one: a cell costs as much as some of them.
    private static let leafCount = 32

    private(set) var tree = BTree<Key, Entry>()

    static var isForQueries: Bool { true }

    init() {}

    init(_ records: [BusinessRecord]) {
        tree = BTree(lastOf: records.compactMap(Self.element))
    }

    mutating func insert(_ record: BusinessRecord, among records: BTree<Int, BusinessRecord>) {
        if let (key, entry) = Self.element(record) { tree.updateValue(entry, forKey: key) }
    }

    mutating func remove(_ record: BusinessRecord, among records: BTree<Int, BusinessRecord>) {
        if let (key, _) = Self.element(record) { tree.removeValue(forKey: key) }
    }

    mutating func replace(
        _ old: BusinessRecord, with new: BusinessRecord, among records: BTree<Int, BusinessRecord>
    ) {
        let (before, after) = (Self.element(old), Self.element(new))
        if let before, before.0 != after?.0 { tree.removeValue(forKey: before.0) }
        if let after { tree.updateValue(after.1, forKey: after.0) }
    }

    private static func element(_ record: BusinessRecord) -> (Key, Entry)? {
        guard record.categoryID != nil, let place = record.place else { return nil }
        return (Key(code: GeoCell.code(of: place), id: record.id), Entry(place: place, record: record))
    }
}

extension BusinessRecord {
    /// The location; nil without one, or when an import gave one that is not on Earth.
    var place: Coordinates? { coordinates.flatMap { $0.isValid ? $0 : nil } }
}

/// Queries.
extension PlaceIndex {
    /// The number of businesses.
    var count: Int { tree.count }

    /// The number of businesses in a region.
    func count(in region: some GeoRegion) -> Int {
        var count = 0
        visit(.world(tree.count), region) { ranks, isWhole in
            if isWhole {
                count += ranks.count
            } else {
                for (_, entry) in elements(ranks) where region.contains(entry.place) { count += 1 }
            }
        }
        return count
    }

    /// Calls a function with each business in a region, in no particular order.
    func forEach(in region: some GeoRegion, _ body: (Entry) -> Void) {
        visit(.world(tree.count), region) { ranks, isWhole in
            for (_, entry) in elements(ranks) where isWhole || region.contains(entry.place) { body(entry) }
        }
    }

    /// The businesses in a region that are nearest to a point, the nearest first; equally near ones by ID.
    ///
    /// - Parameter isIncluded: whether a business counts.
    func nearest(
        _ limit: Int, to point: SurfacePoint, in region: some GeoRegion,
        where isIncluded: (Neighbour) -> Bool = { _ in true }
    ) -> [Neighbour] {
        var cells = Heap<Candidate>()
        var found = Smallest<Neighbour>(limit)
        cells.insert(Candidate(cell: .world(tree.count), distance: 0))
        while let next = cells.popFirst() {
            if let bound = found.bound, next.distance > bound.squaredChord { break }
            let (cell, isWhole) = (next.cell, next.isWhole)
            guard cell.ranks.count > Self.leafCount, cell.area.isDivisible else {
                for (_, entry) in elements(cell.ranks) where isWhole || region.contains(entry.place) {
                    let distance = point.squaredChord(to: SurfacePoint(entry.place))
                    let neighbour = Neighbour(squaredChord: distance, record: entry.record)
                    if isIncluded(neighbour) { found.insert(neighbour) }
                }
                continue
            }
            forEachQuarter(of: cell) { quarter in
                let overlap = isWhole ? .whole : region.overlap(with: quarter.area)
                guard overlap != .none else { return }
                let distance = quarter.area.squaredChords(from: point).lowerBound
                cells.insert(Candidate(cell: quarter, distance: distance, isWhole: overlap == .whole))
            }
        }
        return found.sorted()
    }

    private struct Candidate: Comparable {
        let cell: Cell
        /// At most the square of the chord to a place in the cell.
        let distance: Double
        /// Whether the region contains the whole cell.
        var isWhole = false

        static func < (left: Candidate, right: Candidate) -> Bool { left.distance < right.distance }
        static func == (left: Candidate, right: Candidate) -> Bool { left.distance == right.distance }
    }
}

/// A business at a distance.
struct Neighbour: Comparable, Sendable {
    /// The square of the chord; see `SurfacePoint`.
    let squaredChord: Double
    let record: BusinessRecord

    static func < (left: Neighbour, right: Neighbour) -> Bool {
        left.squaredChord == right.squaredChord
            ? left.record.id < right.record.id : left.squaredChord < right.squaredChord
    }

    static func == (left: Neighbour, right: Neighbour) -> Bool {
        left.squaredChord == right.squaredChord && left.record.id == right.record.id
    }
}

/// Cells with their places.
extension PlaceIndex {
    fileprivate struct Cell {
        let area: GeoCell
        let ranks: Range<Int>

        static func world(_ count: Int) -> Cell { Cell(area: .world, ranks: 0..<count) }
    }

    private func elements(_ ranks: Range<Int>) -> BTree<Key, Entry>.Elements {
        tree.elements(at: ranks.lowerBound).prefix(ranks.count)
    }

    /// Calls a function with the ranks of cells that together contain all places of a region, and whether it contains
    /// all of theirs.
    private func visit(
        _ cell: Cell, _ region: some GeoRegion, _ body: (_ ranks: Range<Int>, _ isWhole: Bool) -> Void
    ) {
        let overlap = region.overlap(with: cell.area)
        guard overlap != .none, !cell.ranks.isEmpty else { return }
        guard overlap == .part, cell.ranks.count > Self.leafCount, cell.area.isDivisible else {
            return body(cell.ranks, overlap == .whole)
        }
        forEachQuarter(of: cell) { visit($0, region, body) }
    }

    /// Calls a function with the quarters of a cell that are not empty.
    private func forEachQuarter(of cell: Cell, _ body: (Cell) -> Void) {
        var start = cell.ranks.lowerBound
        for index in 0..<4 where start < cell.ranks.upperBound {
            let area = cell.area.quarter(index)
            let end =
                index == 3
                ? cell.ranks.upperBound
                : tree.rank(of: Key(code: cell.area.quarter(index + 1).code, id: .min))
            if start < end { body(Cell(area: area, ranks: start..<end)) }
            start = end
        }
    }
}
