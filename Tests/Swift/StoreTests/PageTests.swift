import Testing

@testable import Store

@Suite struct PageTests {
    @Test(
        arguments: [
            (1, 20, 45, 0..<20), (3, 20, 45, 40..<45), (4, 20, 45, 45..<45), (1, 20, 0, 0..<0),
            (.max, 100, 45, 45..<45), (.max / 20 + 1, 20, 45, 45..<45),
        ] as [(Int, Int, Int, Range<Int>)])
    func ranks(number: Int, size: Int, total: Int, ranks: Range<Int>) {
        #expect(PageRequest(number: number, size: size).ranks(in: total) == ranks)
    }

    /// The length of a list is not known while it is scanned: the largest page must not overflow.
    @Test(arguments: 1...100)
    func theLargestPageOfAnUnknownLength(size: Int) {
        for number in [Int.max / size - 1, Int.max / size, Int.max] {
            let page = Page(of: [1, 2, 3], PageRequest(number: number, size: size))
            #expect(page.total == 3)
            #expect(page.records.isEmpty)
        }
    }
}
