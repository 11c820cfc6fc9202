/// A set of IDs of one table: the businesses that match a filter.
///
/// IDs are assigned in ascending order, so the set is an array of bits: 12 kB for 100,000 businesses, and an
/// intersection takes a microsecond. An import may bring large IDs with gaps between them; then it is a hash table.
public struct IDSet: Sendable {
    private enum Storage {
        case bits([UInt64])
        case hashed(Set<Int>)
    }

    private var storage: Storage

    /// No IDs.
    ///
    /// - Parameters:
    ///   - largest: the largest ID in the table.
    ///   - count: the number of records in the table.
    init(upTo largest: Int, of count: Int) {
        let isDense = largest <= 4096 + 64 * count
        storage = isDense ? .bits(Array(repeating: 0, count: max(0, largest) / 64 + 1)) : .hashed([])
    }

    /// The number of IDs.
    var count: Int {
        switch storage {
        case .bits(let words): words.reduce(0) { $0 + $1.nonzeroBitCount }
        case .hashed(let ids): ids.count
        }
    }

    /// Whether the set contains an ID.
    func contains(_ id: Int) -> Bool {
        switch storage {
        case .bits(let words): id >= 0 && id >> 6 < words.count && words[id >> 6] & 1 << UInt64(id & 63) != 0
        case .hashed(let ids): ids.contains(id)
        }
    }

    /// Inserts IDs of records in the table.
    mutating func insert(_ given: some Sequence<Int>) {
        switch storage {
        case .bits(var words):
            // Only one reference may remain, or the first change would copy the array.
            storage = .hashed([])
            for id in given { words[id >> 6] |= 1 << UInt64(id & 63) }
            storage = .bits(words)
        case .hashed(var ids):
            storage = .hashed([])
            ids.formUnion(given)
            storage = .hashed(ids)
        }
    }

    /// Removes the IDs that another set of the same table does not contain.
    mutating func formIntersection(_ other: IDSet) {
        switch (storage, other.storage) {
        case (.bits(var words), .bits(let others)):
            storage = .hashed([])
            for index in words.indices { words[index] &= others[index] }
            storage = .bits(words)
        case (.hashed(let ids), .hashed(let others)): storage = .hashed(ids.intersection(others))
        default: preconditionFailure("sets of different tables")
        }
    }

    /// The IDs in ascending order.
    var sorted: [Int] {
        switch storage {
        case .bits(let words):
            var ids: [Int] = []
            for (index, word) in words.enumerated() {
                var rest = word
                while rest != 0 {
                    ids.append(index << 6 | rest.trailingZeroBitCount)
                    rest &= rest - 1
                }
            }
            return ids
        case .hashed(let ids): return ids.sorted()
        }
    }
}
