import BTree
import TestSupport
import Testing

/// Copies share nodes and never affect each other.
@Suite struct BTreeVersionTests {
    /// Three levels.
    let original = BTree<Int, Int>(sorted: (0..<10_000).map { ($0 * 2, $0) })

    @Test(arguments: [0, 1, 9_999, 10_000, 19_998, 19_999, 20_000])
    func aChangeCopiesOneNodeALevel(_ key: Int) {
        let nodes = original.nodeAddresses()
        var copy = original
        copy.updateValue(-1, forKey: key)
        // A node a level, and its neighbour where full ones split or empty ones are refilled.
        #expect(copy.nodeAddresses().subtracting(nodes).count <= copy.height * 2)
        copy = original
        copy.removeValue(forKey: key)
        #expect(copy.nodeAddresses().subtracting(nodes).count <= copy.height * 2)
        #expect(original.nodeAddresses() == nodes)
        #expect(original.elementsEqual((0..<10_000).map { ($0 * 2, $0) }, by: ==))
    }

    @Test func removingAnAbsentKeyCopiesNothing() {
        var copy = original
        copy.removeValue(forKey: 5_001)
        #expect(copy.nodeAddresses() == original.nodeAddresses())
    }

    @Test func aLoneTreeChangesInPlace() {
        var tree = BTree<Int, Int>(sorted: (0..<10_000).map { ($0 * 2, $0) })
        let nodes = tree.nodeAddresses()
        for key in stride(from: 0, to: 20_000, by: 2) { tree.updateValue(0, forKey: key) }
        for key in stride(from: 0, to: 19_000, by: 256) { tree.removeValue(forKey: key) }
        #expect(tree.nodeAddresses() == nodes)
    }

    @Test func heldVersionsStayAsTheyWere() {
        var generator = SplitMix64(seed: 21)
        var twin = Twin(ascending: (0..<2_000).map { $0 * 5 })
        var held: [Twin] = []
        for _ in 0..<600 {
            held.append(twin)
            for _ in 0..<3 {
                twin.update(
                    Int.random(in: 0..<99, using: &generator), forKey: .random(in: 0..<10_000, using: &generator))
            }
            if let key = twin.keys.randomElement(using: &generator) { twin.remove(key) }
            // Now and then an old version is changed too, and another is released.
            if held.count.isMultiple(of: 20) {
                held[held.count / 2].remove(twin.keys[0])
                held.remove(at: held.count / 3)
            }
        }
        for version in held { version.verify() }
    }

    @Test func readersOfAHeldCopyRunBesideTheWriter() async {
        let published = original
        let areRight = await readConcurrently(with: { Self.changesHold(in: published) }) { reader in
            var generator = SplitMix64(seed: UInt64(reader))
            for _ in 0..<3 {
                guard published.reduce(0, { $0 + $1.value }) == 49_995_000 else { return false }
                for _ in 0..<500 {
                    let rank = Int.random(in: 0..<10_000, using: &generator)
                    guard published[rank * 2] == rank, published.rank(of: rank * 2) == rank,
                        published.elements(at: rank).prefix(20).reduce(0, { $0 + $1.key - $1.value * 2 }) == 0
                    else { return false }
                }
            }
            return true
        }
        for isRight in areRight { #expect(isRight) }
        #expect(published.checkInvariants() == [])
    }

    /// Changes a copy, releases it and starts again, so that nodes are shared and freed while others read them.
    private static func changesHold(in published: BTree<Int, Int>) -> Bool {
        var generator = SplitMix64(seed: 22)
        for _ in 0..<10 {
            var working = published
            for _ in 0..<500 {
                let key = Int.random(in: 0..<20_000, using: &generator)
                if key.isMultiple(of: 3) {
                    working.removeValue(forKey: key)
                } else {
                    working.updateValue(-1, forKey: key)
                }
            }
            guard working.checkInvariants() == [] else { return false }
        }
        return true
    }
}
