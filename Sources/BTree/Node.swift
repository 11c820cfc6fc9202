/// A node of the tree: an array of elements or an array of children.
///
/// The arrays make the tree persistent. A `ContiguousArray` is one reference to a counted buffer, and the standard
/// library checks whether that reference is unique before every write. So a node that two versions share is copied, one
/// of a single version is changed in place, and the compiler can prove the tree `Sendable`.
///
/// A function that changes a node moves the array out, leaves `empty` in its place and moves the array back at the end:
/// while both the node and a local variable reference it, every write would copy.
///
/// Such functions are never inlined. Within a caller's loop the optimizer of Swift 6.3 can move the last step out of
/// the loop and so lose changes (fixed by swiftlang/swift#91219); a call that takes the node `inout` prevents this.
@usableFromInline
enum Node<Key: Comparable & Sendable, Value: Sendable>: Sendable {
    @usableFromInline typealias Element = BTree<Key, Value>.Element

    case leaf(ContiguousArray<Element>)

    /// Two or more children of equal height, in ascending order.
    case inner(ContiguousArray<Child>)

    /// A subtree, with the data that its parent stores.
    @usableFromInline
    struct Child: Sendable {
        /// Above every key further left and not above any key in the subtree. A search ignores that of the first child;
        /// off the tree's left edge it repeats the parent's own, so that children can move left.
        @usableFromInline var key: Key
        @usableFromInline var count: Int
        @usableFromInline var node: Node

        @inlinable
        init(key: Key, count: Int, node: Node) {
            self.key = key
            self.count = count
            self.node = node
        }
    }

    // Measured with a million entries of 32 bytes: 64 iterates a fifth to a half faster than 32 and takes 35 bytes per
    // entry instead of 37, at equal cost for look-ups, inserts and the first change after a copy; 16 iterates slowest
    // and takes 42.
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
    @inlinable
    init(leaf entries: ContiguousArray<Node.Element>) {
        self.init(key: entries[0].key, count: entries.count, node: .leaf(entries))
    }

    @inlinable
    init(inner children: ContiguousArray<Self>) {
        var count = 0
        for child in children { count += child.count }
        self.init(key: children[0].key, count: count, node: .inner(children))
    }
}
