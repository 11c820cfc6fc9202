import TestSupport
import Testing

@testable import Store

/// A map and the plain sorted arrays that it must agree with.
struct Twin: Sendable {
    var map = SortedMap<Int, Int>()
    var keys: [Int] = []
    var values: [Int] = []

    init() {}

    init(ascending keys: [Int]) {
        self.keys = keys
        values = keys.map { $0 &* 3 }
        map = SortedMap(zip(keys, values).map { ($0, $1) })
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
        let old = map.updateValue(value, forKey: key)
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
        let old = map.removeValue(forKey: key)
        guard rank < keys.count, keys[rank] == key else {
            #expect(old == nil)
            return
        }
        #expect(old == values[rank])
        keys.remove(at: rank)
        values.remove(at: rank)
    }

    /// Compares a run of the map's elements with the arrays' elements at the same ranks.
    func expect(
        _ run: some RandomAccessCollection<(key: Int, value: Int)>, at ranks: some Collection<Int>, _ what: Comment
    ) {
        #expect(run.count == ranks.count, what)
        #expect(run.map(\.key) == ranks.map { keys[$0] }, what)
        #expect(run.map(\.value) == ranks.map { values[$0] }, what)
    }

    /// Compares everything and checks the map's structure.
    func verify() {
        #expect(map.checkInvariants() == [])
        #expect(map.count == keys.count)
        #expect(map.isEmpty == keys.isEmpty)
        #expect(map.map(\.key) == keys)
        #expect(map.map(\.value) == values)
        #expect(map.first?.key == keys.first)
        #expect(map.last?.key == keys.last)
    }
}
