import BTree
import TestSupport
import Testing

/// A tree and the plain sorted arrays that it must agree with.
struct Twin: Sendable {
    var tree = BTree<Int, Int>()
    var keys: [Int] = []
    var values: [Int] = []

    init() {}

    init(ascending keys: [Int]) {
        self.keys = keys
        values = keys.map { $0 &* 3 }
        tree = BTree(sorted: zip(keys, values).map { ($0, $1) })
    }

    /// How many keys are below this one.
    func rank(of key: Int) -> Int {
        var low = 0
        var high = keys.count
        while low < high {
            let middle = (low + high) / 2
            if keys[middle] < key { low = middle + 1 } else { high = middle }
        }
        return low
    }

    mutating func update(_ value: Int, forKey key: Int) {
        let rank = rank(of: key)
        let old = tree.updateValue(value, forKey: key)
        if rank < keys.count, keys[rank] == key {
            #expect(old == values[rank])
            values[rank] = value
        } else {
            #expect(old == nil)
            keys.insert(key, at: rank)
            values.insert(value, at: rank)
        }
    }

    mutating func remove(_ key: Int) {
        let rank = rank(of: key)
        let old = tree.removeValue(forKey: key)
        guard rank < keys.count, keys[rank] == key else {
            #expect(old == nil)
            return
        }
        #expect(old == values[rank])
        keys.remove(at: rank)
        values.remove(at: rank)
    }

    /// Compares a run of the tree's elements with the arrays' elements at the same ranks.
    func expect(_ run: BTree<Int, Int>.Elements, at ranks: some Collection<Int>, _ what: Comment) {
        #expect(run.count == ranks.count, what)
        #expect(run.map(\.key) == ranks.map { keys[$0] }, what)
        #expect(run.map(\.value) == ranks.map { values[$0] }, what)
        #expect(run.values == ranks.map { values[$0] }, what)
    }

    /// Compares everything and checks the tree's structure.
    func verify() {
        #expect(tree.checkInvariants() == [])
        #expect(tree.count == keys.count)
        #expect(tree.isEmpty == keys.isEmpty)
        #expect(tree.map(\.key) == keys)
        #expect(tree.map(\.value) == values)
        #expect(tree.first?.key == keys.first)
        #expect(tree.last?.key == keys.last)
    }
}
