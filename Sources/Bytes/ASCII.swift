/// Classes of ASCII bytes, by the grammars that use them.
public enum ASCII {
    /// Line feed, `\n`.
    public static let lineFeed = UInt8(ascii: "\n")
    /// Carriage return, `\r`.
    public static let carriageReturn = UInt8(ascii: "\r")

    /// `DIGIT`: `0` to `9`.
    @inlinable
    public static func isDigit(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10
    }

    /// `ALPHA`: `A` to `Z` and `a` to `z`.
    @inlinable
    public static func isLetter(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- UInt8(ascii: "a") < 26
    }

    /// `CTL`: 0 to 31 and 127.
    @inlinable
    public static func isControl(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x7F
    }

    /// `tchar` of RFC 9110, section 5.6.2: the bytes of a method or a field name.
    @inlinable
    public static func isTokenCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case _ where isDigit(byte) || isLetter(byte): true
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
            UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// `A` to `Z` as `a` to `z`; every other byte unchanged.
    @inlinable
    public static func lowercased(_ byte: UInt8) -> UInt8 {
        byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
    }

    /// The value of a decimal digit, or nil.
    @inlinable
    public static func decimalValue(_ byte: UInt8) -> Int? {
        isDigit(byte) ? Int(byte &- UInt8(ascii: "0")) : nil
    }

    /// The value of a hexadecimal digit in upper or lower case, or nil.
    @inlinable
    public static func hexValue(_ byte: UInt8) -> UInt8? {
        if isDigit(byte) { return byte &- UInt8(ascii: "0") }
        let letter = (byte | 0x20) &- UInt8(ascii: "a")
        return letter < 6 ? letter &+ 10 : nil
    }

    /// Whether two byte strings are equal, ignoring ASCII case.
    @inlinable
    public static func equalIgnoringCase(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool {
        left.count == right.count && zip(left, right).allSatisfy { lowercased($0) == lowercased($1) }
    }
}
