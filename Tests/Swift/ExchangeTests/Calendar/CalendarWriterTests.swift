import Testing

@testable import Exchange

@Suite struct CalendarWriterTests {
    private func lines(_ write: (inout CalendarWriter) -> Void) -> [String] {
        var writer = CalendarWriter()
        write(&writer)
        let text = String(decoding: writer.bytes, as: UTF8.self)
        #expect(text.hasSuffix("\r\n"))
        return text.split(separator: "\r\n").map(String.init)
    }

    @Test(arguments: [
        ("a, b; c\\d", "a\\, b\\; c\\\\d"), ("one\ntwo\r\nthree", "one\\ntwo\\nthree"), ("a\u{1}b\u{7F}c\td", "abc\td"),
        ("\"quoted\": é", "\"quoted\": é"),
    ])
    func escapedTexts(text: String, written: String) {
        #expect(lines { $0.text("SUMMARY", text) } == ["SUMMARY:" + written])
        #expect(lines { $0.texts("CATEGORIES", [text, "x"]) } == ["CATEGORIES:\(written),x"])
    }

    /// Lines of every length, of characters of one to four bytes.
    @Test(arguments: ["a", "é", "€", "🎻"]) func foldedLines(character: String) {
        for length in 0...300 {
            let text = String(repeating: character, count: length)
            let lines = lines { $0.text("X", text) }
            #expect(lines.allSatisfy { $0.utf8.count <= 75 })
            #expect(lines.dropLast().allSatisfy { $0.utf8.count > 71 })
            #expect(lines.dropFirst().allSatisfy { $0.hasPrefix(" ") })
            #expect(lines.enumerated().map { $0 == 0 ? $1 : String($1.dropFirst()) }.joined() == "X:" + text)
        }
    }
}
