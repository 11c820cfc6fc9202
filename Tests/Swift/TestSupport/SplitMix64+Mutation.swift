import Bytes

/// Deliberately damaged records with a valid checksum.
extension SplitMix64 {
    /// A line of JSON with one of its values replaced by another.
    public mutating func mutated(_ line: String) -> String {
        var bytes = Array(line.utf8)
        let starts = bytes.indices.filter { place in
            place > 0 && (bytes[place - 1] == UInt8(ascii: ":") || bytes[place - 1] == UInt8(ascii: "["))
        }
        guard !starts.isEmpty else { return line + pick(["", ",", "]", "{"]) }
        let start = pick(starts)
        bytes.replaceSubrange(start..<Self.endOfValue(in: bytes, from: start), with: pick(Self.values).utf8)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func endOfValue(in bytes: [UInt8], from start: Int) -> Int {
        var (depth, isInString) = (0, false)
        var place = start
        while place < bytes.count {
            let byte = bytes[place]
            if isInString {
                if byte == UInt8(ascii: "\\") { place += 1 } else if byte == UInt8(ascii: "\"") { isInString = false }
            } else if byte == UInt8(ascii: "\"") {
                isInString = true
            } else if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
                depth += 1
            } else if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") || byte == UInt8(ascii: ",") {
                if depth == 0 { return place }
                if byte != UInt8(ascii: ",") { depth -= 1 }
            }
            place += 1
        }
        return bytes.count
    }

    /// Numbers at the ends of all ranges, wrong types, and values of other members.
    private static let values = [
        "-1", "0", "1", "2", "6", "7", "255", "256", "700", "65536", "4294967296", "9007199254740991",
        "9007199254740992", "9223372036854775807", "-9223372036854775808", "1e308", "-1e308", "1e400", "0.5", "-0",
        "1e-400", "90", "-180", "180.5", "null", "true", "[]", "{}", "[1]", "[null]", "\"\"", "\"x\"", "\"pub\"",
        "\"bars\"", "\"24:00:00\"", "\"24:00:01\"", "\"0000-01-01T00:00:00Z\"", "\"9999-12-31T23:59:59.999999Z\"",
        "\"9999-12-31T23:59:60Z\"", "\"99999999.99\"", "\"0.00\"", "\"a\\u0301\\u0316\\u0000\\ud83c\\udf0a\"",
        "\"super_admin\"", "\"approved\"", "\"api_token\"",
        #"[{"id":1,"day_of_week":1,"open_time":"09:00:00","close_time":"17:00:00","is_closed":false}]"#,
        #"[{"id":1,"day_of_week":1,"is_closed":true},{"id":1,"day_of_week":1,"is_closed":true}]"#,
    ]
}
