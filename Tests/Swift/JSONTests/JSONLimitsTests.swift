import JSON
import Testing

/// Each limit holds to the last unit, whether values are read or skipped.
@Suite struct JSONLimitsTests {
    @Test(
        arguments: [
            ("[[1]]", JSONLimits(depth: 2), nil),
            ("[[[1]]]", JSONLimits(depth: 2), "line 1, column 3: more than 2 objects and arrays inside one another"),
            (
                #"{"a":{"b":{}}}"#, JSONLimits(depth: 2),
                "line 1, column 11: more than 2 objects and arrays inside one another"
            ),
            ("[]", JSONLimits(depth: 0), "line 1, column 1: more than 0 objects and arrays inside one another"),
            ("1", JSONLimits(depth: 0), nil), (#"{"a":1,"b":2}"#, JSONLimits(keys: 2), nil),
            (#"{"a":1,"b":2,"c":3}"#, JSONLimits(keys: 2), "line 1, column 14: more than 2 keys in one object"),
            (#"[{"a":{"b":1,"c":1},"d":1},{"a":1,"b":2}]"#, JSONLimits(keys: 2), nil),
            (#"["12345678","éa","\n\n"]"#, JSONLimits(stringBytes: 8), nil),
            (#"["123456789"]"#, JSONLimits(stringBytes: 8), "line 1, column 2: a string of more than 8 bytes"),
            (#"["ééééa"]"#, JSONLimits(stringBytes: 8), "line 1, column 2: a string of more than 8 bytes"),
            (#"["\n\n\n\n\n"]"#, JSONLimits(stringBytes: 8), "line 1, column 2: a string of more than 8 bytes"),
            (#"{"123456789":1}"#, JSONLimits(stringBytes: 8), "line 1, column 2: a string of more than 8 bytes"),
            (#"{"12345678":"123456789","éé":{"éaaaaaa":1}}"#, JSONLimits(keyBytes: 8), nil),
            (#"{"a":{"éaaaaaaa":1}}"#, JSONLimits(keyBytes: 8), "line 1, column 7: a key of more than 8 bytes"),
            (#"{"\u0301\u0301":1}"#, JSONLimits(keyBytes: 8), "line 1, column 2: a key of more than 8 bytes"),
        ] as [(String, JSONLimits, String?)])
    func holds(document: String, limits: JSONLimits, error: String?) {
        let bytes = Array(document.utf8)
        #expect(failure { () throws(JSONError) in _ = try Tree.read(bytes, limits: limits) }?.description == error)
        #expect(failure { () throws(JSONError) in try Tree.skip(bytes, limits: limits) }?.description == error)
    }

    @Test func depthCostsNoStack() throws {
        let depth = 200_000
        let limits = JSONLimits(depth: depth)
        let brackets = [UInt8](repeating: UInt8(ascii: "["), count: depth)
        try Tree.skip(brackets + [UInt8](repeating: UInt8(ascii: "]"), count: depth), limits: limits)
        let unclosed = failure { () throws(JSONError) in try Tree.skip(brackets, limits: limits) }
        #expect(unclosed?.offset == depth)
    }

    @Test func trustedFilesMayHoldMore() throws {
        let long = "\"" + String(repeating: "x", count: 2_000_000) + "\""
        try Tree.skip(Array(long.utf8), limits: .trusted)
        #expect(failure { () throws(JSONError) in try Tree.skip(Array(long.utf8)) } != nil)
    }
}
