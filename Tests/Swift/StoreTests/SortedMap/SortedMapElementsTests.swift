import Testing

@testable import Store

@Suite struct SortedMapElementsTests {
    /// Keys 0, 10, 20 … 9 990.
    let twin = Twin(ascending: (0..<1_000).map { $0 * 10 })

    @Test(arguments: [
        (-5, 0), (0, 0), (1, 1), (10, 1), (635, 64), (640, 64), (5_000, 500), (5_005, 501), (9_990, 999),
        (9_991, 1_000), (Int.max, 1_000),
    ])
    func startsAndEndsAtKeys(_ key: Int, _ rank: Int) {
        twin.expect(twin.map.elements(from: key), at: rank..<1_000, "from")
        twin.expect(twin.map.elements(from: key).reversed(), at: (rank..<1_000).reversed(), "down to")
        twin.expect(twin.map.elements(below: key), at: 0..<rank, "below")
        twin.expect(twin.map.elements(below: key).reversed(), at: (0..<rank).reversed(), "down from")
    }

    @Test(arguments: [
        (0..<0, 0..<0), (-9..<0, 0..<0), (0..<1, 0..<1), (5..<10, 1..<1), (5..<11, 1..<2), (630..<1_290, 63..<129),
        (-1..<99_999, 0..<1_000), (9_990..<9_991, 999..<1_000), (9_991..<9_999, 1_000..<1_000),
    ])
    func rangesAreHalfOpen(_ keys: Range<Int>, _ ranks: Range<Int>) {
        twin.expect(twin.map.elements(in: keys), at: ranks, "up")
        twin.expect(twin.map.elements(in: keys).reversed(), at: ranks.reversed(), "down")
    }

    @Test(arguments: [0, 1, 63, 64, 500, 980, 999, 1_000, 1_001, Int.max])
    func pagesOfAList(_ offset: Int) {
        let page = min(offset, 1_000)..<min(min(offset, 1_000) + 20, 1_000)
        twin.expect(twin.map.dropFirst(offset).prefix(20), at: page, "forwards")
        let fromTheEnd = (1_000 - page.upperBound..<1_000 - page.lowerBound).reversed()
        twin.expect(twin.map.reversed().dropFirst(offset).prefix(20), at: fromTheEnd, "backwards")
    }

    @Test func aWalkHoldsItsVersion() {
        var map = twin.map
        var walked: [Int] = []
        for (key, _) in map {
            walked.append(key)
            map.removeValue(forKey: key + 10)
            map.updateValue(0, forKey: key + 1)
        }
        #expect(walked == twin.keys)
        twin.verify()
    }
}
