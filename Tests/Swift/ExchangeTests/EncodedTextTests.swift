import Testing

@testable import Exchange

/// Texts of vCards in base64 and in character sets.
@Suite struct EncodedTextTests {
    @Test(
        arguments: [
            ([0xC3, 0xA9], "windows-1251", "é"), ([0xE9, 0x92], nil, "é’"), ([0xE9], "ISO-8859-1", "é"),
            ([0xA4, 0xE9], "iso-8859-15", "€é"), ([0xCF], "windows-1251", nil), ([0x41], "KOI8-R", "A"),
        ] as [([UInt8], String?, String?)])
    func characterSets(bytes: [UInt8], name: String?, text: String?) {
        #expect(EncodedText.text(of: bytes, in: name) == text)
    }

    @Test(
        arguments: [
            ("TmV0IExvZnQ=", "Net Loft"), ("TmV0 IExv ZnQ", "Net Loft"), ("Pj8+Pz4/", ">?>?>?"), ("Pj8-", nil),
            ("T", nil), ("é", nil),
        ] as [(String, String?)])
    func base64(text: String, decoded: String?) {
        #expect(EncodedText.base64(text).map { String(decoding: $0, as: UTF8.self) } == decoded)
    }
}
