import Bytes

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
