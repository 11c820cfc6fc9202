import BTree
import TestSupport
import Testing

/// Trees that are made at once from many elements.
@Suite struct BTreeSortedTests {
    @Test(arguments: [0, 1, 2, 63, 64, 65, 4096, 4097, 10_000])
    func elementsMayComeInAnyOrder(count: Int) throws {
        var keys = Array(0..<count)
        var random = SplitMix64(seed: UInt64(count))
        for order in ["ascending", "shuffled", "descending"] {
            if order == "shuffled" { keys.shuffle(using: &random) } else if order == "descending" { keys.sort(by: >) }
            let tree = try #require(BTree(unsorted: keys.map { ($0, -$0) }), "\(order)")
            #expect(tree.checkInvariants() == [], "\(order)")
            #expect(tree.map(\.key) == Array(0..<count), "\(order)")
            #expect(tree.allSatisfy { $0.value == -$0.key }, "\(order)")
        }
    }

    @Test(arguments: [[1, 1], [1, 2, 1], [3, 2, 1, 2], Array(0..<200) + [64]])
    func equalKeysMakeNoTree(keys: [Int]) {
        #expect(BTree(unsorted: keys.map { ($0, 0) })?.count == nil)
    }
}
