import BTree

/// The slots of records in the order of their keys, in chunks of some hundred.
///
/// A search scans all of them, about one a nanosecond; keys with references would have to be counted as well.
struct SlotOrder<Key: Comparable & Sendable>: Sendable {
    /// Each chunk by a key that is at most its first, and above all keys before it.
    private var chunks = BTree<Key, [UInt32]>()

    private static var capacity: Int { 512 }

    /// An empty order.
    init() {}

    /// The slots from 0 in the order of their keys.
    init(sorted keys: [Key]) {
        let starts = stride(from: 0, to: keys.count, by: Self.capacity * 3 / 4)
        chunks = BTree(
            sorted: starts.lazy.map { start in
                (keys[start], (start..<min(start + Self.capacity * 3 / 4, keys.count)).map(UInt32.init))
            })
    }

    /// Calls a function with each slot, in order.
    func forEach(_ body: (UInt32) -> Void) {
        for (_, slots) in chunks { for slot in slots { body(slot) } }
    }

    /// The slot of a key.
    ///
    /// - Parameter keyOf: the key of a slot.
    func slot(of key: Key, keyOf: (UInt32) -> Key?) -> UInt32? {
        guard let (_, slots) = chunk(of: key) else { return nil }
        let place = Self.position(of: key, in: slots, keyOf)
        return place < slots.count && keyOf(slots[place]) == key ? slots[place] : nil
    }

    /// Inserts a slot by its key, which no other has.
    mutating func insert(_ slot: UInt32, _ key: Key, keyOf: (UInt32) -> Key?) {
        guard var (first, slots) = chunk(of: key) ?? chunks.first else {
            chunks.updateValue([slot], forKey: key)
            return
        }
        if key < first {
            chunks.removeValue(forKey: first)
            first = key
        }
        slots.insert(slot, at: Self.position(of: key, in: slots, keyOf))
        if slots.count > Self.capacity {
            let upper = Array(slots[(slots.count / 2)...])
            slots.removeLast(upper.count)
            if let middle = upper[0] == slot ? key : keyOf(upper[0]) { chunks.updateValue(upper, forKey: middle) }
        }
        chunks.updateValue(slots, forKey: first)
    }

    /// Removes the slot of a key, and returns it.
    mutating func remove(_ key: Key, keyOf: (UInt32) -> Key?) -> UInt32? {
        guard let slot = slot(of: key, keyOf: keyOf), case (let first, var slots)? = chunk(of: key) else { return nil }
        slots.remove(at: Self.position(of: key, in: slots, keyOf))
        if slots.isEmpty { chunks.removeValue(forKey: first) } else { chunks.updateValue(slots, forKey: first) }
        return slot
    }

    /// The chunk to which a key belongs; nil when it is below all.
    private func chunk(of key: Key) -> (Key, [UInt32])? {
        var place = chunks.rank(of: key)
        if place < chunks.count {
            let element = chunks.element(at: place)
            if element.key == key { return element }
        }
        place -= 1
        return place < 0 ? nil : chunks.element(at: place)
    }

    /// The index of the first slot whose key is not below one.
    private static func position(of key: Key, in slots: [UInt32], _ keyOf: (UInt32) -> Key?) -> Int {
        var (low, high) = (0, slots.count)
        while low < high {
            let middle = (low + high) >> 1
            if let found = keyOf(slots[middle]), found < key { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
