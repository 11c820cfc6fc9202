@testable import BTree

extension BTree {
    /// The violated invariants; empty for a valid tree. Costs O(n).
    func checkInvariants() -> [String] {
        var faults: [String] = []
        if root.check(.init(), into: &faults) != count { faults.append("count is not the number of elements") }
        return faults
    }

    /// The addresses of the tree's nodes, which show what two versions share. Costs O(n).
    func nodeAddresses() -> Set<Int> {
        var addresses: Set<Int> = []
        root.collectAddresses(into: &addresses)
        return addresses
    }

    var height: Int { root.height }
}

extension Node {
    /// The number of levels of nodes from here down, along the left edge.
    var height: Int {
        switch self {
        case .leaf: 1
        case .inner(let children): children[0].node.height + 1
        }
    }

    func collectAddresses(into addresses: inout Set<Int>) {
        switch self {
        case .leaf(let entries):
            addresses.insert(entries.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) })
        case .inner(let children):
            addresses.insert(children.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) })
            for child in children { child.node.collectAddresses(into: &addresses) }
        }
    }

    /// The constraints on a node from its place in the tree.
    struct Place {
        var depth = 0
        var isFirst = true
        var isLast = true
        /// If set, no key of the subtree is below it, and an inner node off the left edge repeats it.
        var lowerBound: Key?
        /// If set, all keys of the subtree are below it.
        var upperBound: Key?
        var height: Int?
    }

    /// Appends the faults of a subtree; returns its number of elements.
    func check(_ place: Place, into faults: inout [String]) -> Int {
        func expect(_ isTrue: Bool, _ fault: String) {
            if !isTrue { faults.append("depth \(place.depth): \(fault)") }
        }
        expect(place.height.map { $0 == height } ?? true, "neighbours of unequal height")
        if !place.isLast { expect(!isUnderfull, "underfull away from the right edge") }
        switch self {
        case .leaf(let entries):
            expect(entries.count <= Self.leafCapacity, "overfull leaf")
            expect(place.depth == 0 || !entries.isEmpty, "empty leaf")
            expect(zip(entries, entries.dropFirst()).allSatisfy { $0.key < $1.key }, "keys out of order")
            if let bound = place.lowerBound, let first = entries.first { expect(bound <= first.key, "key too low") }
            if let bound = place.upperBound, let last = entries.last { expect(last.key < bound, "key too high") }
            return entries.count
        case .inner(let children):
            expect(children.count <= Self.innerCapacity, "overfull inner node")
            expect(children.count >= 2, "fewer than two children")
            if !place.isFirst { expect(children[0].key == place.lowerBound, "first key is not the parent's") }
            return check(children, place, into: &faults)
        }
    }

    private func check(_ children: ContiguousArray<Child>, _ place: Place, into faults: inout [String]) -> Int {
        let height = self.height
        var total = 0
        for (index, child) in children.enumerated() {
            let isLast = index == children.count - 1
            let inside = Place(
                depth: place.depth + 1, isFirst: place.isFirst && index == 0, isLast: place.isLast && isLast,
                lowerBound: index == 0 ? place.lowerBound : child.key,
                upperBound: isLast ? place.upperBound : children[index + 1].key, height: height - 1)
            let count = child.node.check(inside, into: &faults)
            if count != child.count { faults.append("depth \(place.depth): wrong count of a child") }
            total += count
        }
        return total
    }
}
