import TestSupport
import Testing

@testable import Store

/// Random operations, each compared with the same on sorted arrays.
@Suite struct SortedMapPropertyTests {
    struct Run: CustomTestStringConvertible, Sendable {
        var seed: UInt64
        /// Keys are drawn from `0..<keySpace`.
        var keySpace: Int
        /// How many elements the map starts with.
        var start: Int
        var operations: Int
        /// Of a hundred changes, how many put an element in; the others take one out.
        var insertions: Int

        var testDescription: String { "\(operations) on \(start) of \(keySpace) keys, \(insertions) % in" }
    }

    @Test(arguments: [
        Run(seed: 1, keySpace: 40, start: 0, operations: 10_000, insertions: 50),
        Run(seed: 2, keySpace: 300, start: 0, operations: 20_000, insertions: 50),
        Run(seed: 3, keySpace: 3_000, start: 0, operations: 20_000, insertions: 55),
        Run(seed: 4, keySpace: 20_000, start: 9_000, operations: 20_000, insertions: 50),
        Run(seed: 5, keySpace: 20_000, start: 15_000, operations: 20_000, insertions: 5),
        Run(seed: 6, keySpace: .max, start: 0, operations: 20_000, insertions: 90),
    ])
    func agreesWithSortedArrays(_ run: Run) {
        var generator = SplitMix64(seed: run.seed)
        var twin = Twin(ascending: Self.keys(run.start, below: run.keySpace, &generator))
        var held: [Twin] = []
        for operation in 0..<Cases.count(run.operations / 5, of: run.operations) {
            if operation % 1_000 == 0 {
                twin.verify()
                held.append(twin)
            }
            if Int.random(in: 0..<100, using: &generator) < 70 {
                Self.change(&twin, run, &generator)
            } else {
                Self.query(twin, Int.random(in: 0..<run.keySpace, using: &generator), &generator)
            }
        }
        twin.verify()
        for version in held { version.verify() }
    }

    private static func keys(_ count: Int, below keySpace: Int, _ generator: inout SplitMix64) -> [Int] {
        var keys: Set<Int> = []
        while keys.count < count { keys.insert(Int.random(in: 0..<keySpace, using: &generator)) }
        return keys.sorted()
    }

    private static func change(_ twin: inout Twin, _ run: Run, _ generator: inout SplitMix64) {
        let key = Int.random(in: 0..<run.keySpace, using: &generator)
        if Int.random(in: 0..<100, using: &generator) < run.insertions {
            // Every fifth replaces a value, as far as there is one.
            let replaced =
                Int.random(in: 0..<5, using: &generator) == 0 ? twin.keys.randomElement(using: &generator) : nil
            twin.update(Int.random(in: 0..<1_000, using: &generator), forKey: replaced ?? key)
        } else {
            let present =
                Int.random(in: 0..<5, using: &generator) > 0 ? twin.keys.randomElement(using: &generator) : nil
            twin.remove(present ?? key)
        }
    }

    private static func query(_ twin: Twin, _ key: Int, _ generator: inout SplitMix64) {
        let map = twin.map
        let rank = twin.rank(of: key)
        #expect(map[key] == (rank < twin.keys.count && twin.keys[rank] == key ? twin.values[rank] : nil))
        if let present = twin.keys.randomElement(using: &generator) {
            let rank = twin.rank(of: present)
            #expect(map[present] == twin.values[rank])
            #expect(map[map.index(map.startIndex, offsetBy: rank)] == (present, twin.values[rank]))
        }
        walk(
            twin, from: key, Int.random(in: 0..<150, using: &generator), kind: Int.random(in: 0..<5, using: &generator))
    }

    private static func walk(_ twin: Twin, from key: Int, _ length: Int, kind: Int) {
        let map = twin.map
        let rank = twin.rank(of: key)
        let end = min(rank + length, twin.keys.count)
        let upper = end < twin.keys.count ? twin.keys[end] : key
        let range = min(key, upper)..<max(key, upper)
        let ranks = twin.rank(of: range.lowerBound)..<twin.rank(of: range.upperBound)
        let below = (max(rank - length, 0)..<rank).reversed()
        switch kind {
        case 0: twin.expect(map.elements(from: key).prefix(length), at: rank..<end, "from a key")
        case 1: twin.expect(map.dropFirst(rank).prefix(length), at: rank..<end, "at a rank")
        case 2: twin.expect(map.elements(below: key).reversed().prefix(length), at: below, "down from a key")
        case 3: twin.expect(map.elements(in: range), at: ranks, "in a range")
        default: twin.expect(map.elements(in: range).reversed(), at: ranks.reversed(), "down a range")
        }
    }
}
