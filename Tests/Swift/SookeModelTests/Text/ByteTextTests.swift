import SookeModel
import Testing

@Suite struct ByteTextTests {
    @Test func identityGoesByBytes() {
        let composed = ByteText("caf\u{E9}")
        let decomposed = ByteText("cafe\u{301}")
        #expect(composed.text == decomposed.text, "String sees them as one")
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed, ByteText("caf\u{E9}")]).count == 2)
    }

    @Test func orderGoesByBytes() {
        let ascending = ["", "A", "Z", "a", "a-b", "ab", "cafe\u{301}", "cafz", "caf\u{E9}", "日", "\u{FF21}", "🌊"]
        let sorted = ascending.reversed().map { ByteText($0) }.sorted()
        #expect(sorted.map { Array($0.text.utf8) } == ascending.map { Array($0.utf8) })
        for (left, right) in zip(ascending, ascending.dropFirst()) {
            #expect(ByteText(left) < ByteText(right))
            #expect(!(ByteText(right) < ByteText(left)))
        }
    }
}
