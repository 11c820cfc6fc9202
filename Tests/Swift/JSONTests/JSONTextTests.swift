import JSON
import Testing

/// The values of strings: escapes, UTF-8, and every position of a byte in a word of eight.
@Suite struct JSONTextTests {
    static let texts: [(json: String, text: String)] = [
        (#""""#, ""), (#""a""#, "a"), (#""Zed's Diner""#, "Zed's Diner"),
        (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{08}\u{0C}\n\r\t"), (#""\u0041\u00e9\u20AC""#, "Aé€"),
        (#""\ud83d\ude00!""#, "😀!"), (#""\uD800\uDC00\uDBFF\uDFFF""#, "\u{10000}\u{10FFFF}"), (#""\u0000""#, "\0"),
        (#""\\u0041""#, "\\u0041"), (#""café 東京 😀""#, "café 東京 😀"),
        (#""caf\u00E9 東\u4eac 😀 and more""#, "café 東京 😀 and more"),
    ]

    @Test(arguments: texts)
    func reads(json: String, text: String) throws {
        var reader = JSONReader(json)
        let value = try reader.readString()
        #expect(Array(value.utf8) == Array(text.utf8))
        reader = JSONReader("{\(json):1}")
        try reader.beginObject()
        #expect(try reader.nextKey().map { Array($0.utf8) } == Array(text.utf8), "as a key")
    }

    @Test func everyByteAtEveryPlace() {
        for length in 0...20 {
            for place in 0..<length {
                for byte in UInt8.min...UInt8.max {
                    var text = [UInt8](repeating: UInt8(ascii: "x"), count: length)
                    text[place] = byte
                    let isPlain =
                        0x20...0x7F ~= byte && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
                    let quote = [UInt8(ascii: "\"")]
                    for padding in [[], [UInt8](repeating: UInt8(ascii: " "), count: 9)] {
                        let read = try? Tree.read(quote + text + quote + padding)
                        #expect(read == (isPlain ? .string(String(decoding: text, as: UTF8.self)) : nil))
                    }
                }
            }
        }
    }

    /// UTF-8 is validated as in the standard library, for every first two bytes and all that matter after them.
    @Test func utf8IsWhatTheStandardLibrarySays() {
        let followers: [UInt8] = [0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xED, 0xFF]
        for first in UInt8(0x80)...0xFF {
            for second in UInt8(0x23)...0xFF where second != UInt8(ascii: "\\") { check([first, second]) }
            guard first >= 0xE0 else { continue }
            for second in followers {
                for third in followers {
                    check([first, second, third])
                    for fourth in followers { check([first, second, third, fourth]) }
                }
            }
        }
    }

    private func check(_ text: [UInt8]) {
        let quote = [UInt8(ascii: "\"")]
        let expected = String(validating: text, as: UTF8.self).map(Tree.string)
        if (try? Tree.read(quote + text + quote)) != expected {
            Issue.record("\(text) should be \(expected == nil ? "refused" : "read")")
        }
    }
}
