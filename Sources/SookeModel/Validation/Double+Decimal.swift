import Bytes

extension Double {
    /// A finite number in decimal, such as `-123.73` or `1e-7`; `Double` alone would accept `nan` and hexadecimal.
    public init?(decimal text: String) {
        let isDecimal = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"): true
            default: ASCII.isDigit(byte)
            }
        }
        guard isDecimal, let value = Double(text), value.isFinite else { return nil }
        self = value
    }
}
