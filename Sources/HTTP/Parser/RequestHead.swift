import Bytes

struct FieldRange: Sendable, Equatable {
    var name: ByteRange
    var value: ByteRange
}

/// The head of a request as received, with the ranges of its parts.
///
/// The two arrays are reused for the next request, so that one that nothing retains costs no allocation. Elements after
/// the counts belong to earlier requests.
@usableFromInline
struct RequestHead: Sendable {
    /// After the header fields follows the path, if it was rewritten.
    private(set) var bytes: [UInt8] = []
    private(set) var byteCount = 0
    private(set) var fields: [FieldRange] = []
    private(set) var fieldCount = 0
    /// Of the fields, as bits; those of 63 bytes and more share one.
    @usableFromInline private(set) var nameLengths: UInt64 = 0
    var method: Method?
    var target = ByteRange()
    var targetTraits: TargetTraits = []
    /// From its first `/`, without dot segments; empty for `OPTIONS *`.
    var path = ByteRange()
    var query = ByteRange()
    var authority = ByteRange()
    var isVersion10 = false
    var keepsAlive = true
    var isChunked = false
    var expectsContinue = false
    /// 0 without `Content-Length`.
    var contentLength = 0
    var refusal: ParseFailure?

    var hasBody: Bool { isChunked || contentLength > 0 }

    /// Keeps the arrays.
    mutating func reset() {
        var fresh = RequestHead()
        fresh.exchangeStorage(with: &self)
        self = fresh
    }

    mutating func append(_ source: Span<UInt8>, _ range: Range<Int>) {
        let end = byteCount + range.count
        if end > bytes.count {
            bytes.append(contentsOf: repeatElement(0, count: max(end, Self.firstSize) - bytes.count))
        }
        let start = byteCount
        // The library copies from a span byte by byte.
        source.extracting(range).withUnsafeBytes { source in
            bytes.withUnsafeMutableBytes {
                UnsafeMutableRawBufferPointer(rebasing: $0[start...]).copyMemory(from: source)
            }
        }
        byteCount = end
    }

    mutating func append(_ byte: UInt8) {
        if byteCount < bytes.count { bytes[byteCount] = byte } else { bytes.append(byte) }
        byteCount += 1
    }

    mutating func removeLast(_ count: Int) {
        byteCount -= count
    }

    mutating func append(_ field: FieldRange) {
        if fieldCount < fields.count { fields[fieldCount] = field } else { fields.append(field) }
        fieldCount += 1
        nameLengths |= Self.lengthBit(Int(field.name.end - field.name.start))
    }

    /// Most look-ups are for absent fields and end here.
    @inlinable
    func mayHave(_ name: StaticString) -> Bool {
        nameLengths & Self.lengthBit(name.utf8CodeUnitCount) != 0
    }

    @usableFromInline
    func firstValue(_ name: StaticString) -> ArraySlice<UInt8>? {
        for index in 0..<fieldCount where bytes.span.extracting(fields[index].name.range).equalsIgnoringCase(name) {
            return bytes[fields[index].value.range]
        }
        return nil
    }

    @usableFromInline
    func values(_ name: StaticString) -> [ArraySlice<UInt8>] {
        (0..<fieldCount)
            .filter { bytes.span.extracting(fields[$0].name.range).equalsIgnoringCase(name) }
            .map { bytes[fields[$0].value.range] }
    }

    @inlinable
    static func lengthBit(_ length: Int) -> UInt64 { 1 << UInt64(min(length, 63)) }

    mutating func exchangeStorage(with other: inout RequestHead) {
        swap(&bytes, &other.bytes)
        swap(&fields, &other.fields)
    }

    mutating func dropStorage() {
        (bytes, fields) = ([], [])
    }

    /// Small enough that glibc's `malloc` does not treat the array as a large block.
    private static let firstSize = 960
}

/// Bytes in a request target that need further checks.
struct TargetTraits: OptionSet, Sendable {
    let rawValue: UInt8
    static let percent = TargetTraits(rawValue: 1)
    static let dot = TargetTraits(rawValue: 2)
    static let questionMark = TargetTraits(rawValue: 4)
    static let nonASCII = TargetTraits(rawValue: 8)
}

/// A line is a range of `bytes`, without CR LF.
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

    /// nil for an invalid byte. Neither an early exit nor a branch, so that the compiler processes 16 bytes at a time.
    private static func readTarget(_ target: Span<UInt8>) -> TargetTraits? {
        target.withUnsafeBufferPointer { target in
            var (bad, percent, dot, questionMark, all): (UInt8, UInt8, UInt8, UInt8, UInt8) = (0, 0, 0, 0, 0)
            for byte in target {
                bad |= ASCII.isTargetCharacter(byte) ? 0 : 1
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
        while index < line.upperBound, ASCII.isTokenCharacter(bytes[index]) { index &+= 1 }
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
        while index < line.upperBound, ASCII.isTokenCharacter(bytes[index]) { index &+= 1 }
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

    /// Without an early exit, see `readTarget`.
    private static func isFieldValue(_ value: Span<UInt8>) -> Bool {
        value.withUnsafeBufferPointer { value in
            var bad: UInt8 = 0
            for byte in value { bad |= ASCII.isFieldCharacter(byte) ? 0 : 1 }
            return bad == 0
        }
    }
}
