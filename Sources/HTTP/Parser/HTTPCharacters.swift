import Bytes

/// Character classes of RFC 9110, section 5, as bit sets: two words instead of a chain of comparisons.
enum HTTPCharacters {
    /// `tchar`: the bytes of a method or a field name.
    @inline(__always)
    static func isToken(_ byte: UInt8) -> Bool {
        contains(tokenLow, tokenHigh, byte)
    }

    /// `field-vchar`, space or tab: the bytes of a field value, `obs-text` included.
    @inline(__always)
    static func isFieldValue(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != 0x7F || byte == 0x09
    }

    /// The bytes of a request target: no control, no space, no `#`. This is more than RFC 3986 allows, since browsers
    /// send it.
    @inline(__always)
    static func isTarget(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte != 0x7F && byte != UInt8(ascii: "#")
    }

    /// The bytes of a host name, RFC 3986, section 3.2.2: unreserved, sub-delimiters and `%`.
    static func isHostName(_ byte: UInt8) -> Bool {
        contains(hostLow, hostHigh, byte)
    }

    @inline(__always)
    private static func contains(_ low: UInt64, _ high: UInt64, _ byte: UInt8) -> Bool {
        guard byte < 0x80 else { return false }
        return (byte < 0x40 ? low : high) >> UInt64(byte & 0x3F) & 1 == 1
    }

    private static let tokenLow: UInt64 = 0x03FF_6CFA_0000_0000
    private static let tokenHigh: UInt64 = 0x57FF_FFFF_C7FF_FFFE
    private static let hostLow: UInt64 = 0x2BFF_7FF2_0000_0000
    private static let hostHigh: UInt64 = 0x47FF_FFFE_87FF_FFFE
}

/// Comparisons of bytes of a request with literals, without copying either.
extension Span<UInt8> {
    /// Whether these are exactly the bytes of the literal.
    @inline(__always)
    func equals(_ literal: StaticString) -> Bool {
        guard count == literal.utf8CodeUnitCount else { return false }
        return literal.withUTF8Buffer { text in
            for index in 0..<text.count where self[index] != text[index] { return false }
            return true
        }
    }

    /// Whether these are the bytes of the literal, ignoring ASCII case.
    @inlinable
    @inline(__always)
    package func equalsIgnoringCase(_ literal: StaticString) -> Bool {
        guard count == literal.utf8CodeUnitCount else { return false }
        return literal.withUTF8Buffer { text in
            for index in 0..<text.count
            where ASCII.lowercased(self[index]) != ASCII.lowercased(text[index]) { return false }
            return true
        }
    }
}
