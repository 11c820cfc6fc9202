import SookeModel
import Testing

@Suite struct CaseFoldingTests {
    @Test(
        arguments: [
            ("A", "a"), ("Z", "z"), ("a", "a"), ("[", "["), ("É", "é"), ("Σ", "σ"), ("ς", "ς"), ("İ", "i"), ("ı", "ı"),
            ("ẞ", "ß"), ("\u{212A}", "k"), ("ſ", "ſ"), ("Ǆ", "ǆ"), ("ǅ", "ǆ"), ("Ა", "ა"), ("𐐀", "𐐨"), ("𝐀", "𝐀"),
            ("中", "中"),
            // Both are upper-case letters that Unicode has had since version 16 only.
            ("\u{A7CB}", "\u{A7CB}"), ("\u{10D50}", "\u{10D50}"),
        ] as [(Unicode.Scalar, Unicode.Scalar)])
    func lowercased(scalar: Unicode.Scalar, lower: Unicode.Scalar) {
        #expect(CaseFolding.lowercased(scalar) == lower)
    }
}
