import Bytes
import Testing

/// Base 64 for URLs against the vectors of RFC 4648, section 10, without their padding.
@Suite struct Base64URLTests {
    @Test(
        arguments: [
            ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
            ("foobar", "Zm9vYmFy"),
        ])
    func published(plain: String, text: String) {
        #expect(Base64URL.encode(plain.utf8) == text)
        for count in 0...8 { #expect(Base64URL.isText(text.utf8, of: count) == (count == plain.utf8.count)) }
        #expect(Base64URL.decode(text.utf8) == Array(plain.utf8))
    }

    @Test func theTwoCharactersOfItsOwn() {
        #expect(Base64URL.encode([0xFB, 0xEF, 0xFF]) == "--__"[...].prefix(3) + "_")
        #expect(Base64URL.encode([0xFB, 0xFF, 0xFE]) == "-__-" && Base64URL.isText("-__-".utf8, of: 3))
    }

    @Test func everyByteAndLengthHasAText() {
        let bytes = Array(UInt8.min...UInt8.max)
        for length in 0...bytes.count {
            let text = Base64URL.encode(bytes.prefix(length))
            #expect(text.utf8.count == (length * 8 + 5) / 6)
            #expect(Base64URL.isText(text.utf8, of: length))
            #expect(Base64URL.decode(text.utf8) == Array(bytes.prefix(length)))
        }
    }

    @Test(
        arguments: [
            "Z", "Zm9vY", "Zg==", "Zm8=", "Zm+v", "Zm/v", "Zm 9", "Zm9v\n", "é", "Zh", "Zm9",
        ])
    func refused(text: String) {
        for count in 0...8 { #expect(!Base64URL.isText(text.utf8, of: count)) }
    }
}
