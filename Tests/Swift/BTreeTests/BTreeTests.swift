import BTree
import TestSupport
import Testing

@Suite struct BTreeTests {
    /// Sizes around what one node, one level and two levels hold.
    static let sizes = [0, 1, 2, 15, 16, 63, 64, 65, 128, 129, 1_000, 4_096, 4_097, 10_000]

    @Test(arguments: sizes)
    func takesElementsInBulk(_ size: Int) {
        let twin = Twin(ascending: (0..<size).map { $0 * 2 })
        twin.verify()
        for rank in stride(from: 0, to: size, by: 7) {
            #expect(twin.tree.rank(of: rank * 2) == rank && twin.tree.rank(of: rank * 2 + 1) == rank + 1)
            #expect(twin.tree.element(at: rank) == (rank * 2, rank * 6))
            #expect(twin.tree[rank * 2] == rank * 6 && twin.tree[rank * 2 + 1] == nil)
        }
    }

    enum Order: CaseIterable, Sendable {
        case ascending, descending, inwards, random

        func keys(_ size: Int) -> [Int] {
            var generator = SplitMix64(seed: 11)
            return switch self {
            case .ascending: Array(0..<size)
            case .descending: (0..<size).reversed()
            case .inwards: (0..<size).map { $0.isMultiple(of: 2) ? $0 / 2 : size - 1 - $0 / 2 }
            case .random: (0..<size).shuffled(using: &generator)
            }
        }
    }

    @Test(
        arguments: [(.ascending, .random), (.descending, .ascending), (.inwards, .inwards), (.random, .descending)]
            as [(Order, Order)])
    func fillsAndEmpties(_ filling: Order, _ emptying: Order) {
        let size = 5_000
        var tree = BTree<Int, Int>()
        for key in filling.keys(size) { tree.updateValue(-key, forKey: key) }
        #expect(tree.checkInvariants() == [])
        #expect(tree.map(\.key) == Array(0..<size))
        #expect(tree.map(\.value) == (0..<size).map(-))
        let full = tree
        for (removed, key) in emptying.keys(size).enumerated() {
            #expect(tree.removeValue(forKey: key) == -key)
            if removed % 500 == 0 { #expect(tree.checkInvariants() == []) }
        }
        #expect(tree.isEmpty && tree.height == 1 && tree.checkInvariants() == [])
        #expect(full.count == size && full.checkInvariants() == [])
    }

    @Test func fourLevels() {
        var generator = SplitMix64(seed: 12)
        var twin = Twin(ascending: (0..<300_000).map { $0 * 2 })
        #expect(twin.tree.height == 4)
        for _ in 0..<2_000 { twin.update(1, forKey: Int.random(in: 0..<600_000, using: &generator)) }
        // A stretch removed as a whole merges inner nodes too.
        for key in twin.keys[100_000..<112_000] { twin.tree.removeValue(forKey: key) }
        twin.keys.removeSubrange(100_000..<112_000)
        twin.values.removeSubrange(100_000..<112_000)
        twin.verify()
    }

    @Test func isASetWithVoidValues() {
        var set = BTree<Int64, Void>()
        for key in 0..<1_000 as Range<Int64> { #expect(set.updateValue((), forKey: key * 7 % 1_000) == nil) }
        #expect(set.updateValue((), forKey: 5) != nil)
        #expect(set.map(\.key) == Array(0..<1_000))
        #expect(set[5] != nil && set[1_000] == nil && set.removeValue(forKey: 5) != nil && set[5] == nil)
        #expect(MemoryLayout<BTree<Int64, Void>.Element>.stride == 8)
    }
}
