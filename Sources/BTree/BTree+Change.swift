extension BTree {
    /// Sets the value of a key, which may be new; returns the previous value.
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

    /// Removes a key; returns its value, or nil when the tree does not contain it.
    @inlinable
    @discardableResult
    public mutating func removeValue(forKey key: Key) -> Value? {
        // Looked up first, so that an absent key copies no shared node.
        guard let old = self[key] else { return nil }
        root.remove(key)
        size -= 1
        if case .inner(let children) = root, children.count == 1 { root = children[0].node }
        return old
    }
}
