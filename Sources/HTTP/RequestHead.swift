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
/// The two arrays are taken over from one request to the next: a request that nobody kept costs no allocation.
struct RequestHead: Sendable {
    /// The request line and the header fields; behind them the path, when it had to be written anew.
    var bytes: [UInt8] = []
    var fields: [FieldRange] = []
    /// Nil for a method the server does not know.
    var method: Method?
    /// The request target as it came.
    var target = ByteRange()
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
        bytes.removeAll(keepingCapacity: true)
        fields.removeAll(keepingCapacity: true)
        method = nil
        target = ByteRange()
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
}
