import RadixTree
import TestSupport
import Testing

/// What copies share, and that they never harm each other.
@Suite struct RadixTreeVersionTests {
    /// Three levels.
    let original = Twin(0..<10_000).tree

    @Test(arguments: [0, 64, 5_000, 9_999])
    func aChangeCopiesOneNodeALevel(_ number: Int) {
        let nodes = original.nodeAddresses()
        var copy = original
        #expect(copy.nodeAddresses() == nodes)
        copy.updateValue(Box(-1), at: number)
        #expect(copy.nodeAddresses().subtracting(nodes).count == 3)
        copy = original
        copy.removeValue(at: number)
        #expect(copy.nodeAddresses().subtracting(nodes).count == 3)
        #expect(original.nodeAddresses() == nodes && original.map(\.number) == Array(0..<10_000))
    }

    @Test func removingWhatIsNotThereCopiesNothing() {
        var copy = original
        for number in [-1, 10_000, .max] { copy.removeValue(at: number) }
        #expect(copy.nodeAddresses() == original.nodeAddresses())
    }

    @Test func aLoneTreeChangesInPlace() {
        var tree = Twin(0..<10_000).tree
        let nodes = tree.nodeAddresses()
        for number in 0..<10_000 { tree.updateValue(Box(0), at: number) }
        for number in stride(from: 0, to: 9_900, by: 3) { tree.removeValue(at: number) }
        #expect(tree.nodeAddresses() == nodes)
    }

    @Test func readersOfAHeldCopyRunBesideTheWriter() async {
        let published = original
        let areRight = await readersBeside({ Self.changesHold(in: published) }) { reader in
            var generator = SplitMix64(seed: UInt64(reader))
            return (0..<2_000).allSatisfy { _ in
                let first = Int.random(in: 0..<9_980, using: &generator)
                let numbers = Array(first..<first + 20)
                return published.found(at: numbers) == numbers
            } && published.map(\.number) == Array(0..<10_000)
        }
        for isRight in areRight { #expect(isRight) }
        #expect(published.checkInvariants() == [])
    }

    /// Changes a copy, letting go of it and starting anew, so that nodes are shared and freed while others read them.
    private static func changesHold(in published: RadixTree<Box>) -> Bool {
        var generator = SplitMix64(seed: 22)
        return (0..<10).allSatisfy { _ in
            var working = published
            for _ in 0..<500 {
                let number = Int.random(in: 0..<12_000, using: &generator)
                if number.isMultiple(of: 3) {
                    working.removeValue(at: number)
                } else {
                    working.updateValue(Box(-1), at: number)
                }
            }
            return working.checkInvariants() == []
        }
    }
}
