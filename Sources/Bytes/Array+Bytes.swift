extension [UInt8] {
    @inlinable
    public init(_ literal: StaticString) {
        self.init()
        append(literal)
    }

    /// Appends the UTF-8 bytes of a literal, without making a `String`.
    @inlinable
    public mutating func append(_ literal: StaticString) {
        literal.withUTF8Buffer { append(contentsOf: $0) }
    }

    @inlinable
    public mutating func append(utf8 text: String) {
        var text = text
        text.withUTF8 { append(contentsOf: $0) }
    }

    @inlinable
    public mutating func append(decimal value: Int) {
        append(utf8: String(value))
    }

    /// Appends a non-negative integer in decimal, padded with zeros on the left to `width` digits (1 to 18).
    @inlinable
    public mutating func append(decimal value: Int, width: Int) {
        var limit = 10
        for _ in 1..<width {
            if value < limit { append(UInt8(ascii: "0")) }
            limit &*= 10
        }
        append(decimal: value)
    }

    /// Appends an integer as lower-case hexadecimal of exactly `2 × MemoryLayout<T>.size` digits.
    @inlinable
    public mutating func append<T: FixedWidthInteger & UnsignedInteger>(hex value: T) {
        var shift = T.bitWidth
        while shift > 0 {
            shift &-= 4
            append(Hex.digit(UInt8(truncatingIfNeeded: value >> T(shift)) & 0x0F))
        }
    }
}

extension String {
    @inlinable
    public init?(validUTF8 bytes: some Collection<UInt8>) {
        #if canImport(Darwin)
            // Neither `UTF8Span` nor `String(validating:as:)` exists on the oldest systems of the client.
            self.init(decoding: bytes, as: UTF8.self)
            guard utf8.elementsEqual(bytes) else { return nil }
        #else
            // Directly from contiguous bytes: a fifth of the cost of `String(validating:as:)`.
            let copied = bytes.withContiguousStorageIfAvailable { bytes -> String? in
                guard let text = try? UTF8Span(validating: bytes.span) else { return nil }
                return String(copying: text)
            }
            guard let text = copied ?? String(validating: bytes, as: UTF8.self) else { return nil }
            self = text
        #endif
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// A number below, equal to or above zero, as these bytes come before, are equal to, or come after others.
    @inlinable
    public func bytewiseOrder(to other: UnsafeBufferPointer<UInt8>) -> Int {
        for place in 0..<Swift.min(count, other.count) where self[place] != other[place] {
            return Int(self[place]) - Int(other[place])
        }
        return count - other.count
    }
}
