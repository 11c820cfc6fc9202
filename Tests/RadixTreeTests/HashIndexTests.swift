import RadixTree
import TestSupport
import Testing

@Suite struct HashIndexTests {
    /// How the hash of a number is made.
    enum Hashing: Sendable, CaseIterable {
        /// A good one.
        case spread
        /// Eight numbers each have the same.
        case shared
        /// They differ in their lowest bits alone.
        case low
        /// All have the same.
        case same

        func hash(_ number: Int) -> Int {
            switch self {
            case .spread: Int(truncatingIfNeeded: SplitMix64.first(of: number))
            case .shared: Int(truncatingIfNeeded: SplitMix64.first(of: number / 8))
            case .low: number
            case .same: 7
            }
        }
    }

    /// Random changes, compared with the same on a set, and versions that are held meanwhile.
    @Test(arguments: Hashing.allCases, [30, 70])
    func agreesWithASet(_ hashing: Hashing, insertions: Int) {
        var random = SplitMix64(seed: UInt64(insertions))
        var (index, numbers) = (HashIndex(), Set<Int>())
        var held: [(HashIndex, Set<Int>)] = []
        for change in 0..<10_000 {
            if change % 2_000 == 0 { held.append((index, numbers)) }
            let number = random.below(1_500)
            if random.below(100) >= insertions {
                index.remove(number, hash: hashing.hash(number))
                numbers.remove(number)
            } else if numbers.insert(number).inserted {
                index.insert(number, hash: hashing.hash(number))
            }
        }
        for (index, numbers) in held + [(index, numbers)] {
            #expect(index.leafCounts().reduce(0, +) == numbers.count)
            for number in 0..<1_500 {
                let found = index.number(hash: hashing.hash(number)) { $0 == number }
                #expect(found == (numbers.contains(number) ? number : nil))
            }
        }
    }

    @Test(arguments: Hashing.allCases, [0, 1, 32, 33, 2_000])
    func manyAtOnceAreWhatTheyAreOneByOne(_ hashing: Hashing, count: Int) throws {
        let numbers = (0..<count).map { (hash: hashing.hash($0), number: $0) }
        let index = try #require(HashIndex(numbers) { $0 == $1 })
        var grown = HashIndex()
        for (hash, number) in numbers { grown.insert(number, hash: hash) }
        #expect(index.leafCounts() == grown.leafCounts())
        for (hash, number) in numbers {
            #expect(index.number(hash: hash) { $0 == number } == number)
            #expect(index.number(hash: hash) { _ in true } == grown.number(hash: hash) { _ in true })
        }
        #expect(index.number(hash: hashing.hash(count)) { $0 == count } == nil)
    }

    @Test(arguments: [0, 500, 999])
    func sameOnesAreRefused(number: Int) {
        let numbers = (0..<1_000).map { (hash: ($0 / 5) << 40, number: $0) }
        #expect(HashIndex(numbers + [((number / 5) << 40, number)]) { $0 == $1 } == nil)
        #expect(HashIndex(numbers + [((number / 5) << 40, number)]) { $0 + 5 == $1 } != nil)
    }

    @Test func leavesAreSmall() {
        var index = HashIndex()
        for number in 0..<20_000 { index.insert(number, hash: Hashing.spread.hash(number)) }
        #expect(index.leafCounts().allSatisfy { $0 <= 32 })
    }

    @Test func whatIsTakenOutLeavesNothing() {
        var index = HashIndex()
        for number in 0..<2_000 { index.insert(number, hash: Hashing.spread.hash(number)) }
        for number in 0..<2_000 { index.remove(number, hash: Hashing.spread.hash(number)) }
        #expect(index.leafCounts() == [0])
    }

    @Test func ofSeveralTheLastIsFound() {
        var index = HashIndex()
        for number in [5, 3, 9] { index.insert(number, hash: 1) }
        #expect(index.number(hash: 1) { _ in true } == 9)
        #expect(index.number(hash: 1) { $0 < 9 } == 3)
        #expect(index.number(hash: 1) { _ in false } == nil && index.number(hash: 2) { _ in true } == nil)
        index.remove(9, hash: 1)
        index.remove(9, hash: 1)
        #expect(index.number(hash: 1) { _ in true } == 3)
    }
}

extension HashIndex {
    /// The number of a hash that is the one.
    fileprivate func number(hash: Int, where isTheOne: (Int) -> Bool) -> Int? {
        find(hash: hash) { isTheOne($0) ? $0 : nil }
    }
}

extension SplitMix64 {
    fileprivate static func first(of seed: Int) -> UInt64 {
        var generator = SplitMix64(seed: UInt64(seed))
        return generator.next()
    }
}
