import CSystem

extension BTree where Value: AnyObject {
    /// The values of some keys, in their order; a key that the tree does not hold is left out.
    ///
    /// In a large tree each look-up waits for memory three times: for the leaf, for the entry in it, for the object. Here
    /// the look-ups go on together, so that the waits overlap (Chen and others, "Improving hash join performance
    /// through prefetching", ACM Transactions on Database Systems 32:3, 2007).
    @inlinable
    public func values(forKeys keys: [Key]) -> [Value] {
        if count > Self.fitsIntoCaches {
            for key in keys { root.prefetchLeaf(of: key) }
            for key in keys { root.prefetchObject(of: key) }
        }
        var values: [Value] = []
        values.reserveCapacity(keys.count)
        for key in keys {
            if let value = self[key] { values.append(value) }
        }
        return values
    }

    /// So many objects of a kilobyte are in the processor's caches anyway.
    @inlinable static var fitsIntoCaches: Int { 4096 }
}

extension Node {
    /// Where an array keeps its count and its elements. Nothing is read there but by the processor, which takes any
    /// address: were the layout another, this would be of no use, and do no harm.
    @inlinable
    @inline(__always)
    static func address(of array: ContiguousArray<some Any>) -> UnsafeRawPointer? {
        UnsafeRawPointer(bitPattern: unsafeBitCast(array, to: UInt.self))
    }

    /// Has the leaf fetched that holds a key, and the line in it where the key is among numbers without a gap.
    @inlinable
    func prefetchLeaf(of key: Key) {
        guard case .inner(let children) = self else { return }
        let index = Self.index(of: key, in: children)
        switch children[index].node {
        case .inner: children[index].node.prefetchLeaf(of: key)
        case .leaf(let entries):
            guard let address = Self.address(of: entries) else { return }
            sooke_prefetch(address)
            if Key.self == Int.self, let first = children[index].key as? Int, let number = key as? Int {
                sooke_prefetch(address + 32 + (number &- first) &* MemoryLayout<Element>.stride)
            }
        }
    }

    /// Has the first lines of the object fetched that a key stands for.
    @inlinable
    func prefetchObject(of key: Key) where Value: AnyObject {
        switch self {
        case .leaf(let entries):
            let position = Self.position(of: key, in: entries)
            guard position < entries.count,
                let address = UnsafeRawPointer(bitPattern: unsafeBitCast(entries[position].value, to: UInt.self))
            else { return }
            for line in 0..<2 { sooke_prefetch(address + line * 64) }
        case .inner(let children):
            children[Self.index(of: key, in: children)].node.prefetchObject(of: key)
        }
    }
}
