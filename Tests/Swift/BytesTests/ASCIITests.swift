import Bytes
import Testing

/// Every class over every byte, against its list.
@Suite struct ASCIITests {
    static let digits = "0123456789"
    static let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

    @Test func classesHoldTheirBytesAndNoOthers() {
        let token = Self.digits + Self.letters + "!#$%&'*+-.^_`|~"
        let host = Self.digits + Self.letters + "!$%&'()*+,-.;=_~"
        for byte in UInt8.min...UInt8.max {
            #expect(ASCII.isDigit(byte) == Self.digits.utf8.contains(byte))
            #expect(ASCII.isLetter(byte) == Self.letters.utf8.contains(byte))
            #expect(ASCII.isControl(byte) == (byte < 32 || byte == 127))
            #expect(ASCII.isTokenCharacter(byte) == token.utf8.contains(byte))
            #expect(ASCII.isHostCharacter(byte) == host.utf8.contains(byte))
            #expect(ASCII.isFieldCharacter(byte) == (byte == 9 || 32...126 ~= byte || byte >= 128))
            #expect(ASCII.isTargetCharacter(byte) == (33...126 ~= byte && byte != 35 || byte >= 128))
            #expect(ASCII.decimalValue(byte) == Array(Self.digits.utf8).firstIndex(of: byte))
            let hex =
                Array("0123456789abcdef".utf8).firstIndex(of: byte)
                ?? Array("0123456789ABCDEF".utf8).firstIndex(of: byte)
            #expect(ASCII.hexValue(byte).map(Int.init) == hex)
            let lower = 65...90 ~= byte ? byte + 32 : byte
            #expect(ASCII.lowercased(byte) == lower)
        }
    }

    @Test(arguments: [
        ("", "", true), ("Content-Length", "content-LENGTH", true), ("a", "b", false), ("a", "aa", false),
        ("[", "{", false), ("@", "`", false), ("É", "é", false), ("é", "é", true),
    ])
    func comparesIgnoringCase(left: String, right: String, equal: Bool) {
        #expect(ASCII.equalIgnoringCase(left.utf8, right.utf8) == equal)
        #expect(ASCII.equalIgnoringCase(right.utf8, left.utf8) == equal)
    }

    @Test(
        arguments: [
            ("GET", "GET", true, true), ("GET", "get", false, true), ("GET", "GETS", false, false),
            ("", "", true, true), ("GET", "PUT", false, false),
        ] as [(String, StaticString, Bool, Bool)])
    func comparesWithLiterals(text: String, literal: StaticString, isEqual: Bool, isEqualIgnoringCase: Bool) {
        let bytes = Array(text.utf8)
        #expect(bytes.span.equals(literal) == isEqual)
        #expect(bytes.span.equalsIgnoringCase(literal) == isEqualIgnoringCase)
    }
}
