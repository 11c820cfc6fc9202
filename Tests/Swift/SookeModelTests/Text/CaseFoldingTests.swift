import Bytes
import SookeModel
import TestSupport
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

    /// The figures come from glibc 2.36: for every scalar that `towlower` changes under en_US.UTF-8, in ascending
    /// order, `printf("%X %X\n", scalar, towlower(scalar))`.
    @Test func everyScalarIsLoweredAsGlibcDoes() {
        var changed = 0
        var checksum = CRC32C()
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value), case let lower = CaseFolding.lowercased(scalar), lower != scalar
            else { continue }
            changed += 1
            let line =
                "\(String(value, radix: 16, uppercase: true)) \(String(lower.value, radix: 16, uppercase: true))\n"
            checksum.update(line.utf8)
        }
        #expect(changed == 1433)
        #expect(checksum.value == 0xD67F_0603)
    }

    @Test(arguments: [
        ("", ""),
        ("O'Brien's HARDWARE [2] @ 100%", "o'brien's hardware [2] @ 100%"),
        ("CAFÉ Zoë", "café zoë"),
        ("ΟΔΟΣ", "οδοσ"),
        ("İ ß ẞ \u{212A}", "i ß ß k"),
        ("E\u{301}\r\n\u{0}🌊日本", "e\u{301}\r\n\u{0}🌊日本"),
    ])
    func fold(text: String, folded: String) {
        #expect(CaseFolding.fold(text) == Array(folded.utf8))
    }

    /// The result of `text ILIKE pattern` in PostgreSQL 15.
    @Test(arguments: [
        ("É", "é", true), ("ß", "SS", false), ("ß", "ẞ", true), ("İ", "i", true), ("ı", "I", false),
        ("\u{212A}", "k", true), ("ſ", "s", false), ("Σ", "ς", false), ("Σ", "σ", true), ("Å", "å", true),
        ("Œ", "œ", true), ("Ж", "ж", true), ("Α", "α", true), ("Ａ", "ａ", true), ("ⓐ", "Ⓐ", true), ("Ǆ", "ǆ", true),
        ("ǅ", "ǆ", true), ("ﬀ", "FF", false), ("𝐀", "𝐚", false), ("𐐀", "𐐨", true), ("ა", "Ა", true), ("É", "e", false),
        ("E\u{301}", "é", false),
    ])
    func matchesAsPostgresDoes(text: String, pattern: String, matches: Bool) {
        #expect(CaseFolding.contains(CaseFolding.fold(text), CaseFolding.fold(pattern)) == matches)
    }

    @Test(arguments: [
        ("", "", true), ("a", "", true), ("", "a", false), ("abc", "abc", true), ("abc", "abcd", false),
        ("abc", "a", true), ("abc", "c", true), ("abc", "bc", true), ("abc", "ac", false), ("aaab", "aab", true),
        ("ababac", "abac", true), ("aaaa", "aab", false), ("100% wool", "0% w", true), ("a_b", "a%b", false),
    ])
    func contains(text: String, needle: String, found: Bool) {
        #expect(CaseFolding.contains(Array(text.utf8), Array(needle.utf8)) == found)
    }

    @Test func containsAgreesWithTryingEveryPlace() {
        var random = SplitMix64(seed: 7)
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in UInt8.random(in: 0...2, using: &random) }
            let needle = (0..<Int.random(in: 0...4, using: &random)).map { _ in UInt8.random(in: 0...2, using: &random)
            }
            let found = text.indices.contains { text[$0...].starts(with: needle) } || needle.isEmpty
            #expect(CaseFolding.contains(text, needle) == found, "\(needle) in \(text)")
        }
    }
}
