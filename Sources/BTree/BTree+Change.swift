extension BTree {
    /// Sets the value of a key, whether or not the tree holds the key; returns the value it had.
    @inlinable
    @discardableResult
    public mutating func updateValue(_ value: Value, forKey key: Key) -> Value? {
        switch root.update(value, forKey: key, atEnd: true) {
        case .replaced(let old):
            return old
        case .inserted:
            size += 1
        case .split(let right):
            size += 1
            let left = Node.Child(key: key, count: size - right.count, node: root)
            root = .inner([left, right])
        }
        return nil
    }

    /// Takes a key out of the tree; returns the value it had, or nil where the tree did not hold it.
    @inlinable
    @discardableResult
    public mutating func removeValue(forKey key: Key) -> Value? {
        // Looked up first, so that a key that is not there copies no shared node.
        guard let old = self[key] else { return nil }
        root.remove(key)
        size -= 1
        if case .inner(let children) = root, children.count == 1 { root = children[0].node }
        return old
    }
}
