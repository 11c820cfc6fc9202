import TestSupport
import Testing

@testable import Store

@Suite struct SortedMapTests {
    /// Also sizes around what one chunk and one list hold.
    @Test(arguments: [0, 1, 2, 63, 64, 65, 4_096, 4_097, 10_000])
    func takesElementsInBulk(_ size: Int) {
        let twin = Twin(ascending: (0..<size).map { $0 * 2 })
        twin.verify()
        for rank in stride(from: 0, to: size, by: 7) {
            #expect(twin.map.dropFirst(rank).first?.key == rank * 2)
            #expect(twin.map[rank * 2] == rank * 6 && twin.map[rank * 2 + 1] == nil)
        }
    }

    @Test func takesElementsInAnyOrder() {
        let given = (0..<1_000).map { ($0 * 7 % 500, $0) }
        let map = SortedMap(given)
        #expect(map.checkInvariants() == [])
        #expect(map.map(\.key) == Array(0..<500))
        #expect(map.allSatisfy { $0.key == $0.value * 7 % 500 && $0.value >= 500 }, "the last of one key counts")
    }

    enum Order: CaseIterable, Sendable {
        case ascending, descending, inwards, random

        func keys(_ size: Int) -> [Int] {
            var generator = SplitMix64(seed: 11)
            return switch self {
            case .ascending: Array(0..<size)
            case .descending: (0..<size).reversed()
            case .inwards: (0..<size).map { $0.isMultiple(of: 2) ? $0 / 2 : size - 1 - $0 / 2 }
            case .random: (0..<size).shuffled(using: &generator)
            }
        }
    }

    @Test(
        arguments: [(.ascending, .random), (.descending, .ascending), (.inwards, .inwards), (.random, .descending)]
            as [(Order, Order)])
    func fillsAndEmpties(_ filling: Order, _ emptying: Order) {
        let size = 5_000
        var map = SortedMap<Int, Int>()
        for key in filling.keys(size) { map.updateValue(-key, forKey: key) }
        #expect(map.checkInvariants() == [])
        #expect(map.map(\.key) == Array(0..<size))
        #expect(map.map(\.value) == (0..<size).map(-))
        let full = map
        for (removed, key) in emptying.keys(size).enumerated() {
            #expect(map.removeValue(forKey: key) == -key)
            if removed % 500 == 0 { #expect(map.checkInvariants() == []) }
        }
        #expect(map.isEmpty && map.chunks.isEmpty && map.checkInvariants() == [])
        #expect(full.count == size && full.checkInvariants() == [])
    }

    @Test func chunksAreFullAfterAscendingKeysAndMergeWhenFewAreLeft() {
        var twin = Twin()
        for key in 0..<100 * 64 { twin.update(key, forKey: key) }
        #expect(twin.map.lists.map(\.count) == [64, 36] && twin.map.chunks.allSatisfy { $0.count == 64 })
        for key in twin.keys where !key.isMultiple(of: 100) { twin.remove(key) }
        twin.verify()
        #expect(twin.map.count == 64 && twin.map.chunks.count <= 4)
    }

    @Test func isASetWithVoidValues() {
        var set = SortedMap<Int64, Void>()
        for key in 0..<1_000 as Range<Int64> { #expect(set.updateValue((), forKey: key * 7 % 1_000) == nil) }
        #expect(set.updateValue((), forKey: 5) != nil)
        #expect(set.map(\.key) == Array(0..<1_000))
        #expect(set[5] != nil && set[1_000] == nil && set.removeValue(forKey: 5) != nil && set[5] == nil)
        #expect(MemoryLayout<SortedMap<Int64, Void>.Element>.stride == 8)
    }
}
