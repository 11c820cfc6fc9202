import Bytes

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Values in a form that is known to the byte, because a writer of this project wrote them: most of a snapshot.
extension JSONReader {
    /// Reads the next value by its bytes, without looking at keys one by one.
    ///
    /// - Parameter body: moves the position from the first byte of the value past its last one, and gives what it
    ///   stands for; or nil when the value has another form. It must take nothing that is not one whole JSON value.
    /// - Returns: nil, and nothing is read, when the value has another form.
    @inlinable
    public mutating func readForm<Value>(_ body: (RawSpan, inout Int) -> Value?) -> Value? {
        var place = nextValueOffset
        guard let value = body(bytes.span.bytes, &place) else { return nil }
        moveOn(to: place)
        return value
    }

    @usableFromInline var nextValueOffset: Int {
        mutating get {
            _ = nextByte()
            return position
        }
    }

    @usableFromInline mutating func moveOn(to end: Int) {
        mark = position
        position = end
    }
}

extension RawSpan {
    /// Moves past the bytes of a literal; false when others stand there.
    @inline(__always)
    public func take(_ literal: StaticString, _ position: inout Int) -> Bool {
        let length = literal.utf8CodeUnitCount
        guard length <= byteCount - position else { return false }
        let isThere = withUnsafeBytes { bytes in
            bytes.baseAddress.map { memcmp($0 + position, literal.utf8Start, length) == 0 } ?? false
        }
        if isThere { position += length }
        return isThere
    }

    /// Moves past a whole number of up to 18 digits; nil when there is none, or it goes on with a fraction.
    public func takeInteger(_ position: inout Int) -> Int? {
        guard let (value, end) = shortInteger(at: position) else { return nil }
        position = end
        return value
    }
}
