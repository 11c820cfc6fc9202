import BTree
import TestSupport
import Testing

/// Trees that are made at once from many elements.
@Suite struct BTreeSortedTests {
    @Test(arguments: [0, 1, 2, 63, 64, 65, 4096, 4097, 10_000])
    func elementsComeInAscendingOrder(count: Int) {
        let tree = BTree(sorted: (0..<count).lazy.map { ($0, -$0) })
        #expect(tree.checkInvariants() == [])
        #expect(tree.map(\.key) == Array(0..<count))
        #expect(tree.allSatisfy { $0.value == -$0.key })
    }
}
