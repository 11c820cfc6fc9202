extension Node {
    /// Removes a key of the node. May leave the node underfull, an inner one even with a single child: its parent
    /// repairs that.
    ///
    /// Never inlined: see `Node`.
    @inlinable
    @inline(never)
    mutating func remove(_ key: Key) {
        switch self {
        case .leaf(var entries):
            self = .empty
            entries.remove(at: Self.position(of: key, in: entries))
            self = .leaf(entries)
        case .inner(var children):
            self = .empty
            let index = Self.index(of: key, in: children)
            children[index].node.remove(key)
            children[index].count -= 1
            if children[index].node.isUnderfull { Self.refill(index, of: &children) }
            self = .inner(children)
        }
    }

    /// Merges a child with a neighbour, or distributes their contents evenly when one node cannot hold both.
    @inlinable
    static func refill(_ index: Int, of children: inout ContiguousArray<Child>) {
        let left = max(index - 1, 0)
        var refilled: ContiguousArray<Child>
        switch (children[left].node, children[left + 1].node) {
        case (.leaf(let lower), .leaf(let upper)):
            refilled = lower.evened(with: upper, capacity: leafCapacity, Child.init(leaf:))
        case (.inner(let lower), .inner(let upper)):
            refilled = lower.evened(with: upper, capacity: innerCapacity, Child.init(inner:))
        default:
            preconditionFailure("neighbours of unequal height")
        }
        // Not the first key of its new contents: keys between the two belong here as well.
        refilled[0].key = children[left].key
        children.replaceSubrange(left...left + 1, with: refilled)
    }
}

extension ContiguousArray {
    /// The result of `transform` for this array and the next as one, or for two halves if one would exceed the
    /// capacity.
    @inlinable
    func evened<T>(with upper: Self, capacity limit: Int, _ transform: (Self) -> T) -> ContiguousArray<T> {
        var both = Self()
        both.reserveCapacity(count + upper.count)
        both.append(contentsOf: self)
        both.append(contentsOf: upper)
        guard both.count > limit else { return [transform(both)] }
        let middle = both.count / 2
        return [transform(Self(both[..<middle])), transform(Self(both[middle...]))]
    }
}
