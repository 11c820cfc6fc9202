extension RawSpan {
    @inline(__always)
    subscript(offset: Int) -> UInt8 {
        unsafeLoad(fromByteOffset: offset, as: UInt8.self)
    }

    /// The first byte from an offset on that is not white space (RFC 8259, section 2), or the end.
    func endOfWhiteSpace(from start: Int) -> Int {
        var offset = start
        while offset < byteCount {
            switch self[offset] {
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): offset += 1
            default: return offset
            }
        }
        return offset
    }

    /// The first byte from an offset on that is `"`, `\`, a control or beyond ASCII, or the end.
    @inline(__always)
    func endOfPlain(from start: Int) -> Int {
        var offset = start
        while offset < byteCount, self[offset] < 0x80, !isEscaped(self[offset]) { offset &+= 1 }
        return offset
    }

    /// The first byte from an offset on that is `"`, `\` or a control, or the end.
    @inline(__always)
    func endOfUnescaped(from start: Int) -> Int {
        var offset = start
        while offset < byteCount, !isEscaped(self[offset]) { offset &+= 1 }
        return offset
    }

    @inline(__always)
    private func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }
}
