import JSON
import Testing

/// The pull reader: sequences of calls, and the locations of errors.
@Suite struct JSONReaderTests {
    @Test(arguments: [
        ("1", "1"), (" [1, 2 ] ", "[1, 2 ]"), ("\n{\"a\" : {\"b\":[ ]}}", "{\"a\" : {\"b\":[ ]}}"),
        ("\t\"x\\n\"", "\"x\\n\""), ("null ", "null"),
    ])
    func readsRaw(document: String, raw: String) throws {
        var reader = JSONReader(document)
        #expect(String(decoding: try reader.readRaw(), as: UTF8.self) == raw)
        try reader.finish()
    }

    @Test func skipsWhatIsNotWanted() throws {
        var reader = JSONReader(#"{"a":{"b":[1,{"c":[]}],"d":"}"},"e":5}"#)
        try reader.beginObject()
        #expect(try reader.nextKey() == "a")
        try reader.skipValue()
        #expect(try reader.nextKey() == "e")
        #expect(try reader.readInt() == 5)
        #expect(try reader.nextKey() == nil)
        try reader.finish()
    }

    @Test func countsLinesOfValues() throws {
        var reader = JSONReader("[\n  1,\n\n  {\"a\":\r\n2},\n\"é\"\n]")
        #expect(reader.line == 1)
        try reader.beginArray()
        var lines: [Int] = []
        while try reader.nextElement() {
            lines.append(reader.line)
            try reader.skipValue()
        }
        #expect(lines == [2, 4, 6])
        #expect(reader.line == 7)
    }

    // MARK: Errors

    @Test(arguments: [
        ("", 0, 1, 1, "expected a value, found the end of the document"),
        ("  ", 2, 1, 3, "expected a value, found the end of the document"),
        ("[1,\n2,\n", 7, 3, 1, "expected a value, found the end of the document"),
        ("[1\n 2]", 4, 2, 2, "expected a comma or ], found a number"),
        ("[\"é😀\" \"x\"]", 10, 1, 7, "expected a comma or ], found a string"),
        ("[1,]", 3, 1, 4, "expected a value, found ']'"),
        ("{\"a\" 1}", 5, 1, 6, "expected a colon after the key, found a number"),
        ("{\"a\":1;}", 6, 1, 7, "expected a comma or }, found ';'"),
        ("{a:1}", 1, 1, 2, "expected a key, found 'a'"),
        ("{\"a\":1,}", 7, 1, 8, "expected a key, found '}'"),
        ("{\"a\":1,\n \"b\":2,\n \"a\":3}", 17, 3, 2, "the key \"a\" is there twice in one object"),
        ("{\"é\":1,\"\\u00e9\":3}", 8, 1, 8, "the key \"é\" is there twice in one object"),
        ("[tru]", 1, 1, 2, "expected true or false, found 'tru'"),
        ("[nil]", 1, 1, 2, "expected null, found 'nil'"),
        ("[NaN]", 1, 1, 2, "expected a value, found 'NaN'"),
        ("\u{FEFF}[]", 0, 1, 1, "expected a value, found a byte order mark (U+FEFF)"),
        ("[\u{01}]", 1, 1, 2, "expected a value, found the byte 0x01"),
        ("[é]", 1, 1, 2, "expected a value, found the byte 0xC3"),
        ("[] []", 3, 1, 4, "expected the end of the document, found an array"),
        ("[\r\n-x]", 3, 2, 1, "a sign that no digit follows"),
        ("[007]", 1, 1, 2, "a number with a needless 0 before it"),
        ("[1.]", 2, 1, 3, "a decimal point that no digit follows"),
        ("[1e+]", 2, 1, 3, "an exponent without a digit"),
        ("[\"abc", 1, 1, 2, "a string without its closing quote"),
        ("[\"abc\\", 5, 1, 6, "a backslash that none of \"\\/bfnrtu follows"),
        ("[\"ab\\x\"]", 4, 1, 5, "a backslash that none of \"\\/bfnrtu follows"),
        ("[\"ab\\u12\"]", 4, 1, 5, "a \\u that four hexadecimal digits do not follow"),
        ("[\"ab\\ud800\"]", 4, 1, 5, "half of a surrogate pair"),
        ("[\"a\nb\"]", 3, 1, 4, "a control character that is not escaped"),
    ])
    func pointsAtTheFault(document: String, offset: Int, line: Int, column: Int, message: String) {
        let error = failure { () throws(JSONError) in try Tree.skip(Array(document.utf8)) }
        #expect(error?.offset == offset)
        #expect(error?.description == "line \(line), column \(column): \(message)")
    }

    typealias Read = @Sendable (inout JSONReader) throws(JSONError) -> Void

    @Test(
        arguments: [
            ("an object", { @Sendable (reader: inout JSONReader) throws(JSONError) in try reader.beginObject() }),
            ("an array", { @Sendable (reader: inout JSONReader) throws(JSONError) in try reader.beginArray() }),
            ("a string", { @Sendable (reader: inout JSONReader) throws(JSONError) in _ = try reader.readString() }),
            ("an integer", { @Sendable (reader: inout JSONReader) throws(JSONError) in _ = try reader.readInt() }),
            ("a number", { @Sendable (reader: inout JSONReader) throws(JSONError) in _ = try reader.readDouble() }),
            ("true or false", { @Sendable (reader: inout JSONReader) throws(JSONError) in _ = try reader.readBool() }),
        ] as [(String, Read)])
    func saysWhatItFoundInstead(expected: String, read: Read) {
        let values = [
            ("{}", "an object"), ("[]", "an array"), ("\"\"", "a string"), ("0", "a number"), ("true", "'true'"),
            ("null", "'null'"), ("", "the end of the document"),
        ]
        let own = ["an integer": "a number", "true or false": "'true'"][expected] ?? expected
        for (document, found) in values where found != own {
            var reader = JSONReader("\n " + document)
            let error = failure { () throws(JSONError) in try read(&reader) }
            #expect(error?.description == "line 2, column 2: expected \(expected), found \(found)")
        }
    }

    @Test func errorsOfTheCallerPointAtWhatWasLookedAtLast() throws {
        var reader = JSONReader("{\"day\":\n  9, \"list\":\n [1,\n2] , \"x\": \"y\"\n}")
        try reader.beginObject()
        #expect(reader.error("m").description == "line 1, column 1: m")
        _ = try reader.nextKey()
        #expect(reader.error("m").description == "line 1, column 2: m")
        _ = try reader.peek()
        #expect(reader.error("m").description == "line 2, column 3: m")
        _ = try reader.readInt()
        #expect(reader.error("m") == reader.error("m"))
        #expect(reader.error("m").description == "line 2, column 3: m")
        _ = try reader.nextKey()
        try reader.beginArray()
        while try reader.nextElement() { _ = try reader.readInt() }
        #expect(reader.error("m").description == "line 3, column 2: m", "after its end an array's beginning")
        _ = try reader.nextKey()
        #expect(reader.line == 4)
        #expect(try reader.readNull() == false)
        #expect(reader.error("m").description == "line 4, column 11: m")
        try reader.skipValue()
        #expect(reader.error("m").description == "line 4, column 11: m")
        #expect(try reader.nextKey() == nil)
        #expect(reader.error("m").description == "line 1, column 1: m", "counted afresh when it lies before")
    }

    @Test func callsInTheWrongPlaceTrap() async {
        await #expect(processExitsWith: .failure) {
            var reader = JSONReader("[]")
            try reader.beginArray()
            _ = try reader.nextKey()
        }
        await #expect(processExitsWith: .failure) {
            var reader = JSONReader("{}")
            try reader.beginObject()
            _ = try reader.nextElement()
        }
        await #expect(processExitsWith: .failure) {
            var reader = JSONReader("{}")
            try reader.beginObject()
            try reader.finish()
        }
    }
}
