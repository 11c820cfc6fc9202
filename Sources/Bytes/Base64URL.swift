/// Base 64 with the alphabet for URLs and file names, without padding (RFC 4648, sections 5 and 3.2).
public enum Base64URL {
    @inlinable
    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 6 {
                count -= 6
                text.append(character(bits >> count))
            }
        }
        if count > 0 { text.append(character(bits << (6 - count))) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Whether characters are the text of this many bytes; bytes have only one (section 3.5), without padding.
    @inlinable
    public static func isText(_ characters: some Collection<UInt8>, of byteCount: Int) -> Bool {
        guard characters.count == (byteCount * 8 + 5) / 6 else { return false }
        var last: UInt32 = 0
        for character in characters {
            guard let value = value(character) else { return false }
            last = value
        }
        return last & (1 << (characters.count * 6 - byteCount * 8) - 1) == 0
    }

    /// The bytes of a text; nil when no bytes have this text.
    @inlinable
    public static func decode(_ characters: some Collection<UInt8>) -> [UInt8]? {
        let count = characters.count * 6 / 8
        guard isText(characters, of: count) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        var bits: UInt32 = 0
        var bitCount = 0
        for character in characters {
            guard let value = value(character) else { return nil }
            bits = bits << 6 | value
            bitCount += 6
            guard bitCount >= 8 else { continue }
            bitCount -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> bitCount))
        }
        return bytes
    }

    @inlinable
    static func character(_ bits: UInt32) -> UInt8 {
        let value = UInt8(truncatingIfNeeded: bits & 0x3F)
        return switch value {
        case 0..<26: UInt8(ascii: "A") + value
        case 26..<52: UInt8(ascii: "a") + (value - 26)
        case 52..<62: UInt8(ascii: "0") + (value - 52)
        case 62: UInt8(ascii: "-")
        default: UInt8(ascii: "_")
        }
    }

    @inlinable
    static func value(_ character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
