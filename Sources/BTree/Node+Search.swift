extension Node {
    /// The index of a key among the entries, or its insertion point: the index of the first that is not below it.
    @inlinable
    static func position(of key: Key, in entries: ContiguousArray<Element>) -> Int {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) >> 1
            if entries[middle].key < key { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The index of the child whose subtree may contain the key, if any.
    @inlinable
    static func index(of key: Key, in children: ContiguousArray<Child>) -> Int {
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

    /// The child with the element of a rank, and the element's rank within that child.
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

    /// The leaf with the element of a rank, and the element's position there.
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
