import BTree
import TestSupport
import Testing

/// Looking many keys up together gives what looking them up alone gives.
@Suite struct BTreeTogetherTests {
    private final class Box: Sendable {
        let number: Int
        init(_ number: Int) { self.number = number }
    }

    /// Below and above the size from which memory is fetched ahead; with gaps and without.
    @Test(arguments: [0, 1, 64, 4096, 4097, 20_000], [1, 3])
    func findsWhatIsThere(count: Int, step: Int) {
        let tree = BTree(sorted: (0..<count).map { ($0 * step, Box($0 * step)) })
        var random = SplitMix64(seed: UInt64(count * step))
        let keys = [-1, 0, .min, .max] + (0..<200).map { _ in Int(random.next() % UInt64(count * step + 10)) }
        #expect(tree.values(forKeys: keys).map(\.number) == keys.compactMap { tree[$0]?.number })
        #expect(tree.values(forKeys: []).isEmpty)
    }

    @Test func findsAfterChanges() {
        var tree = BTree<Int, Box>()
        var random = SplitMix64(seed: 7)
        for _ in 0..<30_000 {
            let key = Int(random.next() % 12_000)
            if random.next() % 3 == 0 { tree.removeValue(forKey: key) } else { tree.updateValue(Box(key), forKey: key) }
        }
        let keys = (0..<12_100).map { _ in Int(random.next() % 12_000) }
        let found = tree.values(forKeys: keys).map(\.number)
        #expect(found == keys.filter { tree[$0] != nil })
        let whole = tree.map(\.key)
        #expect(tree.values(forKeys: whole).map(\.number) == whole)
    }
}
