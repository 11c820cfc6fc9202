/// Hexadecimal, RFC 4648, section 8, in lower case.
public enum Hex {
    @inlinable
    public static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") &+ value : UInt8(ascii: "a") &+ (value &- 10)
    }

    @inlinable
    public static func encode(_ bytes: [UInt8]) -> String {
        String(unsafeUninitializedCapacity: 2 * bytes.count) { digits in
            for index in bytes.indices {
                digits[2 * index] = digit(bytes[index] >> 4)
                digits[2 * index + 1] = digit(bytes[index] & 0x0F)
            }
            return 2 * bytes.count
        }
    }

    /// The digits of a number, with leading zeros.
    public static func text(of number: some FixedWidthInteger & UnsignedInteger) -> String {
        var text: [UInt8] = []
        text.append(hex: number)
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of the digits; nil for an odd number of digits or any other character.
    public static func decode(_ digits: some Collection<UInt8>) -> [UInt8]? {
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        var high: UInt8?
        for digit in digits {
            guard let value = ASCII.hexValue(digit) else { return nil }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return bytes
    }

    /// The integer of exactly `2 × MemoryLayout<T>.size` digits; nil for any other text.
    @inlinable
    public static func integer<T: FixedWidthInteger & UnsignedInteger>(
        _ digits: some Collection<UInt8>, as type: T.Type = T.self
    ) -> T? {
        guard digits.count == T.bitWidth / 4 else { return nil }
        var value: T = 0
        for digit in digits {
            guard let part = ASCII.hexValue(digit) else { return nil }
            value = value << 4 | T(part)
        }
        return value
    }
}
