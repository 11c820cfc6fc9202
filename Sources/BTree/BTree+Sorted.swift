extension BTree {
    /// A tree of elements in strictly ascending order of their keys; any other order traps. Costs O(n) and leaves full
    /// nodes.
    @inlinable
    public init(sorted elements: some Sequence<(Key, Value)>) {
        var leaves: ContiguousArray<Node<Key, Value>.Child> = []
        var entries: ContiguousArray<Element> = []
        size = 0
        for (key, value) in elements {
            if let last = entries.last {
                guard last.key < key else { preconditionFailure("keys are not strictly ascending") }
                if entries.count == Node<Key, Value>.leafCapacity {
                    leaves.append(.init(leaf: entries))
                    entries = []
                }
            }
            if entries.isEmpty { entries.reserveCapacity(Node<Key, Value>.leafCapacity) }
            entries.append((key, value))
            size += 1
        }
        if !entries.isEmpty { leaves.append(.init(leaf: entries)) }
        root = Node(joining: leaves)
    }
}

extension Node {
    /// The root over nodes of equal height, in order.
    @inlinable
    init(joining nodes: ContiguousArray<Child>) {
        guard nodes.count > 1 else {
            self = nodes.first?.node ?? .empty
            return
        }
        let parents = (nodes.count - 1) / Self.innerCapacity + 1
        // Distributes the nodes evenly, so that no parent has a single child.
        let level = (0..<parents).map { parent in
            let share = (parent * nodes.count / parents)..<((parent + 1) * nodes.count / parents)
            return Child(inner: ContiguousArray(nodes[share]))
        }
        self.init(joining: ContiguousArray(level))
    }
}
