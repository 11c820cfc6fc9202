import TestSupport
import Testing

@testable import Store

/// Copies share chunks and never affect each other.
@Suite struct SortedMapVersionTests {
    let original = SortedMap<Int, Int>((0..<10_000).map { ($0 * 2, $0) })

    @Test(arguments: [0, 1, 9_999, 10_000, 19_998, 19_999, 20_000])
    func aChangeCopiesOneChunkAndOneList(_ key: Int) {
        let shared = original.addresses()
        var copy = original
        copy.updateValue(-1, forKey: key)
        // Each with a new neighbour where a full one splits.
        #expect(copy.addresses().subtracting(shared).count <= 4)
        copy = original
        copy.removeValue(forKey: key)
        #expect(copy.addresses().subtracting(shared).count <= 2)
        #expect(original.addresses() == shared)
        #expect(original.elementsEqual((0..<10_000).map { ($0 * 2, $0) }, by: ==))
    }

    @Test func removingAnAbsentKeyCopiesNothing() {
        var copy = original
        copy.removeValue(forKey: 5_001)
        #expect(copy.addresses() == original.addresses())
    }

    @Test func aLoneMapChangesInPlace() {
        var map = SortedMap<Int, Int>((0..<10_000).map { ($0 * 2, $0) })
        let shared = map.addresses()
        for key in stride(from: 0, to: 20_000, by: 2) { map.updateValue(0, forKey: key) }
        for key in stride(from: 0, to: 19_000, by: 256) { map.removeValue(forKey: key) }
        #expect(map.addresses() == shared)
    }

    @Test func heldVersionsStayAsTheyWere() {
        var generator = SplitMix64(seed: 21)
        var twin = Twin(ascending: (0..<2_000).map { $0 * 5 })
        var held: [Twin] = []
        for _ in 0..<600 {
            held.append(twin)
            for _ in 0..<3 {
                twin.update(
                    Int.random(in: 0..<99, using: &generator), forKey: .random(in: 0..<10_000, using: &generator))
            }
            if let key = twin.keys.randomElement(using: &generator) { twin.remove(key) }
            // Now and then an old version is changed too, and another is released.
            if held.count.isMultiple(of: 20) {
                held[held.count / 2].remove(twin.keys[0])
                held.remove(at: held.count / 3)
            }
        }
        for version in held { version.verify() }
    }

    @Test func readersOfAHeldCopyRunBesideTheWriter() async {
        let published = original
        let areRight = await readConcurrently(with: { Self.changesHold(in: published) }) { reader in
            var generator = SplitMix64(seed: UInt64(reader))
            for _ in 0..<3 {
                guard published.reduce(0, { $0 + $1.value }) == 49_995_000 else { return false }
                for _ in 0..<500 {
                    let rank = Int.random(in: 0..<10_000, using: &generator)
                    let page = published.elements(from: rank * 2)
                    guard published[rank * 2] == rank, page.count == 10_000 - rank,
                        page.prefix(20).reduce(0, { $0 + $1.key - $1.value * 2 }) == 0
                    else { return false }
                }
            }
            return true
        }
        for isRight in areRight { #expect(isRight) }
        #expect(published.checkInvariants() == [])
    }

    /// Changes a copy, releases it and starts again, so that chunks are shared and freed while others read them.
    private static func changesHold(in published: SortedMap<Int, Int>) -> Bool {
        var generator = SplitMix64(seed: 22)
        for _ in 0..<10 {
            var working = published
            for _ in 0..<500 {
                let key = Int.random(in: 0..<20_000, using: &generator)
                if key.isMultiple(of: 3) {
                    working.removeValue(forKey: key)
                } else {
                    working.updateValue(-1, forKey: key)
                }
            }
            guard working.checkInvariants() == [] else { return false }
        }
        return true
    }
}
