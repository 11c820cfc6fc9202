/// A copy-on-write ordered map with the rank of every key.
///
/// A copy costs O(1) and shares all its nodes; a change after a copy copies O(log n) nodes, and never affects another
/// copy. So every version of a store can be retained while it is read.
///
/// ```swift
/// var names: BTree<String, Int> = BTree(sorted: [("Bakery", 1), ("Cafe", 2)])
/// let before = names
/// names.updateValue(3, forKey: "Barber")
/// names.rank(of: "Cafe")                                  // 2; before.rank(of: "Cafe") is still 1
/// for (name, id) in names.elements(from: "Bar").prefix(20) { … }
/// ```
///
/// Look-up, change, rank and element at a rank cost O(log n); iterating over k elements costs O(log n + k).
///
/// - Keys and values without references (numbers, small structs) make the cheapest trees: a node copy is then one
///   block move, otherwise it retains everything in the node.
/// - With values of type `Void` this is an ordered set, and the values occupy no memory.
/// - A removed key may stay in memory as a separator inside the tree until its neighbourhood is reorganised.
///
/// The structure is a B+ tree with counts in its inner nodes (Comer, "The Ubiquitous B-Tree", ACM Computing Surveys
/// 11:2, 1979).
public struct BTree<Key: Comparable & Sendable, Value: Sendable>: Sendable {
    public typealias Element = (key: Key, value: Value)

    @usableFromInline var root: Node<Key, Value>
    @usableFromInline var size: Int

    @inlinable
    public init() {
        root = .empty
        size = 0
    }

    @inlinable
    public var count: Int { size }

    @inlinable
    public var isEmpty: Bool { count == 0 }

    @inlinable
    public subscript(key: Key) -> Value? { root.withValue(forKey: key) { copy $0 } }

    @inlinable
    public func contains(_ key: Key) -> Bool { root.withValue(forKey: key) { _ in true } ?? false }

    /// The result of a function of a key's value, which is not copied; nil when the tree does not contain the key.
    @inlinable
    public func withValue<Result>(forKey key: Key, _ body: (borrowing Value) -> Result) -> Result? {
        root.withValue(forKey: key, body)
    }

    @inlinable
    public var first: Element? { isEmpty ? nil : root.element(at: 0) }

    @inlinable
    public var last: Element? { isEmpty ? nil : root.element(at: count - 1) }

    /// The number of keys that are smaller than this one, which need not be in the tree.
    @inlinable
    public func rank(of key: Key) -> Int { root.rank(of: key) }

    /// The element with `rank` smaller ones before it; a rank outside `0..<count` is a programming error and traps.
    @inlinable
    public func element(at rank: Int) -> Element {
        precondition(rank >= 0 && rank < count, "rank is outside the tree")
        return root.element(at: rank)
    }
}

extension BTree {
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
