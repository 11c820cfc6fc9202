import Bytes

/// The path of a request, split at `/` before anything is decoded, so that `%2F` inside a segment is data.
///
/// Dot segments (RFC 3986, section 5.2.4) are resolved already. `/businesses/` has two segments, the last one empty;
/// `/` has one empty segment; the path of `OPTIONS *` has none.
public struct Path: Sendable {
    let bytes: [UInt8]
    let range: ByteRange

    /// The path as received, from its first `/`, still percent-encoded.
    public var encoded: ArraySlice<UInt8> { bytes[range.range] }

    /// Whether the request is for the server as a whole (`OPTIONS *`).
    public var isAsterisk: Bool { range.isEmpty }

    /// The segments, decoded.
    ///
    /// - Throws: `HTTPError` 400 `invalid_parameter` for a broken escape, NUL or bytes that are not UTF-8.
    public func segments() throws(HTTPError) -> [String] {
        var texts: [String] = []
        var rest = SegmentCursor(range.range)
        while let segment = rest.next(in: bytes.span) {
            texts.append(try DecodedText.segment(bytes[segment]))
        }
        return texts
    }
}

/// Iterates over the segments of a path, still encoded.
struct SegmentCursor {
    private var rest: Range<Int>

    init(_ path: Range<Int>) {
        rest = path
    }

    /// The range of the next segment, without its `/`; nil at the end.
    mutating func next(in bytes: Span<UInt8>) -> Range<Int>? {
        guard !rest.isEmpty else { return nil }
        let start = rest.lowerBound + 1
        var end = start
        while end < rest.upperBound, bytes[end] != UInt8(ascii: "/") { end &+= 1 }
        rest = end..<rest.upperBound
        return start..<end
    }
}

/// Percent-encoded text of a target, decoded when a route reads it.
enum DecodedText {
    /// A segment of the path.
    static func segment(_ text: ArraySlice<UInt8>) throws(HTTPError) -> String {
        guard let decoded = decode(text, plusIsSpace: false) else {
            throw .invalidParameter("the address contains a malformed escape or bytes that are not UTF-8")
        }
        return decoded
    }

    /// A value of the query.
    static func value(_ text: ArraySlice<UInt8>, of name: String) throws(HTTPError) -> String {
        guard let decoded = decode(text, plusIsSpace: true) else {
            throw .invalidParameter("\(name) contains a malformed escape or bytes that are not UTF-8")
        }
        return decoded
    }

    private static func decode(_ text: ArraySlice<UInt8>, plusIsSpace: Bool) -> String? {
        let isPlain = text.allSatisfy { $0 != UInt8(ascii: "%") && $0 != UInt8(ascii: "+") && $0 != 0 }
        if isPlain { return String(validUTF8: text) }
        guard let bytes = try? PercentCoding.decode(text, plusIsSpace: plusIsSpace), !bytes.contains(0)
        else { return nil }
        return String(validUTF8: bytes)
    }
}

/// The query of a request: `name=value` pairs between `&`, percent-encoded with `+` for a space.
///
/// A value is decoded only when a route reads it, so a malformed parameter that no route reads is ignored.
public struct Query: Sendable {
    let bytes: [UInt8]
    let range: ByteRange

    /// The query as received, without `?`, still encoded.
    public var encoded: ArraySlice<UInt8> { bytes[range.range] }

    /// Whether there is no query or an empty one.
    public var isEmpty: Bool { range.isEmpty }

    /// The first value of a parameter, empty when it has none; nil when the parameter is absent.
    ///
    /// - Throws: `HTTPError` 400 `invalid_parameter` for a broken escape, NUL or bytes that are not UTF-8.
    public func first(_ name: String) throws(HTTPError) -> String? {
        var cursor = PairCursor(range.range)
        while let pair = cursor.next(in: bytes.span) {
            if isName(pair.name, name) { return try DecodedText.value(bytes[pair.value], of: name) }
        }
        return nil
    }

    /// All values of a parameter, in order.
    ///
    /// - Throws: `HTTPError` 400 `invalid_parameter` for a broken escape, NUL or bytes that are not UTF-8.
    public func all(_ name: String) throws(HTTPError) -> [String] {
        var values: [String] = []
        var cursor = PairCursor(range.range)
        while let pair = cursor.next(in: bytes.span) {
            if isName(pair.name, name) { values.append(try DecodedText.value(bytes[pair.value], of: name)) }
        }
        return values
    }

    /// Whether the encoded name in a range is `name`. A name that cannot be decoded never matches.
    private func isName(_ place: Range<Int>, _ name: String) -> Bool {
        let encoded = bytes[place]
        if encoded.elementsEqual(name.utf8) { return true }
        guard encoded.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }),
            let decoded = try? PercentCoding.decode(encoded, plusIsSpace: true)
        else { return false }
        return decoded.elementsEqual(name.utf8)
    }
}

/// Iterates over the pairs of a query, still encoded. A pair without `=` has an empty value; empty pairs are skipped.
private struct PairCursor {
    private var rest: Range<Int>

    init(_ query: Range<Int>) {
        rest = query
    }

    mutating func next(in bytes: Span<UInt8>) -> (name: Range<Int>, value: Range<Int>)? {
        while !rest.isEmpty {
            let start = rest.lowerBound
            var end = start
            var equals: Int?
            while end < rest.upperBound, bytes[end] != UInt8(ascii: "&") {
                if equals == nil, bytes[end] == UInt8(ascii: "=") { equals = end }
                end &+= 1
            }
            rest = min(end + 1, rest.upperBound)..<rest.upperBound
            if end == start { continue }
            let nameEnd = equals ?? end
            return (start..<nameEnd, min(nameEnd + 1, end)..<end)
        }
        return nil
    }
}
