extension BTree {
    /// A run of a tree's elements, forwards or backwards: a sequence that can be walked any number of times.
    ///
    /// It holds its own version of the tree, so the tree may change while it is walked. Everything but the walk
    /// itself costs O(1).
    public struct Elements: Sequence, Sendable {
        @usableFromInline let root: Node<Key, Value>
        /// Ranks, the same whichever way the walk goes.
        @usableFromInline var ranks: Range<Int>
        @usableFromInline var isReversed = false

        @inlinable
        init(_ tree: BTree, _ ranks: Range<Int>) {
            root = tree.root
            self.ranks = ranks
        }

        /// How many elements the run has.
        @inlinable
        public var count: Int { ranks.count }

        /// Whether the run has no elements.
        @inlinable
        public var isEmpty: Bool { ranks.isEmpty }

        /// As many as `count`.
        @inlinable
        public var underestimatedCount: Int { ranks.count }

        /// The same run the other way round.
        @inlinable
        public func reversed() -> Self {
            var run = self
            run.isReversed.toggle()
            return run
        }

        /// The run without its first `k` elements; nothing is left of a shorter one. A negative `k` traps.
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

        /// The values alone: no key is touched, and what keys refer to is, in a large tree, each somewhere else in
        /// memory.
        @inlinable
        public var values: [Value] {
            var values: [Value] = []
            values.reserveCapacity(count)
            var rest = ranks
            while !rest.isEmpty {
                let (leaf, start) = root.leaf(at: rest.lowerBound)
                let end = Swift.min(start + rest.count, leaf.count)
                for position in start..<end { values.append(leaf[position].value) }
                rest = rest.dropFirst(end - start)
            }
            return isReversed ? values.reversed() : values
        }

        /// A walk from the run's first element.
        @inlinable
        public func makeIterator() -> Iterator { Iterator(self) }
    }

    /// A walk over elements of one version of a tree, whatever becomes of the tree meanwhile.
    ///
    /// It retains a leaf at a time and finds the next from the root. That costs no more than a stack of parents would:
    /// a descent for every leaf, whose nodes the last descent has just brought near.
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

        /// The next element, or nil at the end of the walk.
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

        /// Never inlined, for the reason that stands at `Node`.
        @inlinable
        @inline(never)
        mutating func enterLeaf() {
            (leaf, position) = root.leaf(at: rank)
        }
    }
}

extension BTree: Sequence {
    /// As many as `count`.
    @inlinable
    public var underestimatedCount: Int { count }

    /// A walk over all elements in ascending order of their keys.
    @inlinable
    public func makeIterator() -> Iterator { elements.makeIterator() }

    /// All elements in ascending order of their keys.
    @inlinable
    public var elements: Elements { Elements(self, 0..<count) }

    /// All elements in descending order of their keys.
    @inlinable
    public func reversed() -> Elements { elements.reversed() }

    /// The elements from a rank on, which may lie past the end: a page of a list is `elements(at: 40).prefix(20)`.
    /// A negative rank traps.
    @inlinable
    public func elements(at rank: Int) -> Elements { elements.dropFirst(rank) }

    /// The elements whose keys are not below a key. For a walk down from a key, reverse `elements(below:)`.
    @inlinable
    public func elements(from lowerBound: Key) -> Elements { Elements(self, rank(of: lowerBound)..<count) }

    /// The elements whose keys are below a key.
    @inlinable
    public func elements(below upperBound: Key) -> Elements { Elements(self, 0..<rank(of: upperBound)) }

    /// The elements whose keys are in a range; how many there are costs no walk.
    @inlinable
    public func elements(in range: Range<Key>) -> Elements {
        Elements(self, rank(of: range.lowerBound)..<rank(of: range.upperBound))
    }
}
