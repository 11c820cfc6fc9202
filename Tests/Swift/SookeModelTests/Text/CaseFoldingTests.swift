import Bytes
import SookeModel
import TestSupport
import Testing

@Suite struct CaseFoldingTests {
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
        ("", ""), ("O'Brien's HARDWARE [2] @ 100%", "o'brien's hardware [2] @ 100%"), ("CAFÉ Zoë", "café zoë"),
        ("ΟΔΟΣ", "οδοσ"), ("İ ß ẞ \u{212A}", "i ß ß k"), ("E\u{301}\r\n\u{0}🌊日本", "e\u{301}\r\n\u{0}🌊日本"),
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
}
