import BTree
import Testing

@Suite struct BTreeElementsTests {
    /// Keys 0, 10, 20 … 9 990.
    let twin = Twin(ascending: (0..<1_000).map { $0 * 10 })

    @Test(arguments: [
        (-5, 0), (0, 0), (1, 1), (10, 1), (5_000, 500), (5_005, 501), (9_990, 999), (9_991, 1_000), (Int.max, 1_000),
    ])
    func startsAndEndsAtKeys(_ key: Int, _ rank: Int) {
        twin.expect(twin.tree.elements(from: key), at: rank..<1_000, "from")
        twin.expect(twin.tree.elements(from: key).reversed(), at: (rank..<1_000).reversed(), "down to")
        twin.expect(twin.tree.elements(below: key), at: 0..<rank, "below")
        twin.expect(twin.tree.elements(below: key).reversed(), at: (0..<rank).reversed(), "down from")
    }

    @Test(arguments: [
        (0..<0, 0..<0), (-9..<0, 0..<0), (0..<1, 0..<1), (5..<10, 1..<1), (5..<11, 1..<2), (630..<1_290, 63..<129),
        (-1..<99_999, 0..<1_000), (9_990..<9_991, 999..<1_000), (9_991..<9_999, 1_000..<1_000),
    ])
    func rangesAreHalfOpen(_ keys: Range<Int>, _ ranks: Range<Int>) {
        twin.expect(twin.tree.elements(in: keys), at: ranks, "up")
        twin.expect(twin.tree.elements(in: keys).reversed(), at: ranks.reversed(), "down")
    }

    @Test(arguments: [0, 1, 63, 64, 500, 980, 999, 1_000, 1_001, Int.max])
    func pagesOfAList(_ offset: Int) {
        let page = min(offset, 1_000)..<min(min(offset, 1_000) + 20, 1_000)
        twin.expect(twin.tree.elements(at: offset).prefix(20), at: page, "at")
        twin.expect(twin.tree.elements.dropFirst(offset).prefix(20), at: page, "dropFirst")
        let fromTheEnd = (1_000 - page.upperBound..<1_000 - page.lowerBound).reversed()
        twin.expect(twin.tree.reversed().dropFirst(offset).prefix(20), at: fromTheEnd, "backwards")
    }

    @Test func slicesKeepTheirDirection() {
        let run = twin.tree.elements(in: 100..<200)
        twin.expect(run.dropFirst(), at: 11..<20, "drop one")
        twin.expect(run.reversed().dropFirst(2), at: (10..<18).reversed(), "drop backwards")
        twin.expect(run.dropFirst(2).reversed().prefix(3), at: (17..<20).reversed(), "drop, then backwards")
        twin.expect(run.reversed().reversed(), at: 10..<20, "twice reversed")
        twin.expect(run.prefix(0), at: 0..<0, "nothing")
        twin.expect(run.dropFirst(11), at: 0..<0, "more than all")
        #expect(run.prefix(0).isEmpty && !run.isEmpty)
    }

    @Test func walksHoldTheirVersion() {
        var tree = twin.tree
        var walked: [Int] = []
        for (key, _) in tree {
            walked.append(key)
            tree.removeValue(forKey: key + 10)
            tree.updateValue(0, forKey: key + 1)
        }
        #expect(walked == twin.keys)
        var iterator = tree.elements(at: 500).makeIterator()
        let next = tree.element(at: 500).key
        tree = BTree()
        #expect(iterator.next()?.key == next)
        twin.verify()
    }

    @Test func anEndedWalkStaysEnded() {
        var iterator = twin.tree.elements(at: 999).makeIterator()
        #expect(iterator.next()?.key == 9_990)
        #expect(iterator.next() == nil && iterator.next() == nil)
    }
}
