/// Writing text where the room for it was made before: a form that is written in one go costs one look at the room.
extension OutputSpan<UInt8> {
    /// Appends the UTF-8 bytes of a literal, for which there must be room.
    @inlinable
    @inline(__always)
    public mutating func append(_ literal: StaticString) {
        append(copying: UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
    }

    /// Appends bytes, for which there must be room.
    @inlinable
    @inline(__always)
    public mutating func append(copying bytes: UnsafeBufferPointer<UInt8>) {
        precondition(bytes.count <= freeCapacity)
        withUnsafeMutableBufferPointer { buffer, count in
            guard let source = bytes.baseAddress, let target = buffer.baseAddress else { return }
            (target + count).initialize(from: source, count: bytes.count)
            count += bytes.count
        }
    }

    /// Appends an integer in decimal, with a leading `-` when it is negative: up to 20 bytes.
    @inlinable
    public mutating func append(decimal value: Int) {
        if value < 0 { append(UInt8(ascii: "-")) }
        var rest = value.magnitude
        if rest < 10 {
            append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest))
            return
        }
        // Digits come lowest first.
        var digits = InlineArray<20, UInt8>(repeating: 0)
        var first = 20
        while rest > 0 {
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            first &-= 1
            digits[first] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: digit)
            rest = quotient
        }
        for index in first..<20 { append(digits[index]) }
    }

    /// Appends seconds since midnight as `HH:MM:SS`; 86,400 is `24:00:00`.
    @inlinable
    public mutating func append(clock seconds: Int) {
        let (minutes, second) = seconds.quotientAndRemainder(dividingBy: 60)
        let (hour, minute) = minutes.quotientAndRemainder(dividingBy: 60)
        // All eight at once, the first one lowest: a business has fourteen of these.
        let colons = UInt64(UInt8(ascii: ":")) << 16 | UInt64(UInt8(ascii: ":")) << 40
        let text = Self.twoDigits(hour) | Self.twoDigits(minute) << 24 | Self.twoDigits(second) << 48 | colons
        withUnsafeBytes(of: text.littleEndian) { append(copying: $0.assumingMemoryBound(to: UInt8.self)) }
    }

    /// A number from 0 to 99 as two digits, the first one in the lowest byte.
    @inlinable
    static func twoDigits(_ value: Int) -> UInt64 {
        let (tens, ones) = UInt64(truncatingIfNeeded: value).quotientAndRemainder(dividingBy: 10)
        return UInt64(UInt8(ascii: "0")) &+ tens | (UInt64(UInt8(ascii: "0")) &+ ones) << 8
    }

    /// Appends a number from 0 to 99 in two digits.
    @inlinable
    mutating func append(twoDigits value: Int) {
        let digits = Self.twoDigits(value)
        append(UInt8(truncatingIfNeeded: digits))
        append(UInt8(truncatingIfNeeded: digits >> 8))
    }
}
