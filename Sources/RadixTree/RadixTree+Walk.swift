extension RadixTree: Sequence {
    /// A walk over the values of one version of a tree in the order of their numbers, whatever becomes of the tree
    /// meanwhile.
    public struct Iterator: IteratorProtocol, Sendable {
        @usableFromInline let tree: RadixTree
        @usableFromInline var leaf: ContiguousArray<Value?>.SubSequence
        /// The number after the leaf's last; nil when there is none.
        @usableFromInline var start: UInt?

        @inlinable
        init(_ tree: RadixTree) {
            self.tree = tree
            leaf = []
            start = 0
        }

        /// The next value; nil at the end, and ever after.
        @inlinable
        public mutating func next() -> Value? {
            while true {
                while let value = leaf.popFirst() {
                    if let value { return value }
                }
                guard let number = start, tree.reaches(number), let found = tree.root.leaf(from: number, tree.shift)
                else {
                    start = nil
                    return nil
                }
                leaf = found.values[...]
                let (end, overflow) = found.first.addingReportingOverflow(1 << UInt(RadixNode<Value>.digit))
                start = overflow ? nil : end
            }
        }
    }

    /// A walk from the lowest number.
    @inlinable
    public func makeIterator() -> Iterator { Iterator(self) }

    /// As many as `count`.
    @inlinable
    public var underestimatedCount: Int { count }
}
