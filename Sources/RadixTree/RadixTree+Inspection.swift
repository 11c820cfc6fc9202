// Looks inside a tree, for tests.

extension RadixTree {
    /// What is wrong with the tree's structure; empty for a sound one. Costs O(n).
    package func checkInvariants() -> [String] {
        var faults: [String] = []
        if root.check(shift, into: &faults) != count { faults.append("count is not the number of values") }
        if case .inner(let children) = root, children.count < 2 { faults.append("higher than need be") }
        if isEmpty, shift != 0 { faults.append("an empty tree of some height") }
        return faults
    }

    /// Where the tree's nodes are in memory: what two versions have in common, they share. Costs O(n).
    package func nodeAddresses() -> Set<Int> {
        var addresses: Set<Int> = []
        root.collectAddresses(into: &addresses)
        return addresses
    }

    /// How many levels of nodes the tree has.
    package var height: Int { shift / RadixNode<Value>.digit + 1 }
}

extension RadixNode {
    func collectAddresses(into addresses: inout Set<Int>) {
        switch self {
        case .leaf(let values):
            if !values.isEmpty { addresses.insert(values.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) }) }
        case .inner(let children):
            addresses.insert(children.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) })
            for child in children { child.collectAddresses(into: &addresses) }
        }
    }

    /// Notes the faults of a subtree; returns how many values it holds.
    func check(_ shift: Int, into faults: inout [String]) -> Int {
        switch self {
        case .leaf(let values):
            if values.count > 1 << Self.digit { faults.append("overfull leaf") }
            if case .some(nil) = values.last { faults.append("a leaf that ends with nothing") }
            if !values.isEmpty, shift != 0 { faults.append("a leaf above the lowest level") }
            return values.reduce(0) { $0 + ($1 == nil ? 0 : 1) }
        case .inner(let children):
            if children.count > 1 << Self.digit { faults.append("overfull inner node") }
            if children.last?.isEmpty != false { faults.append("an inner node that ends with nothing") }
            if shift == 0 { faults.append("an inner node at the lowest level") }
            return children.reduce(0) { $0 + $1.check(shift - Self.digit, into: &faults) }
        }
    }
}
