import Bytes
import Testing

/// Hexadecimal in both directions.
@Suite struct HexTests {
    @Test func everyByteComesBack() {
        let bytes = Array(UInt8.min...UInt8.max)
        let text = Hex.encode(bytes)
        #expect(text.hasPrefix("000102") && text.hasSuffix("fdfeff"))
        #expect(Hex.decode(text.utf8) == bytes)
        #expect(Hex.decode(text.uppercased().utf8) == bytes)
    }

    @Test(
        arguments: [
            ("", []), ("00", [0]), ("fF", [255]), ("DeadBeef", [0xDE, 0xAD, 0xBE, 0xEF]),
            ("0", nil), ("000", nil), ("0g", nil), ("g0", nil), ("0x00", nil), ("00 00", nil), ("+1", nil), ("-1", nil),
            ("é", nil),
        ] as [(String, [UInt8]?)])
    func decodes(text: String, bytes: [UInt8]?) {
        #expect(Hex.decode(text.utf8) == bytes)
    }

    @Test(
        arguments: [
            ("00000000", 0), ("ffffffff", .max), ("E3069283", 0xE306_9283), ("0000000a", 10),
            ("", nil), ("fffffff", nil), ("0ffffffff", nil), ("0000000g", nil), ("-0000001", nil), ("+0000001", nil),
        ] as [(String, UInt32?)])
    func integer(text: String, value: UInt32?) {
        #expect(Hex.integer(text.utf8, as: UInt32.self) == value)
    }

    @Test func integersOfOtherWidths() {
        #expect(Hex.integer("ff".utf8, as: UInt8.self) == 255)
        #expect(Hex.integer("fff".utf8, as: UInt8.self) == nil)
        #expect(Hex.integer("beef".utf8, as: UInt16.self) == 0xBEEF)
        #expect(Hex.integer("0123456789abcdef".utf8, as: UInt64.self) == 0x0123_4567_89AB_CDEF)
    }
}
