/// A range in the bytes of a request head.
struct ByteRange: Sendable, Equatable {
    var start: UInt32 = 0
    var end: UInt32 = 0

    init() {}

    init(_ range: Range<Int>) {
        start = UInt32(truncatingIfNeeded: range.lowerBound)
        end = UInt32(truncatingIfNeeded: range.upperBound)
    }

    var range: Range<Int> { Int(start)..<Int(end) }
    var isEmpty: Bool { start == end }
}

/// The ranges of a header field in the bytes of a request head.
struct FieldRange: Sendable, Equatable {
    var name: ByteRange
    var value: ByteRange
}

/// The head of a request as received, with the ranges of its parts.
///
/// The two arrays are reused for the next request: a request that nothing retains costs no allocation. Elements after
/// the counts belong to earlier requests and are ignored.
@usableFromInline
struct RequestHead: Sendable {
    /// The request line and the header fields; after them the path, if it was rewritten.
    private(set) var bytes: [UInt8] = []
    private(set) var byteCount = 0
    private(set) var fields: [FieldRange] = []
    private(set) var fieldCount = 0
    /// The lengths of the fields' names, as bits; those of 63 bytes and more share one.
    @usableFromInline private(set) var nameLengths: UInt64 = 0
    /// nil for an unknown method.
    var method: Method?
    /// The request target as received.
    var target = ByteRange()
    var targetTraits: TargetTraits = []
    /// The path, from its first `/`, without dot segments; empty for `OPTIONS *`.
    var path = ByteRange()
    /// The text after `?`.
    var query = ByteRange()
    /// The authority: from the target, else from `Host`.
    var authority = ByteRange()
    var isVersion10 = false
    /// Whether the connection may stay open after the response.
    var keepsAlive = true
    var isChunked = false
    var expectsContinue = false
    /// The announced length of the body; 0 without `Content-Length`.
    var contentLength = 0
    /// Why the request is refused although its framing is valid.
    var refusal: ParseFailure?

    var hasBody: Bool { isChunked || contentLength > 0 }

    /// Removes the request but not the arrays, so that the next one costs no allocation.
    mutating func reset() {
        (byteCount, fieldCount, nameLengths) = (0, 0, 0)
        method = nil
        target = ByteRange()
        targetTraits = []
        path = ByteRange()
        query = ByteRange()
        authority = ByteRange()
        isVersion10 = false
        keepsAlive = true
        isChunked = false
        expectsContinue = false
        contentLength = 0
        refusal = nil
    }

    /// Appends a range of the input.
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

    /// Appends one byte.
    mutating func append(_ byte: UInt8) {
        if byteCount < bytes.count { bytes[byteCount] = byte } else { bytes.append(byte) }
        byteCount += 1
    }

    /// Removes the last bytes.
    mutating func removeLast(_ count: Int) {
        byteCount -= count
    }

    mutating func append(_ field: FieldRange) {
        if fieldCount < fields.count { fields[fieldCount] = field } else { fields.append(field) }
        fieldCount += 1
        nameLengths |= Self.lengthBit(Int(field.name.end - field.name.start))
    }

    /// Whether a field may have this name: most look-ups are for absent fields and end here.
    @inlinable
    func mayHave(_ name: StaticString) -> Bool {
        nameLengths & Self.lengthBit(name.utf8CodeUnitCount) != 0
    }

    /// The value of the first field with this name, ignoring case.
    @usableFromInline
    func firstValue(_ name: StaticString) -> ArraySlice<UInt8>? {
        for index in 0..<fieldCount where bytes.span.extracting(fields[index].name.range).equalsIgnoringCase(name) {
            return bytes[fields[index].value.range]
        }
        return nil
    }

    /// The values of all fields with this name, ignoring case.
    @usableFromInline
    func values(_ name: StaticString) -> [ArraySlice<UInt8>] {
        (0..<fieldCount)
            .filter { bytes.span.extracting(fields[$0].name.range).equalsIgnoringCase(name) }
            .map { bytes[fields[$0].value.range] }
    }

    @inlinable
    static func lengthBit(_ length: Int) -> UInt64 { 1 << UInt64(min(length, 63)) }

    /// Exchanges the arrays for those of another head.
    mutating func exchangeStorage(with other: inout RequestHead) {
        swap(&bytes, &other.bytes)
        swap(&fields, &other.fields)
    }

    /// Releases the arrays.
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
    /// Bytes above 0x7F.
    static let nonASCII = TargetTraits(rawValue: 8)
}
