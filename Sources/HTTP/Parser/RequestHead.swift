/// A place in the bytes of a request head.
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

/// Where a header field stands in the bytes of a request head.
struct FieldRange: Sendable, Equatable {
    var name: ByteRange
    var value: ByteRange
}

/// The head of a request as it came, with the places of its parts.
///
/// The two arrays are taken over from one request to the next and written over: a request that nobody kept costs no
/// allocation. What lies behind the counts is left from earlier requests and means nothing.
@usableFromInline
struct RequestHead: Sendable {
    /// The request line and the header fields; behind them the path, when it had to be written anew.
    private(set) var bytes: [UInt8] = []
    private(set) var byteCount = 0
    private(set) var fields: [FieldRange] = []
    private(set) var fieldCount = 0
    /// How long the fields' names are, as bits; those of 63 bytes and more share one.
    @usableFromInline private(set) var nameLengths: UInt64 = 0
    /// Nil for a method the server does not know.
    var method: Method?
    /// The request target as it came.
    var target = ByteRange()
    var targetTraits: TargetTraits = []
    /// The path, from its first `/`, without dot segments; empty for `OPTIONS *`.
    var path = ByteRange()
    /// What follows `?`.
    var query = ByteRange()
    /// The authority: of the target, else of `Host`.
    var authority = ByteRange()
    var isVersion10 = false
    /// Whether the connection may stay open after the answer.
    var keepsAlive = true
    var isChunked = false
    var expectsContinue = false
    /// The body's announced length; 0 without `Content-Length`.
    var contentLength = 0
    /// Why the request is refused although its framing is sound.
    var refusal: ParseFailure?

    var hasBody: Bool { isChunked || contentLength > 0 }

    /// Forgets the request and keeps the arrays, so that the next one costs no allocation.
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

    /// Appends part of what arrived.
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

    /// Forgets the last bytes.
    mutating func removeLast(_ count: Int) {
        byteCount -= count
    }

    mutating func append(_ field: FieldRange) {
        if fieldCount < fields.count { fields[fieldCount] = field } else { fields.append(field) }
        fieldCount += 1
        nameLengths |= Self.lengthBit(Int(field.name.end - field.name.start))
    }

    /// Whether a field may have this name: most questions are for fields that did not come, and end here.
    @inlinable
    func mayHave(_ name: StaticString) -> Bool {
        nameLengths & Self.lengthBit(name.utf8CodeUnitCount) != 0
    }

    /// The value of the first field with this name in any letter case.
    @usableFromInline
    func firstValue(_ name: StaticString) -> ArraySlice<UInt8>? {
        for index in 0..<fieldCount where bytes.span.extracting(fields[index].name.range).equalsIgnoringCase(name) {
            return bytes[fields[index].value.range]
        }
        return nil
    }

    /// The values of all fields with this name in any letter case.
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

    /// Gives the arrays up.
    mutating func dropStorage() {
        (bytes, fields) = ([], [])
    }

    /// With what an array needs besides, it is not what glibc's `malloc` takes for large.
    private static let firstSize = 960
}

/// What a request target holds that needs a closer look.
struct TargetTraits: OptionSet, Sendable {
    let rawValue: UInt8
    static let percent = TargetTraits(rawValue: 1)
    static let dot = TargetTraits(rawValue: 2)
    static let questionMark = TargetTraits(rawValue: 4)
    /// Bytes above 0x7F.
    static let nonASCII = TargetTraits(rawValue: 8)
}
