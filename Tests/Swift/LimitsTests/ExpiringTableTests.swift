import TestSupport
import Testing

@testable import Limits

/// A table whose values expire and whose size is bounded.
@Suite struct ExpiringTableTests {
    private static func table(capacity: Int) -> ExpiringTable<Int, Int> {
        ExpiringTable(capacity: capacity, lifetime: 100, fresh: 0)
    }

    @Test func keepsWhatIsTouchedWithinALifetime() {
        var table = Self.table(capacity: 10)
        for now in stride(from: 0, through: 1_000, by: 99) { table.update(1, now: now) { $0 += 1 } }
        #expect(table[1] == 11)
    }

    @Test(arguments: [(99, 7), (100, 7), (199, 7), (200, 0), (1_000, 0)])
    func forgetsBetweenOneLifetimeAndTwo(later: Int, value: Int) {
        var table = Self.table(capacity: 10)
        table.update(1, now: 0) { $0 = 7 }
        table.update(2, now: 100) { $0 = 1 }
        table.update(2, now: later) { _ in }
        #expect(table[1] == value)
    }

    @Test func neverHoldsMoreThanItMay() {
        var table = Self.table(capacity: 10)
        var random = SplitMix64(seed: 1)
        var now = 0
        for _ in 0..<2_000 {
            now += random.below(10)
            table.update(random.below(1_000), now: now) { $0 += 1 }
            #expect(table.count <= 10)
        }
    }

    @Test func newKeysPushOutNothing() {
        var table = Self.table(capacity: 3)
        for key in 1...3 { table.update(key, now: 0) { $0 = key } }
        for key in 4...1_000 { table.update(key, now: 1) { $0 += 1 } }
        #expect([1, 2, 3].map { table[$0] } == [1, 2, 3])
        #expect(table[4] == 997 && table[5_000] == 997, "those without room share one value")
    }

    @Test func roomThatBecomesFreeIsUsed() {
        var table = Self.table(capacity: 1)
        table.update(1, now: 0) { $0 = 5 }
        table.update(2, now: 0) { $0 = 6 }
        let removed = [1, 1, 2].map { table.remove($0) }
        #expect(removed == [true, false, false])
        #expect(table[2] == 0, "a key that has room begins afresh")
        table.update(2, now: 0) { $0 += 1 }
        #expect(table[2] == 1)
    }
}
