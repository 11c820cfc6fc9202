import BTree
import SookeModel

/// A spatial index of the listed businesses that have a location.
///
/// The tree is in the order of the codes of `GeoCell`. So the places of a cell are a range of it, which is counted by
/// ranks. A query begins with the world and divides each cell that lies partly in its region until few places are left
/// in it: counting those within a circle accesses only the ones near its edge, and no record.
struct PlaceIndex: Index {
    typealias Record = BusinessRecord

    struct Key: Comparable, Sendable {
        let code: UInt64
        let id: Int

        static func < (left: Key, right: Key) -> Bool {
            left.code == right.code ? left.id < right.id : left.code < right.code
        }
    }

    /// So few places are compared one by one: a cell costs as much as some of them.
    private static let leafCount = 32

    private(set) var tree = BTree<Key, Coordinates>()

    static var isForQueries: Bool { true }

    init() {}

    init(_ records: [BusinessRecord]) {
        tree = BTree(lastOf: records.compactMap(Self.element))
    }

    mutating func insert(_ record: BusinessRecord, among records: BTree<Int, BusinessRecord>) {
        if let (key, place) = Self.element(record) { tree.updateValue(place, forKey: key) }
    }

    mutating func remove(_ record: BusinessRecord, among records: BTree<Int, BusinessRecord>) {
        if let (key, _) = Self.element(record) { tree.removeValue(forKey: key) }
    }

    mutating func replace(
        _ old: BusinessRecord, with new: BusinessRecord, among records: BTree<Int, BusinessRecord>
    ) {
        guard (old.categoryID == nil) != (new.categoryID == nil) || old.place != new.place else { return }
        remove(old, among: records)
        insert(new, among: records)
    }

    private static func element(_ record: BusinessRecord) -> (Key, Coordinates)? {
        guard record.categoryID != nil, let place = record.place else { return nil }
        return (Key(code: GeoCell.code(of: place), id: record.id), place)
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
    ///
    /// - Parameter ids: only businesses with these IDs count; nil for all.
    func count(in region: some GeoRegion, among ids: IDSet? = nil) -> Int {
        var count = 0
        visit(.world(tree.count), region) { ranks, isWhole in
            let elements = elements(ranks)
            if !isWhole {
                for (key, place) in elements where ids?.contains(key.id) ?? true && region.contains(place) {
                    count += 1
                }
            } else if let ids {
                for id in elements.mapKeys(\.id) where ids.contains(id) { count += 1 }
            } else {
                count += ranks.count
            }
        }
        return count
    }

    /// Calls a function with the IDs of some of the businesses in a region until it has had all, in no particular order.
    func forEach(in region: some GeoRegion, _ body: ([Int]) -> Void) {
        visit(.world(tree.count), region) { ranks, isWhole in
            let elements = elements(ranks)
            body(isWhole ? elements.mapKeys(\.id) : elements.filter { region.contains($0.value) }.map(\.key.id))
        }
    }
}

/// Cells with their places.
extension PlaceIndex {
    /// A cell with the ranks of its places.
    struct Cell: Sendable {
        let area: GeoCell
        let ranks: Range<Int>

        static func world(_ count: Int) -> Cell { Cell(area: .world, ranks: 0..<count) }

        /// Whether it is worth dividing.
        var isDivisible: Bool { ranks.count > leafCount && area.isDivisible }
    }

    /// The places with some ranks.
    func elements(_ ranks: Range<Int>) -> BTree<Key, Coordinates>.Elements {
        tree.elements.part(ranks)
    }

    /// Calls a function with the ranks of cells that together contain all places of a region, and whether it contains
    /// all of theirs.
    private func visit(
        _ cell: Cell, _ region: some GeoRegion, _ body: (_ ranks: Range<Int>, _ isWhole: Bool) -> Void
    ) {
        let overlap = region.overlap(with: cell.area)
        guard overlap != .none, !cell.ranks.isEmpty else { return }
        guard overlap == .part, cell.isDivisible else {
            return body(cell.ranks, overlap == .whole)
        }
        forEachQuarter(of: cell) { visit($0, region, body) }
    }

    /// Calls a function with the quarters of a cell that are not empty.
    func forEachQuarter(of cell: Cell, _ body: (Cell) -> Void) {
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
