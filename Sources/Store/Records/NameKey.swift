import Bytes
import SookeModel

/// The key of a record in a list by name: names in the collation of Postgres, then by ID.
package struct NameKey: Comparable, Sendable {
    let sortKey: [UInt8]
    let id: Int

    package init(name: String, id: Int) {
        sortKey = Collation.sortKey(name)
        self.id = id
    }

    init(sortKey: [UInt8], id: Int) {
        (self.sortKey, self.id) = (sortKey, id)
    }

    package static func < (left: NameKey, right: NameKey) -> Bool {
        let order = left.sortKey.bytewiseOrder(to: right.sortKey)
        return order == 0 ? left.id < right.id : order < 0
    }
}

struct CategoryKey: Comparable, Sendable {
    let category: Int
    let name: NameKey

    static func < (left: CategoryKey, right: CategoryKey) -> Bool {
        left.category == right.category ? left.name < right.name : left.category < right.category
    }

    /// A key below those of all businesses of a category, and above those of the category before it.
    static func start(of category: Int) -> CategoryKey {
        CategoryKey(category: category, name: NameKey(sortKey: [], id: .min))
    }
}

extension [UInt8] {
    /// Negative, zero or positive, as these are below, equal to or above the others.
    func bytewiseOrder(to other: [UInt8]) -> Int {
        withUnsafeBufferPointer { left in other.withUnsafeBufferPointer { left.bytewiseOrder(to: $0) } }
    }
}
