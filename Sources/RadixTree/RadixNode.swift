/// A node of the tree: an array of values or an array of children, by a digit of their numbers.
///
/// An array ends with the last that is there, so that numbers given in turn fill one leaf after the other. As in
/// `BTree` the arrays are what makes the tree persistent: a function that changes a node takes the array out, leaves
/// `empty` in its place, and puts it back when it is done; and for the optimizer's sake such functions are never
/// inlined.
@usableFromInline
enum RadixNode<Value: Sendable>: Sendable {
    /// Values by the last digit of their numbers, nil where there is none; the last is not nil.
    case leaf(ContiguousArray<Value?>)

    /// Children by another digit, `empty` where there is none; the last is not empty.
    case inner(ContiguousArray<RadixNode>)

    /// A node in which there is nothing, at any height.
    @inlinable static var empty: RadixNode { .leaf([]) }

    /// How many bits a digit has.
    @inlinable static var digit: Int { 5 }

    /// The digit that chooses among the slots of a node.
    @inlinable
    @inline(__always)
    static func slot(of number: UInt, _ shift: Int) -> Int { Int((number &>> UInt(shift)) & ((1 << digit) - 1)) }

    @inlinable
    var isEmpty: Bool {
        if case .leaf(let values) = self { values.isEmpty } else { false }
    }

    @inlinable
    func value(at number: UInt, _ shift: Int) -> Value? {
        switch self {
        case .leaf(let values):
            let slot = Self.slot(of: number, 0)
            return slot < values.count ? values[slot] : nil
        case .inner(let children):
            let slot = Self.slot(of: number, shift)
            return slot < children.count ? children[slot].value(at: number, shift - Self.digit) : nil
        }
    }

    @inlinable
    @inline(never)
    mutating func update(_ value: Value, at number: UInt, _ shift: Int) -> Value? {
        let slot = Self.slot(of: number, shift)
        if shift == 0 {
            var values: ContiguousArray<Value?> = if case .leaf(let values) = self { values } else { [] }
            self = .empty
            defer { self = .leaf(values) }
            values.grow(to: slot, with: nil)
            let old = values[slot]
            values[slot] = value
            return old
        }
        var children: ContiguousArray<RadixNode> = if case .inner(let children) = self { children } else { [] }
        self = .empty
        defer { self = .inner(children) }
        children.grow(to: slot, with: .empty)
        return children[slot].update(value, at: number, shift - Self.digit)
    }

    /// Takes a value out that is there, and with it what it leaves empty at the end of a node.
    @inlinable
    @inline(never)
    mutating func remove(at number: UInt, _ shift: Int) {
        let slot = Self.slot(of: number, shift)
        switch self {
        case .leaf(var values):
            self = .empty
            values[slot] = nil
            while case .some(nil) = values.last { values.removeLast() }
            self = .leaf(values)
        case .inner(var children):
            self = .empty
            children[slot].remove(at: number, shift - Self.digit)
            while children.last?.isEmpty == true { children.removeLast() }
            self = children.isEmpty ? .empty : .inner(children)
        }
    }

    /// The first leaf with anything at or after a number, and the number of its first slot; nil when there is none.
    @inlinable
    func leaf(from number: UInt, _ shift: Int) -> (values: ContiguousArray<Value?>, first: UInt)? {
        let first = Self.slot(of: number, shift)
        switch self {
        case .leaf(let values):
            return first < values.count ? (values, number & ~UInt((1 << Self.digit) - 1)) : nil
        case .inner(let children):
            var start = number
            for slot in first..<max(first, children.count) {
                if let leaf = children[slot].leaf(from: start, shift - Self.digit) { return leaf }
                start = ((number >> shift) + UInt(slot + 1 - first)) << shift
            }
            return nil
        }
    }
}

extension ContiguousArray {
    /// Fills up with empty slots until there is this one. Memory is taken for half a node or a whole one: an array's
    /// own doubling would go beyond what a node can hold.
    @inlinable
    mutating func grow(to slot: Int, with empty: Element) {
        if capacity <= slot { reserveCapacity(slot < 16 ? 16 : 32) }
        while count <= slot { append(empty) }
    }
}
