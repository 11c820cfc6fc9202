import Bytes
import Testing

/// Percent-encoding in both directions.
@Suite struct PercentCodingTests {
    @Test(arguments: [
        ("", ""), ("plain", "plain"), ("%41%62c", "Abc"), ("caf%C3%A9", "café"), ("caf%c3%a9", "café"), ("a+b", "a+b"),
        ("%2B", "+"), ("%25", "%"), ("%2541", "%41"), ("a%20b", "a b"), ("café", "café"), ("%00", "\0"),
        ("/a?b=c&d", "/a?b=c&d"),
    ])
    func decodes(text: String, expected: String) throws {
        #expect(try PercentCoding.decode(text.utf8) == Array(expected.utf8))
    }

    @Test(arguments: [("a+b", "a b"), ("+", " "), ("%2B+%20", "+  "), ("a%2bb", "a+b")])
    func decodesFormText(text: String, expected: String) throws {
        #expect(try PercentCoding.decode(text.utf8, plusIsSpace: true) == Array(expected.utf8))
    }

    @Test(arguments: ["%", "a%", "%4", "%%", "%%41", "%4g", "%g4", "% 4", "%+1", "%-1", "%0x", "abc%2", "%u0041", "%é"])
    func refuses(text: String) {
        #expect(throws: PercentCoding.Failure.incompleteEscape) { try PercentCoding.decode(text.utf8) }
    }

    @Test func mayDecodeToAnyByte() throws {
        #expect(try PercentCoding.decode("%FF%fe%00".utf8) == [0xFF, 0xFE, 0x00])
    }

    @Test func leavesOnlyUnreservedCharacters() throws {
        let all = Array(UInt8.min...UInt8.max)
        let text = PercentCoding.encode(all)
        #expect(try PercentCoding.decode(text.utf8) == all)
        #expect(try PercentCoding.decode(text.utf8, plusIsSpace: true) == all)
        let unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
        #expect(PercentCoding.encode(unreserved.utf8) == unreserved)
        #expect(text.utf8.count == unreserved.utf8.count + 3 * (256 - unreserved.utf8.count))
        #expect(PercentCoding.encode("é /+?".utf8) == "%C3%A9%20%2F%2B%3F")
    }
}
