/// A node of the tree: an array of elements or an array of children.
///
/// The arrays are what makes the tree persistent. A `ContiguousArray` is one reference to a counted buffer, and the
/// standard library asks whether that reference is the only one before every write. So a node that two versions share
/// is copied, one that a single version holds is changed in place, and the compiler can prove the tree `Sendable`.
///
/// A function that changes a node takes the array out, leaves `empty` in its place and puts the array back when it is
/// done: while both the node and a local variable hold it, every write would copy.
///
/// Such functions are never inlined. Within a caller's loop the optimizer of Swift 6.3 can move the putting back out
/// of the loop and so lose changes (mended by swiftlang/swift#91219); a call that takes the node `inout` stops it.
@usableFromInline
enum Node<Key: Comparable & Sendable, Value: Sendable>: Sendable {
    @usableFromInline typealias Element = BTree<Key, Value>.Element

    /// Elements in ascending order of their keys.
    case leaf(ContiguousArray<Element>)

    /// Two or more children of equal height, in ascending order.
    case inner(ContiguousArray<Child>)

    /// A subtree, as its parent knows it.
    @usableFromInline
    struct Child: Sendable {
        /// Above every key further left and not above any key in the subtree. The first child's is not looked at
        /// when searching; off the tree's left edge it repeats the parent's own, so that children can move left.
        @usableFromInline var key: Key
        /// How many elements the subtree holds.
        @usableFromInline var count: Int
        @usableFromInline var node: Node

        @inlinable
        init(key: Key, count: Int, node: Node) {
            self.key = key
            self.count = count
            self.node = node
        }
    }

    // Measured with a million entries of 32 bytes: 64 walks a fifth to a half faster than 32 and takes 35 bytes an
    // entry instead of 37, at equal cost for look-ups, inserts and the first change after a copy; 16 walks slowest and
    // takes 42.
    @inlinable static var leafCapacity: Int { 64 }
    @inlinable static var innerCapacity: Int { 64 }

    @inlinable static var empty: Node { .leaf([]) }

    /// A quarter and not half, so that removals soon after a split do not merge the halves again.
    @inlinable
    var isUnderfull: Bool {
        switch self {
        case .leaf(let entries): entries.count < Self.leafCapacity / 4
        case .inner(let children): children.count < Self.innerCapacity / 4
        }
    }
}

extension Node.Child {
    /// A leaf; it is not empty.
    @inlinable
    init(leaf entries: ContiguousArray<Node.Element>) {
        self.init(key: entries[0].key, count: entries.count, node: .leaf(entries))
    }

    /// An inner node; it is not empty.
    @inlinable
    init(inner children: ContiguousArray<Self>) {
        var count = 0
        for child in children { count += child.count }
        self.init(key: children[0].key, count: count, node: .inner(children))
    }
}
