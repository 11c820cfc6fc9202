import JSON
import Testing

/// Valid and invalid JSON documents, in the manner of the public JSONTestSuite: `y_` is accepted, `n_` refused.
@Suite struct JSONGrammarTests {
    struct Case: CustomTestStringConvertible {
        let name: String
        let bytes: [UInt8]
        var testDescription: String { name }

        init(_ name: String, _ text: String) {
            self.init(name, Array(text.utf8))
        }

        init(_ name: String, _ bytes: [UInt8]) {
            (self.name, self.bytes) = (name, bytes)
        }
    }

    @Test(arguments: acceptedStructures + acceptedNumbers + acceptedStrings)
    func accepts(_ example: Case) throws {
        _ = try Tree.read(example.bytes)
        try Tree.skip(example.bytes)
        var reader = JSONReader(example.bytes)
        let raw = try reader.readRaw()
        #expect(example.bytes.indices.contains { example.bytes[$0...].starts(with: raw) })
    }

    @Test(arguments: refusedStructures + refusedNumbers + refusedStrings)
    func refuses(_ example: Case) {
        let error = failure { () throws(JSONError) in _ = try Tree.read(example.bytes) }
        #expect(error != nil)
        #expect(failure { () throws(JSONError) in try Tree.skip(example.bytes) } == error, "skipping finds the same")
    }

