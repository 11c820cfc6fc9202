import Testing

@testable import JSON

/// Valid and invalid JSON documents, in the manner of the public JSONTestSuite.
@Suite struct JSONGrammarTests {
    @Test(arguments: acceptedStructures + acceptedNumbers.map { "[\($0)]" } + acceptedStrings)
    func accepts(_ text: String) throws {
        let bytes = Array(text.utf8)
        _ = try Tree.read(bytes)
        try Tree.skip(bytes)
        var reader = JSONReader(bytes)
        let raw = try reader.readRaw()
        #expect(bytes.indices.contains { bytes[$0...].starts(with: raw) })
    }

    @Test(arguments: refusedStructures + refusedNumbers.map { "[\($0)]" } + refusedStrings)
    func refuses(_ text: String) { refuse(Array(text.utf8)) }

    /// Bytes that are no text, NUL, and documents that are nothing but depth.
    @Test func refusesOtherBytes() {
        for text in [[0], [0x5B, 0, 0x5D], [0x5B, 0x5D, 0], [0x5B, 0x00, 0x5D, 0x00]] as [[UInt8]] { refuse(text) }
        for text in [[0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D], [0x22, 0xC3], [0x5B, 0x22, 0, 0x22, 0x5D]] as [[UInt8]]
        {
            refuse(text)
        }
        for start in ["[", #"{"":"#] { refuse(Array(String(repeating: start, count: 100_000).utf8)) }
    }

    private func refuse(_ bytes: [UInt8]) {
        let error = failure { () throws(JSONError) in _ = try Tree.read(bytes) }
        #expect(error != nil)
        #expect(failure { () throws(JSONError) in try Tree.skip(bytes) } == error, "skipping finds the same")
    }

    static let acceptedStructures = [
        "[]", #"[""]"#, #"[null, 1, "1", {}]"#, "[[[[]]],[]]", "[ \t1\r\n,\n2 ]", " [1]", "[1]\n",
        "\t\n\r                 \n                         {\r\n\t\"a\"         :\n1 } \n", "{}", #"{"a":[]}"#,
        #"{"":0}"#, #"{"foo\u0000bar":42}"#, #"{"a":1,"A":2}"#, "{\"caf\u{E9}\":1,\"cafe\u{301}\":2}",
        #"{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]}"#, "true", "false", "null", "-0.1", #""asd""#,
        String(repeating: "[", count: 64) + String(repeating: "]", count: 64),
    ]

    static let refusedStructures = [
        "", " \n\t", "[", "[1", "[1,", "[1,]", "[1,,2]", "[,]", "[,1]", "[1 2]", "[1:2]", "[1}", "[1]]", "{", #"{"a"#,
        #"{"a""#, #"{"a":"#, #"{"a":1"#, #"{"a":1,"#, #"{"a":1,}"#, "{,}", #"{,"a":1}"#, #"{"a":1,,"b":2}"#,
        #"{"a":1 "b":2}"#, #"{"a" 1}"#, #"{"a"::1}"#, #"{"a",1}"#, #"{"a":}"#, "{:1}", "{a:1}", "{'a':1}", "{1:1}",
        "{null:1}", #"{"a":1]"#, #"{"a":1,"a":1}"#, #"{"":1,"":1}"#, #"{"a":1,"\u0061":1}"#,
        #"{"\u0061":1,"\u0061":1}"#, #"{"a":{"b":1},"b":2,"a":3}"#, "1 2", "{} x", "[],", "[\u{0C}]", "[\u{0B}1]",
        "[\u{A0}1]", "\u{FEFF}[]", "[\u{FEFF}1]", "\u{FEFF}", "[1] // one", "[/* none */]", "tru", "[fals]", "[nul]",
        "[True]", "NULL", "[nulls]", "[undefined]",
        String(repeating: "[", count: 65) + String(repeating: "]", count: 65),
    ]

    static let acceptedNumbers = [
        "0", "-0", "1", "-1", "123", "10", "0.5", "-0.5", "0.0", "1.0", "1e2", "1E2", "1e+2", "1E-2", "0e1", "0E+1",
        "123.456e78", "1e0", "1e00", "-0.0", "0.00000000000000000000000000000000001", "1e-400", "9223372036854775807",
        "-9223372036854775808", "1.7976931348623157e308", "1e-999999999999999999999999",
    ]

    static let refusedNumbers = [
        "-", "+1", "--1", "01", "-01", "00", "-00", "012", "1.", "-1.", ".5", "-.5", "1.e1", "1e", "1e+", "1e-", "1E",
        "1ea", "1e1.5", "1e1e1", "0x1", "1_000", "1,000.0.0", "1.2.3", "1-2", "1+2", "1a", "0b1", "Infinity",
        "-Infinity", "NaN", "-NaN", "nan", "inf", "∞", "１", "- 1", "1 e1", "1 .5", "$1",
    ]

    static let acceptedStrings = [
        #"["\"\\\/\b\f\n\r\t"]"#, #"["\u00e9\u00E9\uaBcD"]"#, #"["\u0000"]"#, #"["\uD801\udc37"]"#,
        #"["\ud800\udc00\udbff\udfff"]"#, #"["\uFFFF"]"#, "[\"\u{80}\u{7FF}\"]",
        "[\"\u{800}\u{D7FF}\u{E000}\u{FFFF}\"]", "[\"\u{10000}\u{10FFFF}\"]", "[\"\u{FEFF}\"]",
        "[\"\u{2028}\u{2029}\"]", "[\"\u{7F}\"]", #"["\\u12"]"#, #"["a/*b*/c//d"]"#,
        "[\"" + String(repeating: "x", count: 1000) + "\\n\"]",
    ]

    static let refusedStrings = [
        #"["a"#, "\"", #"["a\"#, #"["a\"]"#, "['a']", #"["\x41"]"#, #"["\a"]"#, #"["\0"]"#, #"["\'"]"#, #"["\U0041"]"#,
        "[\"\\\n\"]", "[\"\\\u{1F600}\"]", #"["\u"]"#, #"["\u1"]"#, #"["\u004"]"#, #"["\u00G0"]"#, #"["\u+041"]"#,
        #"["\uD800"]"#, #"["\uD800abcdef"]"#, #"["\uDC00"]"#, #"["\uD800\uD800"]"#, #"["\uDC00\uD800"]"#,
        #"["\uD800\u0041"]"#, #"["\uD800\n"]"#, #"["\uD800\u"]"#, #"["\uD800\"#, "[\"\n\"]", "[\"\t\"]",
        "[\"\u{1F}\"]", "{\"a\u{01}\":1}",
    ]
}
