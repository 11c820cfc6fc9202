extension Node {
    @usableFromInline
    enum Update {
        /// The key existed, with this value.
        case replaced(Value)
        case inserted
        /// The node was full and moved its upper part to this new right neighbour.
        case split(Child)
    }

    /// Sets the value of a key; `atEnd` is true for the last node of its level in the whole tree.
    ///
    /// Never inlined: see `Node`.
    @inlinable
    @inline(never)
    mutating func update(_ value: Value, forKey key: Key, atEnd: Bool) -> Update {
        switch self {
        case .leaf(var entries):
            self = .empty
            defer { self = .leaf(entries) }
            return Self.update(value, forKey: key, in: &entries, atEnd: atEnd)
        case .inner(var children):
            self = .empty
            defer { self = .inner(children) }
            return Self.update(value, forKey: key, in: &children, atEnd: atEnd)
        }
    }

    @inlinable
    static func update(
        _ value: Value, forKey key: Key, in entries: inout ContiguousArray<Element>, atEnd: Bool
    ) -> Update {
        let position = position(of: key, in: entries)
        if position < entries.count, entries[position].key == key {
            let old = entries[position].value
            entries[position].value = value
            return .replaced(old)
        }
        guard entries.count == leafCapacity else {
            entries.insertSparingly((key, value), at: position)
            return .inserted
        }
        // Ascending keys leave full leaves behind.
        let middle = atEnd && position == leafCapacity ? leafCapacity : leafCapacity / 2
        return .split(.init(leaf: entries.split(at: middle, inserting: (key, value), at: position)))
    }

    @inlinable
    static func update(
        _ value: Value, forKey key: Key, in children: inout ContiguousArray<Child>, atEnd: Bool
    ) -> Update {
        let index = index(of: key, in: children)
        let isLast = atEnd && index == children.count - 1
        let update = children[index].node.update(value, forKey: key, atEnd: isLast)
        guard case .split(let right) = update else {
            if case .inserted = update { children[index].count += 1 }
            return update
        }
        children[index].count -= right.count - 1
        guard children.count == innerCapacity else {
            children.insertSparingly(right, at: index + 1)
            return .inserted
        }
        // The new node gets two children at the end too, so that each has a neighbour to merge with.
        let middle = isLast ? innerCapacity - 1 : innerCapacity / 2
        return .split(.init(inner: children.split(at: middle, inserting: right, at: index + 1)))
    }
}

extension ContiguousArray {
    /// Inserts an element, growing by an eighth at a time: an array's own doubling would leave a third of a large
    /// tree's memory unused.
    @inlinable
    mutating func insertSparingly(_ element: Element, at position: Int) {
        if count == capacity { reserveCapacity(count + count / 8 + 1) }
        insert(element, at: position)
    }

    @inlinable
    mutating func split(at middle: Int, inserting element: Element, at position: Int) -> Self {
        var upper = Self(self[middle...])
        if middle < count { self = Self(self[..<middle]) }
        if position < middle {
            insertSparingly(element, at: position)
        } else {
            upper.insertSparingly(element, at: position - middle)
        }
        return upper
    }
}

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
