import Bytes
import Testing

/// Text appended to bytes.
@Suite struct ArrayBytesTests {
    private func text(_ append: (inout [UInt8]) -> Void) -> String {
        var bytes: [UInt8] = Array("> ".utf8)
        append(&bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: [
        0, 1, 9, 10, 11, 99, 100, 101, 999, 1000, 12_345, 1_000_000_007, -1, -9, -10, -99, -100, .max, .max - 1, .min,
        .min + 1,
    ])
    func decimal(value: Int) {
        #expect(text { $0.append(decimal: value) } == "> \(value)")
    }

    @Test func decimalOfEveryMagnitude() {
        for power in 0..<63 {
            for value in [1 << power, (1 << power) - 1, -(1 << power), (1 << power) / 10 * 10] {
                #expect(text { $0.append(decimal: value) } == "> \(value)")
            }
        }
    }

    @Test(arguments: [
        (0, 1, "0"), (0, 4, "0000"), (7, 1, "7"), (7, 2, "07"), (10, 2, "10"), (99, 2, "99"), (100, 2, "100"),
        (12, 6, "000012"), (999_999, 6, "999999"), (1, 18, "000000000000000001"),
        (999_999_999_999_999_999, 18, "999999999999999999"), (Int.max, 18, "9223372036854775807"),
    ])
    func decimalOfWidth(value: Int, width: Int, expected: String) {
        #expect(text { $0.append(decimal: value, width: width) } == "> " + expected)
    }

    @Test func hex() {
        #expect(text { $0.append(hex: UInt8(0)) } == "> 00")
        #expect(text { $0.append(hex: UInt8(0xA5)) } == "> a5")
        #expect(text { $0.append(hex: UInt16(0xBEE)) } == "> 0bee")
        #expect(text { $0.append(hex: UInt32(0xE306_9283)) } == "> e3069283")
        #expect(text { $0.append(hex: UInt64.max) } == "> ffffffffffffffff")
        #expect(text { $0.append(hex: UInt64(1)) } == "> 0000000000000001")
    }

    @Test func literalsAndStrings() {
        #expect(text { $0.append("") } == "> ")
        #expect(text { $0.append("é\n") } == "> é\n")
        #expect(text { $0.append(utf8: "") } == "> ")
        #expect(
            text { $0.append(utf8: "a string that is longer than fifteen bytes: é😀") }
                == "> a string that is longer than fifteen bytes: é😀")
        #expect([UInt8]("caf\u{E9}") == [0x63, 0x61, 0x66, 0xC3, 0xA9])
    }

    @Test(
        arguments: [
            ([], ""), ([0x61], "a"), ([0], "\0"), ([0xC3, 0xA9], "é"), ([0xF0, 0x9F, 0x98, 0x80], "😀"),
            ([0xEF, 0xBB, 0xBF], "\u{FEFF}"),
            ([0xC3], nil), ([0xC0, 0x80], nil), ([0xED, 0xA0, 0x80], nil), ([0xF4, 0x90, 0x80, 0x80], nil),
            ([0xFF], nil),
        ] as [([UInt8], String?)])
    func stringOfValidUTF8(bytes: [UInt8], expected: String?) {
        #expect(String(validUTF8: bytes) == expected)
        #expect(String(validUTF8: bytes[...]) == expected)
    }
}
