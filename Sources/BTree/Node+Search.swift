extension Node {
    /// Where a key is among the entries, or belongs: the index of the first that is not below it.
    @inlinable
    static func position(of key: Key, in entries: ContiguousArray<Element>) -> Int {
        if let place = placeWithoutGaps(of: key, in: entries) { return place }
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) >> 1
            if entries[middle].key < key { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Where a key is among integers that follow one another without a gap, as numbers do that are given in turn: found
    /// by its distance from the first, which looks at two places of the leaf instead of six and more.
    @inlinable
    @inline(__always)
    static func placeWithoutGaps(of key: Key, in entries: ContiguousArray<Element>) -> Int? {
        // In a tree of integers the casts cost nothing, in any other all of this goes.
        guard Key.self == Int.self, let first = entries.first?.key as? Int, let number = key as? Int else { return nil }
        let place = number &- first
        return entries.indices.contains(place) && entries[place].key == key ? place : nil
    }

    /// The index of a child when the keys of all children are integers at about the same distance; nil when another
    /// child is the right one.
    @inlinable
    @inline(__always)
    static func indexAtEvenDistance(of key: Key, in children: ContiguousArray<Child>) -> Int? {
        guard Key.self == Int.self, children.count > 2, let first = children[1].key as? Int,
            let last = children[children.count &- 1].key as? Int, let key = key as? Int, first <= key
        else { return nil }
        if key >= last { return children.count &- 1 }
        let steps = (key &- first).multipliedReportingOverflow(by: children.count &- 2)
        guard !steps.overflow, last > first else { return nil }
        let index = 1 &+ steps.partialValue / (last &- first)
        guard index > 0, index < children.count &- 1, let low = children[index].key as? Int,
            let high = children[index &+ 1].key as? Int
        else { return nil }
        return low <= key && key < high ? index : nil
    }

    /// The index of the child whose subtree has the key, if any has.
    @inlinable
    static func index(of key: Key, in children: ContiguousArray<Child>) -> Int {
        if let index = indexAtEvenDistance(of: key, in: children) { return index }
        var low = 1
        var high = children.count
        while low < high {
            let middle = (low + high) >> 1
            if key < children[middle].key { high = middle } else { low = middle + 1 }
        }
        return low - 1
    }

    @inlinable
    func withValue<Result>(forKey key: Key, _ body: (borrowing Value) -> Result) -> Result? {
        switch self {
        case .leaf(let entries):
            let position = Self.position(of: key, in: entries)
            guard position < entries.count, entries[position].key == key else { return nil }
            return body(entries[position].value)
        case .inner(let children):
            return children[Self.index(of: key, in: children)].node.withValue(forKey: key, body)
        }
    }

    @inlinable
    func rank(of key: Key) -> Int {
        switch self {
        case .leaf(let entries):
            return Self.position(of: key, in: entries)
        case .inner(let children):
            let index = Self.index(of: key, in: children)
            var before = 0
            for left in 0..<index { before += children[left].count }
            return before + children[index].node.rank(of: key)
        }
    }

    /// The child that holds the element of a rank, and the element's rank within that child.
    @inlinable
    static func locate(_ rank: Int, in children: ContiguousArray<Child>) -> (index: Int, rank: Int) {
        var index = 0
        var rank = rank
        while rank >= children[index].count {
            rank -= children[index].count
            index += 1
        }
        return (index, rank)
    }

    @inlinable
    func element(at rank: Int) -> Element {
        switch self {
        case .leaf(let entries):
            return entries[rank]
        case .inner(let children):
            let place = Self.locate(rank, in: children)
            return children[place.index].node.element(at: place.rank)
        }
    }

    /// The leaf that holds the element of a rank, and the element's position there.
    @inlinable
    func leaf(at rank: Int) -> (entries: ContiguousArray<Element>, position: Int) {
        switch self {
        case .leaf(let entries):
            return (entries, rank)
        case .inner(let children):
            let place = Self.locate(rank, in: children)
            return children[place.index].node.leaf(at: place.rank)
        }
    }
}