    static let acceptedStructures = [
        Case("y_array_empty", "[]"),
        Case("y_array_empty_string", #"[""]"#),
        Case("y_array_heterogeneous", #"[null, 1, "1", {}]"#),
        Case("y_array_nested", "[[[[]]],[]]"),
        Case("y_array_with_spaces", "[ \t1\r\n,\n2 ]"),
        Case("y_array_with_leading_space", " [1]"),
        Case("y_array_with_trailing_newline", "[1]\n"),
        Case(
            "y_white_space_of_many_kinds",
            "\t\n\r                 \n                         {\r\n\t\"a\"         :\n1 } \n"),
        Case("y_object_empty", "{}"),
        Case("y_object_simple", #"{"a":[]}"#),
        Case("y_object_empty_key", #"{"":0}"#),
        Case("y_object_escaped_null_in_key", #"{"foo\u0000bar":42}"#),
        Case("y_object_keys_that_differ_in_case", #"{"a":1,"A":2}"#),
        Case("y_object_keys_that_only_look_the_same", "{\"caf\u{E9}\":1,\"cafe\u{301}\":2}"),
        Case("y_object_same_key_at_two_depths", #"{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]}"#),
        Case("y_lone_true", "true"),
        Case("y_lone_false", "false"),
        Case("y_lone_null", "null"),
        Case("y_lone_number", "-0.1"),
        Case("y_lone_string", #""asd""#),
        Case("y_depth_64", String(repeating: "[", count: 64) + String(repeating: "]", count: 64)),
    ]

    static let refusedStructures = [
        Case("n_empty", ""),
        Case("n_white_space_only", " \n\t"),
        Case("n_array_unclosed", "["),
        Case("n_array_unclosed_after_value", "[1"),
        Case("n_array_unclosed_after_comma", "[1,"),
        Case("n_array_extra_comma", "[1,]"),
        Case("n_array_double_comma", "[1,,2]"),
        Case("n_array_comma_only", "[,]"),
        Case("n_array_comma_first", "[,1]"),
        Case("n_array_missing_comma", "[1 2]"),
        Case("n_array_colon", "[1:2]"),
        Case("n_array_closed_as_object", "[1}"),
        Case("n_array_extra_close", "[1]]"),
        Case("n_object_unclosed", "{"),
        Case("n_object_unclosed_key", #"{"a"#),
        Case("n_object_unclosed_after_key", #"{"a""#),
        Case("n_object_unclosed_after_colon", #"{"a":"#),
        Case("n_object_unclosed_after_value", #"{"a":1"#),
        Case("n_object_unclosed_after_comma", #"{"a":1,"#),
        Case("n_object_trailing_comma", #"{"a":1,}"#),
        Case("n_object_comma_only", "{,}"),
        Case("n_object_comma_first", #"{,"a":1}"#),
        Case("n_object_double_comma", #"{"a":1,,"b":2}"#),
        Case("n_object_missing_comma", #"{"a":1 "b":2}"#),
        Case("n_object_missing_colon", #"{"a" 1}"#),
        Case("n_object_double_colon", #"{"a"::1}"#),
        Case("n_object_comma_for_colon", #"{"a",1}"#),
        Case("n_object_missing_value", #"{"a":}"#),
        Case("n_object_no_key", "{:1}"),
        Case("n_object_unquoted_key", "{a:1}"),
        Case("n_object_single_quotes", "{'a':1}"),
        Case("n_object_number_as_key", "{1:1}"),
        Case("n_object_null_as_key", "{null:1}"),
        Case("n_object_closed_as_array", #"{"a":1]"#),
        Case("n_object_duplicate_key", #"{"a":1,"a":1}"#),
        Case("n_object_duplicate_empty_key", #"{"":1,"":1}"#),
        Case("n_object_duplicate_key_one_escaped", #"{"a":1,"\u0061":1}"#),
        Case("n_object_duplicate_key_both_escaped", #"{"\u0061":1,"\u0061":1}"#),
        Case("n_object_duplicate_after_nested", #"{"a":{"b":1},"b":2,"a":3}"#),
        Case("n_two_values", "1 2"),
        Case("n_trailing_garbage", "{} x"),
        Case("n_trailing_comma", "[],"),
        Case("n_trailing_nul", [UInt8]("[]") + [0]),
        Case("n_nul_only", [0]),
        Case("n_nul_between", [UInt8]("[") + [0] + [UInt8]("]")),
        Case("n_form_feed_as_space", "[\u{0C}]"),
        Case("n_vertical_tab_as_space", "[\u{0B}1]"),
        Case("n_no_break_space", "[\u{A0}1]"),
        Case("n_byte_order_mark", "\u{FEFF}[]"),
        Case("n_byte_order_mark_inside", "[\u{FEFF}1]"),
        Case("n_byte_order_mark_alone", "\u{FEFF}"),
        Case("n_utf16", [0x5B, 0x00, 0x5D, 0x00]),
        Case("n_line_comment", "[1] // one"),
        Case("n_block_comment", "[/* none */]"),
        Case("n_literal_incomplete", "tru"),
        Case("n_literal_incomplete_false", "[fals]"),
        Case("n_literal_incomplete_null", "[nul]"),
        Case("n_literal_capital", "[True]"),
        Case("n_literal_capital_null", "NULL"),
        Case("n_literal_too_long", "[nulls]"),
        Case("n_undefined", "[undefined]"),
        Case("n_depth_65", String(repeating: "[", count: 65) + String(repeating: "]", count: 65)),
        Case("n_depth_100000_open_arrays", String(repeating: "[", count: 100_000)),
        Case("n_depth_100000_open_objects", String(repeating: #"{"":"#, count: 100_000)),
    ]

    static let acceptedNumbers = [
        "0", "-0", "1", "-1", "123", "10", "0.5", "-0.5", "0.0", "1.0", "1e2", "1E2", "1e+2", "1E-2", "0e1", "0E+1",
        "123.456e78", "1e0", "1e00", "-0.0", "0.00000000000000000000000000000000001", "1e-400", "9223372036854775807",
        "-9223372036854775808", "1.7976931348623157e308", "1e-999999999999999999999999",
    ].map { Case("y_number \($0)", "[\($0)]") }

    static let refusedNumbers = [
        "-", "+1", "--1", "01", "-01", "00", "-00", "012", "1.", "-1.", ".5", "-.5", "1.e1", "1e", "1e+", "1e-", "1E",
        "1ea", "1e1.5", "1e1e1", "0x1", "1_000", "1,000.0.0", "1.2.3", "1-2", "1+2", "1a", "0b1", "Infinity",
        "-Infinity", "NaN", "-NaN", "nan", "inf", "∞", "１", "- 1", "1 e1", "1 .5", "$1",
    ].map { Case("n_number \($0)", "[\($0)]") }

    static let acceptedStrings = [
        Case("y_string_all_escapes", #"["\"\\\/\b\f\n\r\t"]"#),
        Case("y_string_escape_upper_and_lower_hex", #"["\u00e9\u00E9\uaBcD"]"#),
        Case("y_string_escaped_nul", #"["\u0000"]"#),
        Case("y_string_surrogate_pair", #"["\uD801\udc37"]"#),
        Case("y_string_first_and_last_pair", #"["\ud800\udc00\udbff\udfff"]"#),
        Case("y_string_escaped_noncharacter", #"["\uFFFF"]"#),
        Case("y_string_two_byte", "[\"\u{80}\u{7FF}\"]"),
        Case("y_string_three_byte", "[\"\u{800}\u{D7FF}\u{E000}\u{FFFF}\"]"),
        Case("y_string_four_byte", "[\"\u{10000}\u{10FFFF}\"]"),
        Case("y_string_byte_order_mark_in_text", "[\"\u{FEFF}\"]"),
        Case("y_string_line_separators", "[\"\u{2028}\u{2029}\"]"),
        Case("y_string_delete", "[\"\u{7F}\"]"),
        Case("y_string_backslash_before_u", #"["\\u12"]"#),
        Case("y_string_with_comment", #"["a/*b*/c//d"]"#),
        Case("y_string_long_with_late_escape", "[\"" + String(repeating: "x", count: 1000) + "\\n\"]"),
    ]

    static let refusedStrings = [
        Case("n_string_unclosed", #"["a"#),
        Case("n_string_quote_only", "\""),
        Case("n_string_unclosed_after_backslash", #"["a\"#),
        Case("n_string_escaped_closing_quote", #"["a\"]"#),
        Case("n_string_single_quotes", "['a']"),
        Case("n_string_bad_escape_x", #"["\x41"]"#),
        Case("n_string_bad_escape_a", #"["\a"]"#),
        Case("n_string_bad_escape_zero", #"["\0"]"#),
        Case("n_string_bad_escape_quote", #"["\'"]"#),
        Case("n_string_bad_escape_capital_u", #"["\U0041"]"#),
        Case("n_string_bad_escape_line_feed", "[\"\\\n\"]"),
        Case("n_string_bad_escape_emoji", "[\"\\\u{1F600}\"]"),
        Case("n_string_escape_without_digits", #"["\u"]"#),
        Case("n_string_escape_one_digit", #"["\u1"]"#),
        Case("n_string_escape_three_digits", #"["\u004"]"#),
        Case("n_string_escape_no_hex_digit", #"["\u00G0"]"#),
        Case("n_string_escape_sign", #"["\u+041"]"#),
        Case("n_string_lone_lead_surrogate", #"["\uD800"]"#),
        Case("n_string_lone_lead_then_text", #"["\uD800abcdef"]"#),
        Case("n_string_lone_trail_surrogate", #"["\uDC00"]"#),
        Case("n_string_lead_twice", #"["\uD800\uD800"]"#),
        Case("n_string_pair_reversed", #"["\uDC00\uD800"]"#),
        Case("n_string_lead_then_scalar", #"["\uD800\u0041"]"#),
        Case("n_string_lead_then_other_escape", #"["\uD800\n"]"#),
        Case("n_string_lead_then_half_escape", #"["\uD800\u"]"#),
        Case("n_string_lead_at_end", #"["\uD800\"#),
        Case("n_string_raw_line_feed", "[\"\n\"]"),
        Case("n_string_raw_tab", "[\"\t\"]"),
        Case("n_string_raw_nul", [UInt8]("[\"") + [0] + [UInt8]("\"]")),
        Case("n_string_raw_1f", "[\"\u{1F}\"]"),
        Case("n_string_key_raw_control", "{\"a\u{01}\":1}"),
        Case("n_string_utf8_key", [UInt8]("{\"") + [0xFF] + [UInt8]("\":1}")),
        Case("n_string_utf8_in_value_end_of_document", [UInt8]("\"") + [0xC3]),
    ]
}
