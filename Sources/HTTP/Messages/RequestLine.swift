import Bytes

/// A request method of this server (RFC 9110, section 9, and RFC 5789). Any other gets 501.
package enum Method: UInt8, Sendable, Hashable, CaseIterable {
    case get, head, post, put, patch, delete, options, trace

    package var name: StaticString {
        switch self {
        case .get: "GET"
        case .head: "HEAD"
        case .post: "POST"
        case .put: "PUT"
        case .patch: "PATCH"
        case .delete: "DELETE"
        case .options: "OPTIONS"
        case .trace: "TRACE"
        }
    }

    /// It requests no change (RFC 9110, section 9.2.1).
    package var isSafe: Bool {
        switch self {
        case .get, .head, .options, .trace: true
        case .post, .put, .patch, .delete: false
        }
    }

    /// Methods are case-sensitive.
    init?(name: Span<UInt8>) {
        var value: UInt8 = 0
        while let method = Method(rawValue: value), !name.equals(method.name) { value += 1 }
        self.init(rawValue: value)
    }
}

package struct MethodSet: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package init(_ method: Method) {
        rawValue = 1 << method.rawValue
    }

    package func contains(_ method: Method) -> Bool {
        contains(MethodSet(method))
    }

    package var allow: String {
        Method.allCases.filter(contains).map { "\($0.name)" }.joined(separator: ", ")
    }
}

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

/// The path of a request, split at `/` before anything is decoded, so that `%2F` inside a segment is data.
///
/// Dot segments (RFC 3986, section 5.2.4) are resolved already. `/businesses/` has two segments, the last one empty;
/// `/` has one empty segment; the path of `OPTIONS *` has none.
package struct Path: Sendable {
    let bytes: [UInt8]
    let range: ByteRange

    /// From its first `/`, still percent-encoded.
    package var encoded: ArraySlice<UInt8> { bytes[range.range] }

    /// `OPTIONS *`.
    package var isAsterisk: Bool { range.isEmpty }

    /// - Throws: 400 `invalid_parameter` for a broken escape, NUL or bytes that are not UTF-8.
    package func segments() throws(HTTPError) -> [String] {
        var texts: [String] = []
        var rest = SegmentCursor(range.range)
        while let segment = rest.next(in: bytes.span) {
            texts.append(try DecodedText.segment(bytes[segment]))
        }
        return texts
    }
}

struct SegmentCursor {
    private var rest: Range<Int>

    init(_ path: Range<Int>) {
        rest = path
    }

    mutating func next(in bytes: Span<UInt8>) -> Range<Int>? {
        guard !rest.isEmpty else { return nil }
        let start = rest.lowerBound + 1
        var end = start
        while end < rest.upperBound, bytes[end] != UInt8(ascii: "/") { end &+= 1 }
        rest = end..<rest.upperBound
        return start..<end
    }
}

enum DecodedText {
    static func segment(_ text: ArraySlice<UInt8>) throws(HTTPError) -> String {
        guard let decoded = decode(text, plusIsSpace: false) else {
            throw .invalidParameter("the address contains a malformed escape or bytes that are not UTF-8")
        }
        return decoded
    }

    static func value(_ text: ArraySlice<UInt8>, of name: String) throws(HTTPError) -> String {
        guard let decoded = decode(text, plusIsSpace: true) else { throw .malformed(name) }
        return decoded
    }

    fileprivate static func decode(_ text: ArraySlice<UInt8>, plusIsSpace: Bool) -> String? {
        let isPlain = text.allSatisfy { $0 != UInt8(ascii: "%") && $0 != UInt8(ascii: "+") && $0 != 0 }
        if isPlain { return String(validUTF8: text) }
        guard let bytes = try? PercentCoding.decode(text, plusIsSpace: plusIsSpace), !bytes.contains(0)
        else { return nil }
        return String(validUTF8: bytes)
    }
}

/// The query of a request, or the body of a form: `name=value` pairs between `&`, percent-encoded with `+` for a space.
///
/// A value is decoded only when a route reads it, so a malformed parameter that no route reads is ignored.
package struct Query: Sendable {
    let bytes: [UInt8]
    let range: ByteRange

    /// Without `?`, still encoded.
    package var encoded: ArraySlice<UInt8> { bytes[range.range] }

    package var isEmpty: Bool { range.isEmpty }

    init(bytes: [UInt8], range: ByteRange) { (self.bytes, self.range) = (bytes, range) }

    /// The fields of a form (`application/x-www-form-urlencoded`; URL Standard, section 5.1).
    package init(form body: [UInt8]) { self.init(bytes: body, range: ByteRange(0..<body.count)) }

    /// - Throws: 400 `invalid_parameter` for a broken escape, NUL or bytes that are not UTF-8.
    package func pairs() throws(HTTPError) -> [(name: String, value: String)] {
        var pairs: [(name: String, value: String)] = []
        var cursor = PairCursor(range.range)
        while let pair = cursor.next(in: bytes.span) {
            let name = try DecodedText.value(bytes[pair.name], of: "the name of a field")
            pairs.append((name, try DecodedText.value(bytes[pair.value], of: name)))
        }
        return pairs
    }

    package func forEachPair(_ visit: (_ name: EncodedText, _ value: EncodedText) -> Void) {
        var cursor = PairCursor(range.range)
        while let pair = cursor.next(in: bytes.span) {
            visit(EncodedText(bytes: bytes[pair.name]), EncodedText(bytes: bytes[pair.value]))
        }
    }
}

package struct EncodedText {
    fileprivate let bytes: ArraySlice<UInt8>

    /// nil for a broken escape, NUL or bytes that are not UTF-8.
    package var text: String? { DecodedText.decode(bytes, plusIsSpace: true) }

    /// Ignoring how it is encoded.
    package func isSame(as name: String) -> Bool {
        if name.withUTF8Bytes({ $0.elementsEqual(bytes) }) { return true }
        guard bytes.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }),
            let decoded = try? PercentCoding.decode(bytes, plusIsSpace: true)
        else { return false }
        return decoded.elementsEqual(name.utf8)
    }
}

extension HTTPError {
    package static func malformed(_ name: String) -> HTTPError {
        .invalidParameter("\(name) contains a malformed escape or bytes that are not UTF-8")
    }
}

/// A pair without `=` has an empty value; empty pairs are skipped.
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
