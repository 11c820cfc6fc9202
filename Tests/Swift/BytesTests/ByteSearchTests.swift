import Bytes
import TestSupport
import Testing

@Suite struct ByteSearchTests {
    @Test(arguments: [
        ("", "", 0, 0), ("", "a", 0, nil), ("a", "", 0, 0), ("abc", "", 2, 2), ("abc", "", 3, 3),
        ("a", "a", 0, 0), ("a", "a", 1, nil), ("abc", "c", 0, 2), ("abc", "abc", 0, 0), ("abc", "abcd", 0, nil),
        ("ababab", "ab", 1, 2), ("the old bakery by the harbour", "harbour", 0, 22),
        ("the old bakery by the harbour", "r", 0, 12), ("the old bakery by the harbour", "ry ", 0, 12),
        ("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", "aab", 0, 29), ("0123456789abcdef0123456789abcdeg", "bcdeg", 0, 27),
    ])
    func finds(_ text: String, _ needle: String, from start: Int, _ place: Int?) {
        #expect(ByteSearch(for: Array(needle.utf8)).firstMatch(in: Array(text.utf8).span, from: start) == place)
    }

    /// Few letters, so that near misses and matches are many, at lengths around those of a block.
    @Test func agreesWithAPlainSearch() {
        var random = SplitMix64(seed: 11)
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 0...70, using: &random)).map { _ in UInt8.random(in: 0...2, using: &random) }
            let needle = (0..<Int.random(in: 0...6, using: &random)).map { _ in UInt8.random(in: 0...2, using: &random)
            }
            let start = Int.random(in: 0...text.count, using: &random)
            let plain = (start...text.count).first { text[$0...].starts(with: needle) }
            #expect(ByteSearch(for: needle).firstMatch(in: text.span, from: start) == plain)
        }
    }
}

@Suite struct FirstIndexTests {
    /// Every length up to two vectors and more, every place of the byte, every start; a neighbour differs in one bit.
    @Test func findsWhatALoopFinds() {
        for count in 0..<40 {
            for place in 0...count {
                var bytes = [UInt8](repeating: 0x8A, count: count)
                if place < count { bytes[place] = 0x0A }
                for start in 0...count {
                    #expect(bytes.firstIndex(of: 0x0A, from: start) == bytes[start...].firstIndex(of: 0x0A))
                }
            }
        }
    }
}
