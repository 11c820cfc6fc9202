import RadixTree
import TestSupport
import Testing

@Suite struct RadixTreeTests {
    @Test func emptyTree() {
        var tree = RadixTree<Box>()
        #expect(tree.isEmpty && tree.count == 0 && tree[0] == nil && tree[.max] == nil && tree[-1] == nil)
        #expect(tree.removeValue(at: 0) == nil)
        #expect(Array(tree).isEmpty)
        #expect(tree.checkInvariants() == [])
    }

    /// Around what one node, one level and two levels hold.
    @Test(arguments: [
        (1, 1), (31, 1), (32, 1), (33, 2), (1_023, 2), (1_024, 2), (1_025, 3), (10_000, 3),
    ])
    func growsALevelWhenNumbersGetADigitMore(_ count: Int, _ height: Int) {
        let twin = Twin(0..<count)
        twin.verify()
        #expect(twin.tree.height == height)
    }

    /// Each number alone, and all together in every order.
    @Test func takesAnyNumber() {
        let numbers = [0, 1, 31, 32, 1_023, 1_024, 1 << 30, 1 << 53, .max - 1, .max, .min, .min + 1, -64, -1]
        for number in numbers { Twin([number]).verify() }
        var generator = SplitMix64(seed: 3)
        for _ in 0..<20 {
            var twin = Twin(numbers.shuffled(using: &generator))
            twin.verify()
            for number in numbers.shuffled(using: &generator) {
                twin.remove(number)
                twin.verify()
            }
        }
    }

    @Test func shrinksToWhatIsLeft() {
        var twin = Twin([1, 5, 70, 5_000, 1 << 40])
        #expect(twin.tree.height == 9)
        for (number, height) in [(1 << 40, 3), (5_000, 2), (70, 1), (5, 1), (1, 1)] {
            twin.remove(number)
            twin.verify()
            #expect(twin.tree.height == height, "without \(number)")
        }
    }

    @Test func walksHoldTheirVersion() {
        var tree = Twin(0..<1_000).tree
        var walked: [Int] = []
        for box in tree {
            walked.append(box.number)
            tree.removeValue(at: box.number + 10)
            tree.updateValue(box, at: box.number + 2_000)
        }
        #expect(walked == Array(0..<1_000))
    }

    @Test func anEndedWalkStaysEnded() {
        var walk = Twin([-1]).tree.makeIterator()
        #expect(walk.next()?.number == -1)
        #expect(walk.next() == nil && walk.next() == nil)
    }
}
