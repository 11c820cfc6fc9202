/// Appends text to an array of bytes: the base of every writer and encoder of the server.
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

    /// Appends an integer in decimal, with a leading `-` when it is negative.
    @inlinable
    public mutating func append(decimal value: Int) {
        append(addingCapacity: 20) { $0.append(decimal: value) }
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
        append(addingCapacity: T.bitWidth / 4) { digits in
            var shift = T.bitWidth
            while shift > 0 {
                shift &-= 4
                digits.append(Hex.digit(UInt8(truncatingIfNeeded: value >> T(shift)) & 0x0F))
            }
        }
    }
}

extension String {
    /// The string of these UTF-8 bytes, or nil when they are not valid UTF-8.
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
        let shared = Swift.min(count, other.count)
        guard shared > 0, let left = baseAddress.map(UnsafeRawPointer.init),
            let right = other.baseAddress.map(UnsafeRawPointer.init)
        else { return count - other.count }
        var place = 0
        while place <= shared &- 8 {
            let order = Self.order(left, right, place, as: UInt64.self)
            if order != 0 { return order }
            place += 8
        }
        if place < shared, shared >= 8 {
            // The last eight bytes overlap the words before them.
            let order = Self.order(left, right, shared - 8, as: UInt64.self)
            return order != 0 ? order : count - other.count
        }
        while place < shared {
            let order = Self.order(left, right, place, as: UInt8.self)
            if order != 0 { return order }
            place += 1
        }
        return count - other.count
    }

    @inlinable
    @inline(__always)
    static func order<Word: FixedWidthInteger & BitwiseCopyable>(
        _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ place: Int, as type: Word.Type
    ) -> Int {
        let one = (left + place).loadUnaligned(as: type).bigEndian
        let other = (right + place).loadUnaligned(as: type).bigEndian
        return one == other ? 0 : one < other ? -1 : 1
    }
}
