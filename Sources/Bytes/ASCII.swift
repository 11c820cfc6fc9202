public enum ASCII {
    @inlinable public static var lineFeed: UInt8 { UInt8(ascii: "\n") }
    @inlinable public static var carriageReturn: UInt8 { UInt8(ascii: "\r") }

    @inlinable
    public static func isDigit(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10
    }

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
    @inline(__always)
    public static func isTokenCharacter(_ byte: UInt8) -> Bool {
        contains(0x03FF_6CFA_0000_0000, 0x57FF_FFFF_C7FF_FFFE, byte)
    }

    /// `field-vchar` of RFC 9110, section 5.5, space or tab: the bytes of a field value, `obs-text` included.
    @inlinable
    @inline(__always)
    public static func isFieldCharacter(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != 0x7F || byte == 0x09
    }

    /// The bytes of a request target, without controls, space and `#`: more than RFC 3986 allows, as browsers send it.
    @inlinable
    @inline(__always)
    public static func isTargetCharacter(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte != 0x7F && byte != UInt8(ascii: "#")
    }

    /// The bytes of a host name, RFC 3986, section 3.2.2: unreserved, sub-delimiters and `%`.
    @inlinable
    public static func isHostCharacter(_ byte: UInt8) -> Bool {
        contains(0x2BFF_7FF2_0000_0000, 0x47FF_FFFE_87FF_FFFE, byte)
    }

    /// Whether a byte is in a set of 128 bits: two words instead of a chain of comparisons.
    @inlinable
    @inline(__always)
    static func contains(_ low: UInt64, _ high: UInt64, _ byte: UInt8) -> Bool {
        guard byte < 0x80 else { return false }
        return (byte < 0x40 ? low : high) >> UInt64(byte & 0x3F) & 1 == 1
    }

    @inlinable
    public static func lowercased(_ byte: UInt8) -> UInt8 {
        byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
    }

    @inlinable
    public static func decimalValue(_ byte: UInt8) -> Int? {
        isDigit(byte) ? Int(byte &- UInt8(ascii: "0")) : nil
    }

    @inlinable
    public static func hexValue(_ byte: UInt8) -> UInt8? {
        if isDigit(byte) { return byte &- UInt8(ascii: "0") }
        let letter = (byte | 0x20) &- UInt8(ascii: "a")
        return letter < 6 ? letter &+ 10 : nil
    }

    @inlinable
    public static func equalIgnoringCase(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool {
        left.count == right.count && zip(left, right).allSatisfy { lowercased($0) == lowercased($1) }
    }
}

/// Comparisons with literals, without copying either.
extension Span<UInt8> {
    @inlinable
    @inline(__always)
    public func equals(_ literal: StaticString) -> Bool {
        guard count == literal.utf8CodeUnitCount else { return false }
        return literal.withUTF8Buffer { text in
            for index in 0..<text.count where self[index] != text[index] { return false }
            return true
        }
    }

    @inlinable
    @inline(__always)
    public func equalsIgnoringCase(_ literal: StaticString) -> Bool {
        guard count == literal.utf8CodeUnitCount else { return false }
        return literal.withUTF8Buffer { text in
            for index in 0..<text.count
            where ASCII.lowercased(self[index]) != ASCII.lowercased(text[index]) { return false }
            return true
        }
    }
}
