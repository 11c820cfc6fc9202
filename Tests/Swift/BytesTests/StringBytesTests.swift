import Bytes
import Testing

/// Text from clients is compared and cut by its bytes.
@Suite struct StringBytesTests {
    @Test(
        arguments: [
            ("", "", true), ("é", "é", true), ("\u{E9}", "e\u{301}", false), ("a", "ab", false),
            ("\u{212A}", "K", false),
        ])
    func sameBytes(left: String, right: String, areSame: Bool) {
        #expect(left.hasSameBytes(as: right) == areSame)
        #expect(right.hasSameBytes(as: left) == areSame)
    }

    @Test(
        arguments: [
            ("", ""), ("12345678", "12345678"), ("123456789", "12345678…"), ("1234567é", "1234567…"),
            ("123456é", "123456é"), ("123456é7", "123456é…"), ("12345🌊", "12345…"), ("1234🌊5", "1234🌊…"),
            ("a" + String(repeating: "\u{301}", count: 1_000), "a\u{301}\u{301}\u{301}…"), ("👩‍👩‍👧", "👩\u{200D}…"),
        ])
    func excerpts(text: String, excerpt: String) {
        #expect(Array(text.excerpt(bytes: 8).utf8) == Array(excerpt.utf8))
    }

    private enum Word: String, CaseIterable { case k = "K", café }

    @Test func casesAreFoundByTheBytesOfTheirNames() {
        #expect(Word(named: "K") == .k)
        #expect(Word(named: "\u{212A}") == nil)
        #expect(Word(named: "caf\u{E9}") == .café)
        #expect(Word(named: "cafe\u{301}") == nil)
        #expect(Word(named: "") == nil)
    }
}
