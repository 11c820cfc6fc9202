import Bytes

/// Parses one line of a head. A line is a range of `bytes`, without CR LF.
extension RequestHead {
    /// `method SP request-target SP HTTP-version`, RFC 9112, section 3.
    mutating func takeRequestLine(_ line: Range<Int>, _ limits: ParserLimits) throws(ParseFailure) {
        let parts = try Self.readRequestLine(bytes.span, line, limits)
        method = parts.method
        target = ByteRange(parts.target)
        targetTraits = parts.traits
        isVersion10 = parts.isVersion10
        if method == nil { refusal = .unknownMethod }
    }

    private static func readRequestLine(
        _ bytes: Span<UInt8>, _ line: Range<Int>, _ limits: ParserLimits
    ) throws(ParseFailure) -> (method: Method?, target: Range<Int>, traits: TargetTraits, isVersion10: Bool) {
        let parts = try splitRequestLine(bytes, line)
        let version = bytes.extracting(parts.version)
        let isVersion10 = version.equals("HTTP/1.1") ? false : try isVersion10(version)
        guard parts.target.count <= limits.target else { throw .targetTooLong }
        guard let traits = readTarget(bytes.extracting(parts.target)) else { throw .badTarget }
        return (Method(name: bytes.extracting(parts.method)), parts.target, traits, isVersion10)
    }

    /// The traits of a target; nil when it contains an invalid byte. Neither an early exit nor a branch, so that the
    /// compiler processes 16 bytes at a time.
    private static func readTarget(_ target: Span<UInt8>) -> TargetTraits? {
        target.withUnsafeBufferPointer { target in
            var (bad, percent, dot, questionMark, all): (UInt8, UInt8, UInt8, UInt8, UInt8) = (0, 0, 0, 0, 0)
            for byte in target {
                bad |= HTTPCharacters.isTarget(byte) ? 0 : 1
                percent |= byte == UInt8(ascii: "%") ? 1 : 0
                dot |= byte == UInt8(ascii: ".") ? 1 : 0
                questionMark |= byte == UInt8(ascii: "?") ? 1 : 0
                all |= byte
            }
            return bad == 0 ? TargetTraits(rawValue: percent | dot << 1 | questionMark << 2 | (all >> 7) << 3) : nil
        }
    }

    private static func splitRequestLine(
        _ bytes: Span<UInt8>, _ line: Range<Int>
    ) throws(ParseFailure) -> (method: Range<Int>, target: Range<Int>, version: Range<Int>) {
        var index = line.lowerBound
        while index < line.upperBound, HTTPCharacters.isToken(bytes[index]) { index &+= 1 }
        let method = line.lowerBound..<index
        guard !method.isEmpty, index < line.upperBound, bytes[index] == UInt8(ascii: " ") else { throw .badRequestLine }
        var last = line.upperBound - 1
        while bytes[last] != UInt8(ascii: " ") { last &-= 1 }
        // One space only: `GET /` is HTTP/0.9. A target that contains a space is invalid.
        guard last > index + 1 else { throw .badRequestLine }
        return (method, (index + 1)..<last, (last + 1)..<line.upperBound)
    }

    /// `HTTP/` DIGIT `.` DIGIT. A minor version above 1 is read as 1 (RFC 9110, section 2.5).
    private static func isVersion10(_ version: Span<UInt8>) throws(ParseFailure) -> Bool {
        guard version.count == 8, version.extracting(0..<5).equals("HTTP/"), ASCII.isDigit(version[5]),
            version[6] == UInt8(ascii: "."), ASCII.isDigit(version[7])
        else { throw .badVersion }
        guard version[5] == UInt8(ascii: "1") else { throw .unsupportedVersion }
        return version[7] == UInt8(ascii: "0")
    }

    /// `field-name ":" OWS field-value OWS`, RFC 9112, section 5.
    mutating func takeField(_ line: Range<Int>) throws(ParseFailure) {
        append(try Self.readField(bytes.span, line))
    }

    private static func readField(_ bytes: Span<UInt8>, _ line: Range<Int>) throws(ParseFailure) -> FieldRange {
        var index = line.lowerBound
        while index < line.upperBound, HTTPCharacters.isToken(bytes[index]) { index &+= 1 }
        guard index > line.lowerBound, index < line.upperBound, bytes[index] == UInt8(ascii: ":") else {
            let first = bytes[line.lowerBound]
            throw first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") ? .foldedField : .badFieldName
        }
        let name = line.lowerBound..<index
        var (start, end) = (index + 1, line.upperBound)
        while start < end, isBlank(bytes[start]) { start &+= 1 }
        while end > start, isBlank(bytes[end &- 1]) { end &-= 1 }
        guard isFieldValue(bytes.extracting(start..<end)) else { throw .badFieldValue }
        return FieldRange(name: ByteRange(name), value: ByteRange(start..<end))
    }

    static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }

    /// Whether every byte is allowed in a field value; without an early exit, see `readTarget`.
    private static func isFieldValue(_ value: Span<UInt8>) -> Bool {
        value.withUnsafeBufferPointer { value in
            var bad: UInt8 = 0
            for byte in value { bad |= HTTPCharacters.isFieldValue(byte) ? 0 : 1 }
            return bad == 0
        }
    }
}
