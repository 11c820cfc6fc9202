extension BTree {
    /// A run of a tree's elements, forwards or backwards: a sequence that can be iterated any number of times.
    ///
    /// It retains its own version of the tree, so the tree may change during iteration. Everything but the iteration
    /// itself costs O(1).
    public struct Elements: Sequence, Sendable {
        @usableFromInline let root: Node<Key, Value>
        /// Ranks, the same in either direction.
        @usableFromInline var ranks: Range<Int>
        @usableFromInline var isReversed = false

        @inlinable
        init(_ tree: BTree, _ ranks: Range<Int>) {
            root = tree.root
            self.ranks = ranks
        }

        @inlinable
        public var count: Int { ranks.count }

        @inlinable
        public var isEmpty: Bool { ranks.isEmpty }

        @inlinable
        public var underestimatedCount: Int { ranks.count }

        @inlinable
        public func reversed() -> Self {
            var run = self
            run.isReversed.toggle()
            return run
        }

        /// The run without its first `k` elements; empty if it is shorter. A negative `k` traps.
        @inlinable
        public func dropFirst(_ k: Int = 1) -> Self {
            var run = self
            run.ranks = isReversed ? ranks.dropLast(k) : ranks.dropFirst(k)
            return run
        }

        /// The first `maxLength` elements of the run, or all of a shorter one. A negative length traps.
        @inlinable
        public func prefix(_ maxLength: Int) -> Self {
            var run = self
            run.ranks = isReversed ? ranks.suffix(maxLength) : ranks.prefix(maxLength)
            return run
        }

        /// The elements of the run in a range of places, as far as it has them; a negative place traps.
        @inlinable
        public func part(_ places: Range<Int>) -> Self { dropFirst(places.lowerBound).prefix(places.count) }

        /// The values alone. Keys are not accessed: in a large tree, the memory that they refer to is scattered.
        @inlinable
        public var values: [Value] {
            var values: [Value] = []
            values.reserveCapacity(count)
            forEachValue { values.append(copy $0) }
            return values
        }

        @inlinable
        public func forEachValue(_ body: (borrowing Value) -> Void) {
            var rest = ranks
            while !rest.isEmpty {
                let (leaf, place) = root.leaf(at: isReversed ? rest.upperBound - 1 : rest.lowerBound)
                let count = Swift.min(isReversed ? place + 1 : leaf.count - place, rest.count)
                rest = isReversed ? rest.dropLast(count) : rest.dropFirst(count)
                // Pointers to the values, because an element of an array or a span is copied with its key, which takes
                // half of the time of a scan.
                leaf.withUnsafeBufferPointer { entries in
                    guard let first = entries.baseAddress else { return }
                    for offset in 0..<count {
                        guard let value = (first + (isReversed ? place - offset : place + offset)).pointer(to: \.value)
                        else { return }
                        body(value.pointee)
                    }
                }
            }
        }

        @inlinable
        public func makeIterator() -> Iterator { Iterator(self) }
    }

    /// An iterator over elements of one version of a tree, independent of later changes.
    ///
    /// It retains one leaf at a time and finds the next from the root. That costs no more than a stack of parents: one
    /// descent per leaf, through nodes that the last descent has brought into the cache.
    public struct Iterator: IteratorProtocol, Sendable {
        @usableFromInline let root: Node<Key, Value>
        @usableFromInline let step: Int
        @usableFromInline var rank: Int
        @usableFromInline var remaining: Int
        @usableFromInline var leaf: ContiguousArray<Element> = []
        @usableFromInline var position = 0

        @inlinable
        init(_ elements: Elements) {
            root = elements.root
            step = elements.isReversed ? -1 : 1
            rank = elements.isReversed ? elements.ranks.upperBound - 1 : elements.ranks.lowerBound
            remaining = elements.ranks.count
        }

        @inlinable
        public mutating func next() -> Element? {
            guard remaining > 0 else { return nil }
            if position < 0 || position >= leaf.count { enterLeaf() }
            defer {
                position += step
                rank += step
                remaining -= 1
            }
            return leaf[position]
        }

        /// Never inlined, for the reason given at `Node`.
        @inlinable
        @inline(never)
        mutating func enterLeaf() {
            (leaf, position) = root.leaf(at: rank)
        }
    }
}

extension BTree: Sequence {
    @inlinable
    public var underestimatedCount: Int { count }

    @inlinable
    public func makeIterator() -> Iterator { elements.makeIterator() }

    @inlinable
    public var elements: Elements { Elements(self, 0..<count) }

    @inlinable
    public func reversed() -> Elements { elements.reversed() }

    /// The elements from a rank on, which may be past the end: a page of a list is `elements(at: 40).prefix(20)`. A
    /// negative rank traps.
    @inlinable
    public func elements(at rank: Int) -> Elements { elements.dropFirst(rank) }

    /// The elements whose keys are not below a key. To iterate downwards from a key, reverse `elements(below:)`.
    @inlinable
    public func elements(from lowerBound: Key) -> Elements { Elements(self, rank(of: lowerBound)..<count) }

    @inlinable
    public func elements(below upperBound: Key) -> Elements { Elements(self, 0..<rank(of: upperBound)) }

    /// The count of the elements costs no iteration.
    @inlinable
    public func elements(in range: Range<Key>) -> Elements {
        Elements(self, rank(of: range.lowerBound)..<rank(of: range.upperBound))
    }
}
