import CSystem

extension RadixTree where Value: AnyObject {
    /// Calls a function with the values at some numbers, in their order; a number without a value is left out.
    ///
    /// In a large tree each look-up waits for memory twice: for the place in the leaf, and for the object. Here the
    /// look-ups go on together, so that the waits overlap (Chen and others, "Improving hash join performance through
    /// prefetching", ACM Transactions on Database Systems 32:3, 2007).
    @inlinable
    public func forEachValue(at numbers: [Int], _ body: (consuming Value) -> Void) {
        if count > Self.fitsIntoCaches {
            for number in numbers { prefetch(UInt(bitPattern: number), object: false) }
            for number in numbers { prefetch(UInt(bitPattern: number), object: true) }
        }
        for number in numbers {
            if let value = self[number] { body(value) }
        }
    }

    /// So many objects of a kilobyte are in the processor's caches anyway.
    @inlinable static var fitsIntoCaches: Int { 4096 }

    @inlinable
    func prefetch(_ number: UInt, object: Bool) {
        if reaches(number) { root.prefetch(number, shift, object: object) }
    }
}

extension RadixNode where Value: AnyObject {
    /// Has the processor fetch the place of a number in its leaf, or the first lines of the object there.
    @inlinable
    func prefetch(_ number: UInt, _ shift: Int, object: Bool) {
        guard case .inner(let children) = self else { return }
        let slot = Self.slot(of: number, shift)
        guard slot < children.count else { return }
        if shift > Self.digit {
            children[slot].prefetch(number, shift - Self.digit, object: object)
        } else if case .leaf(let values) = children[slot] {
            if object { Self.prefetchObject(number, values) } else { Self.prefetchPlace(number, values) }
        }
    }

    /// Nothing of the leaf is read here but by the processor, which takes any address: were the layout of an array
    /// another, this would be of no use, and do no harm.
    @inlinable
    @inline(__always)
    static func prefetchPlace(_ number: UInt, _ values: ContiguousArray<Value?>) {
        guard let leaf = UnsafeRawPointer(bitPattern: unsafeBitCast(values, to: UInt.self)) else { return }
        sooke_prefetch(leaf, 1)
        sooke_prefetch(leaf + 32 + slot(of: number, 0) * MemoryLayout<Value?>.stride, 1)
    }

    /// Objects begin at multiples of 16 bytes, not of lines: the first hundred bytes may lie in three.
    @inlinable static var linesOfObject: Int32 { 3 }

    @inlinable
    @inline(__always)
    static func prefetchObject(_ number: UInt, _ values: ContiguousArray<Value?>) {
        let slot = slot(of: number, 0)
        guard slot < values.count,
            let object = UnsafeRawPointer(bitPattern: unsafeBitCast(values[slot], to: UInt.self))
        else { return }
        sooke_prefetch(object, linesOfObject)
    }
}
