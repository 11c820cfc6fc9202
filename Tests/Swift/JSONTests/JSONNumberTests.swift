import JSON
import TestSupport
import Testing

/// Integers to the last digit, and doubles to the last bit.
@Suite struct JSONNumberTests {
    @Test(
        arguments: [
            ("0", 0), ("-0", 0), ("7", 7), ("-7", -7), ("10", 10), ("100000", 100_000),
            ("999999999999999999", 999_999_999_999_999_999), ("1000000000000000000", 1_000_000_000_000_000_000),
            ("9223372036854775807", .max), ("-9223372036854775808", .min), ("-9223372036854775807", .min + 1),
        ] as [(String, Int)])
    func readsInteger(text: String, value: Int) throws {
        for document in [text, " \(text) ", "[\(text)]"] {
            var reader = JSONReader(document)
            if document.hasPrefix("[") {
                try reader.beginArray()
                #expect(try reader.nextElement())
            }
            #expect(try reader.readInt() == value)
        }
    }

    @Test(arguments: [
        "9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616",
        "99999999999999999999999999",
    ])
    func refusesIntegerThatDoesNotFit(text: String) {
        var reader = JSONReader("[\(text)]")
        let error = failure { () throws(JSONError) in
            try reader.beginArray()
            _ = try reader.nextElement()
            _ = try reader.readInt()
        }
        #expect(error?.description == "line 1, column 2: an integer beyond -9223372036854775808 to 9223372036854775807")
    }

    @Test(arguments: ["1.0", "1.5", "1e2", "-0.0", "0e0", "1E400"])
    func refusesFractionAsInteger(text: String) {
        var reader = JSONReader(text)
        let error = failure { () throws(JSONError) in _ = try reader.readInt() }
        #expect(error?.message == "expected an integer, found a fraction or an exponent")
    }

    @Test(arguments: [
        "0", "-0", "0.0", "-0.0", "1", "-1", "48", "48.3741", "-123.7262", "0.1", "1e22", "1e23", "1e-22", "1e-23",
        "9007199254740992", "9007199254740993", "9007199254740993e0", "9007199254740992e22", "9007199254740992e23",
        "1.7976931348623157e308", "4.9e-324", "5e-324", "2.2250738585072014e-308", "2.2250738585072011e-308",
        "1e-400", "-1e-400", "0e999999999999999999999", "123456789012345678901234567890", "1e-999999999999999999999",
        "0.000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001e+100",
        "100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000e-90",
        "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017977587207096330286",
        "1.00000000000000011102230246251565404236316680908203125", "8.5e-1", "1E5", "1e+05",
    ])
    func readsDoubleAsTheStandardLibraryDoes(text: String) throws {
        var reader = JSONReader(text)
        #expect(try reader.readDouble().bitPattern == Double(text)?.bitPattern)
    }

    @Test(arguments: ["1e309", "-1e309", "1.7976931348623159e308", "1e99999999999999999999999"])
    func refusesDoubleThatIsNotFinite(text: String) {
        var reader = JSONReader(text)
        let error = failure { () throws(JSONError) in _ = try reader.readDouble() }
        #expect(error?.description == "line 1, column 1: a number beyond ±1.7976931348623157e+308")
    }

    /// What is written reads back as the same bits, and as the standard library reads it.
    @Test func randomDoublesComeBack() throws {
        var random = SplitMix64(seed: 8259)
        var count = 0
        while count < Cases.count(10_000, of: 100_000) {
            let value = Double(bitPattern: random.next())
            guard value.isFinite else { continue }
            try checkComesBack(value)
            count += 1
        }
    }

    /// Numbers as people write them: some digits before the point and some after it.
    @Test func randomDecimalsAreReadAsTheStandardLibraryDoes() throws {
        var random = SplitMix64(seed: 4627)
        for _ in 0..<Cases.count(10_000, of: 50_000) {
            let digits = String(random.next() >> UInt64.random(in: 0..<60, using: &random))
            let point = digits.index(digits.startIndex, offsetBy: Int.random(in: 1...digits.count, using: &random))
            var text = Int.random(in: 0...1, using: &random) == 0 ? "" : "-"
            text +=
                point < digits.endIndex && digits[digits.startIndex] != "0"
                ? "\(digits[..<point]).\(digits[point...])" : digits
            if Int.random(in: 0...2, using: &random) == 0 { text += "e\(Int.random(in: -30...30, using: &random))" }
            var reader = JSONReader(text)
            let value = try reader.readDouble()
            #expect(value.bitPattern == Double(text)?.bitPattern, "\(text)")
            try checkComesBack(value)
        }
    }

    private func checkComesBack(_ value: Double) throws {
        var bytes: [UInt8] = []
        bytes.append(json: value)
        var reader = JSONReader(bytes)
        let read = try reader.readDouble()
        try reader.finish()
        let text = String(decoding: bytes, as: UTF8.self)
        if read.bitPattern != value.bitPattern || Double(text)?.bitPattern != value.bitPattern || text.hasSuffix(".0") {
            Issue.record("\(value) was written as \(text) and read as \(read)")
        }
    }
}
