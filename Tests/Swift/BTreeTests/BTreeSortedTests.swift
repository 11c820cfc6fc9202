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

    @Test func otherOrdersTrap() async {
        await #expect(processExitsWith: .failure) { _ = BTree(sorted: [(1, 0), (2, 0), (2, 0)]) }
        await #expect(processExitsWith: .failure) { _ = BTree(sorted: [(2, 0), (1, 0)]) }
    }
}
