import Bytes
import SookeModel
import Testing

@testable import Exchange

@Suite struct PostgresTextTests {
    @Test(arguments: [
        (48.0, "48"), (-123.73, "-123.73"), (48.3577777777777, "48.3577777777777"), (0, "0"), (-0.0, "-0"),
        (1e-7, "1e-07"), (0.0001, "0.0001"), (-180, "-180"),
    ])
    func numbersHaveTheFewestDigits(value: Double, text: String) {
        #expect(PostgresText.double(value) == text)
    }

    @Test(arguments: [
        ("2035-06-01T19:00:00.25-07:00", "2035-06-02 02:00:00.25+00"),
        ("1970-01-01T00:00:00Z", "1970-01-01 00:00:00+00"),
        ("2035-06-02T02:00:00.000001Z", "2035-06-02 02:00:00.000001+00"),
        ("0000-02-29T12:00:00Z", "0001-02-29 12:00:00+00 BC"),
    ])
    func timesAreInUTC(time: String, text: String) throws {
        #expect(PostgresText.timestamp(try #require(Timestamp(rfc3339: time))) == text)
    }

    @Test func aNULBecomesAReplacementCharacter() {
        #expect(PostgresText.text("a\0b") == "a\u{FFFD}b")
        #expect(PostgresText.text("ab\n") == "ab\n")
        #expect(PostgresText.text(nil) == nil)
    }

    @Test(arguments: [
        (nil, #"\N"#), ("", ""), (#"\N"#, #"\\N"#), (#"\."#, #"\\."#), ("a\tb\nc\rd;é", #"a\tb\nc\rd;é"#),
        ("\u{8}\u{B}\u{C}", "\u{8}\u{B}\u{C}"),
    ])
    func copyEscapesWhatEndsAValue(value: String?, text: String) {
        var bytes: [UInt8] = []
        bytes.append(copied: value)
        #expect(String(decoding: bytes, as: UTF8.self) == text)
    }

    @Test(arguments: [
        ("a", "'a'"), ("", "''"), ("O'Brien", "'O''Brien'"), (#"\'; DROP"#, #"E'\\''; DROP'"#),
        (":name\n;", "':name\n;'"),
    ])
    func literalsMeanTheSameInEachServer(value: String, literal: String) {
        #expect(value.postgresLiteral == literal)
    }
}
