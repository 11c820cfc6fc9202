import Bytes

/// Comparing bytes of a request with words of the protocol, without copying either.
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

    /// Whether these are the bytes of the literal when ASCII letter case does not count.
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
