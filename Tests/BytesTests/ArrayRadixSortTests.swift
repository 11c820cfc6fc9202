import Bytes
import Testing

@Suite struct ArrayRadixSortTests {
    @Test(arguments: [0, 1, 2, 300, 5_000], [0, 8, 24, 56])
    func sortsAsTheLibraryDoes(count: Int, shift: UInt64) {
        var random = SplitMix64(seed: UInt64(count) + shift)
        let elements = (0..<count).map { (number: (random.next() >> 48) << shift, place: $0) }
        var sorted = elements
        sorted.radixSort { $0.number }
        // The library's sort is stable as well.
        let expected = elements.sorted { $0.number < $1.number }
        #expect(sorted.map(\.number) == expected.map(\.number) && sorted.map(\.place) == expected.map(\.place))
    }

    @Test func takesNumbersOfAllBytes() {
        let numbers: [UInt64] = [.max, 0, 1, 1 << 63, 0x0102_0304_0506_0708, 0x0807_0605_0403_0201, .max - 1, 256]
        var sorted = numbers
        sorted.radixSort { $0 }
        #expect(sorted == numbers.sorted())
    }
}
