/// Appends text to memory with a known capacity: the capacity is checked once for several values.
extension OutputSpan<UInt8> {
    /// Appends the UTF-8 bytes of a literal. There must be room for it.
    @inlinable
    @inline(__always)
    public mutating func append(_ literal: StaticString) {
        append(copying: UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
    }

    /// Appends bytes. There must be room for them.
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

    /// Appends bytes. There must be room for them.
    @inlinable
    @inline(__always)
    public mutating func append(copying bytes: Span<UInt8>) {
        bytes.withUnsafeBufferPointer { append(copying: $0) }
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
        // The digits are computed from the lowest on, and the first digit must be the lowest byte: most numbers fit
        // into one word.
        var (word, count): (UInt64, Int) = (0, 0)
        while rest > 0, count < 8 {
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            word = word << 8 | UInt64(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: digit))
            count &+= 1
            rest = quotient
        }
        if rest > 0 { append(decimal: Int(rest)) }
        withUnsafeBytes(of: word.littleEndian) {
            append(copying: UnsafeBufferPointer(rebasing: $0.assumingMemoryBound(to: UInt8.self).prefix(count)))
        }
    }

    /// Appends seconds since midnight as `HH:MM:SS`; 86,400 is `24:00:00`.
    @inlinable
    public mutating func append(clock seconds: Int) {
        // All eight at once, the first one in the lowest byte: a business has fourteen of these.
        let (minutes, second) = UInt32(truncatingIfNeeded: seconds).quotientAndRemainder(dividingBy: 60)
        let (hour, minute) = minutes.quotientAndRemainder(dividingBy: 60)
        let colons = UInt64(UInt8(ascii: ":")) << 16 | UInt64(UInt8(ascii: ":")) << 40
        let text = Self.twoDigits(hour) | Self.twoDigits(minute) << 24 | Self.twoDigits(second) << 48 | colons
        withUnsafeBytes(of: text.littleEndian) { append(copying: $0.assumingMemoryBound(to: UInt8.self)) }
    }

    @inlinable
    mutating func append(twoDigits value: Int) {
        let digits = Self.twoDigits(UInt32(truncatingIfNeeded: value))
        append(UInt8(truncatingIfNeeded: digits))
        append(UInt8(truncatingIfNeeded: digits >> 8))
    }

    /// A number from 0 to 99 as two digits, the first one in the lowest byte.
    @inlinable
    @inline(__always)
    static func twoDigits(_ value: UInt32) -> UInt64 {
        let (tens, ones) = value.quotientAndRemainder(dividingBy: 10)
        return UInt64(0x3030 &+ tens &+ ones << 8)
    }
}
