import RadixTree
import Testing

/// What the trees of these tests hold.
final class Box: Sendable {
    let number: Int
    init(_ number: Int) { self.number = number }
}

/// A tree and the plain dictionary that it must agree with.
struct Twin: Sendable {
    var tree = RadixTree<Box>()
    var boxes: [Int: Box] = [:]

    init(_ numbers: some Sequence<Int>) {
        for number in numbers { update(number) }
    }

    mutating func update(_ number: Int) {
        let box = Box(number)
        #expect(tree.updateValue(box, at: number) === boxes.updateValue(box, forKey: number))
    }

    mutating func remove(_ number: Int) {
        #expect(tree.removeValue(at: number) === boxes.removeValue(forKey: number))
    }

    /// Compares everything and checks the tree's structure.
    func verify() {
        #expect(tree.checkInvariants() == [])
        #expect(tree.count == boxes.count && tree.isEmpty == boxes.isEmpty)
        // Negative numbers come last.
        let numbers = boxes.keys.sorted { UInt(bitPattern: $0) < UInt(bitPattern: $1) }
        #expect(tree.map(\.number) == numbers)
        #expect(numbers.allSatisfy { tree[$0] === boxes[$0] })
        for number in numbers.prefix(100) {
            #expect(tree[number &+ 1] === boxes[number &+ 1] && tree[number &- 1] === boxes[number &- 1])
        }
    }
}
