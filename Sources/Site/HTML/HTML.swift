import Bytes

/// A part of a page. What the source writes is markup; what it inserts is text.
///
/// ```swift
/// let row: HTML = """
///     <li><a href="/businesses/\(path: slug)">\(name)</a></li>
///     """
/// ```
///
/// The type of an insertion says how it is written: a text is escaped, `HTML` is not, `path:` and `link:` belong into
/// addresses. Debug builds trap when one stands where that is not enough; see `MarkupContext`.
struct HTML: ExpressibleByStringInterpolation, Sendable {
    private(set) var bytes: [UInt8]

    init() { bytes = [] }

    init(stringLiteral literal: StaticString) {
        var insertions = StringInterpolation(literalCapacity: literal.utf8CodeUnitCount, interpolationCount: 0)
        insertions.appendLiteral(literal)
        bytes = insertions.finished()
    }

    init(stringInterpolation insertions: StringInterpolation) { bytes = insertions.finished() }

    fileprivate init(bytes: [UInt8]) { self.bytes = bytes }

    var isEmpty: Bool { bytes.isEmpty }

    mutating func append(_ part: HTML) { bytes += part.bytes }

    static func + (left: HTML, right: HTML) -> HTML { HTML(bytes: left.bytes + right.bytes) }

    /// A JSON value that search engines read (JSON-LD), which no browser runs.
    static func data(_ json: [UInt8]) -> HTML {
        var bytes = [UInt8]("<script type=\"application/ld+json\">")
        // Nothing else ends a script element.
        for byte in json { if byte == UInt8(ascii: "<") { bytes.append("\\u003c") } else { bytes.append(byte) } }
        bytes.append("</script>")
        return HTML(bytes: bytes)
    }

    struct StringInterpolation: StringInterpolationProtocol {
        private var bytes: [UInt8] = []
        #if DEBUG
            private var context = MarkupContext()
        #endif

        init(literalCapacity: Int, interpolationCount: Int) {
            bytes.reserveCapacity(literalCapacity + 24 * interpolationCount)
        }

        mutating func appendLiteral(_ literal: StaticString) {
            #if DEBUG
                context.read(literal.buffer)
            #endif
            bytes.append(contentsOf: literal.buffer)
        }

        mutating func appendInterpolation(_ text: String) {
            require(.text)
            bytes.append(escaping: text)
        }

        mutating func appendInterpolation(_ number: Int) {
            require(.text)
            bytes.append(decimal: number)
        }

        mutating func appendInterpolation(_ part: HTML) {
            require(.markup)
            bytes.append(contentsOf: part.bytes)
        }

        mutating func appendInterpolation<Element>(each elements: some Sequence<Element>, _ part: (Element) -> HTML) {
            require(.markup)
            for element in elements { bytes.append(contentsOf: part(element).bytes) }
        }

        mutating func appendInterpolation<Value>(if value: Value?, _ part: (Value) -> HTML) {
            require(.markup)
            if let value { bytes.append(contentsOf: part(value).bytes) }
        }

        mutating func appendInterpolation(if condition: Bool, _ part: @autoclosure () -> HTML) {
            require(.markup)
            if condition { bytes.append(contentsOf: part().bytes) }
        }

        mutating func appendInterpolation(attribute: StaticString, if condition: Bool) {
            require(.attribute)
            if condition {
                bytes.append(" ")
                bytes.append(contentsOf: attribute.buffer)
            }
        }

        /// A part of the path or a value in the query of an address that the source begins.
        mutating func appendInterpolation(path text: String) {
            require(.partOfAddress)
            PercentCoding.append(text.utf8, to: &bytes)
        }

        mutating func appendInterpolation(link: Link) {
            require(.address)
            bytes.append(escaping: link.text)
        }

        fileprivate func finished() -> [UInt8] {
            #if DEBUG
                precondition(context.isComplete, "a literal ends within a tag")
            #endif
            return bytes
        }

        private func require(_ insertion: MarkupContext.Insertion) {
            #if DEBUG
                precondition(context.allows(insertion), "\(insertion) is not safe at this place")
            #endif
        }
    }
}

extension [UInt8] {
    /// Appends a text so that it is one in an element and in a quoted attribute. A line break of old Macs would become
    /// another one, and NUL cannot be written (HTML, 13.2.3.5 and 13.2.5.1).
    mutating func append(escaping text: String) {
        var text = text
        text.withUTF8 { text in
            var rest = text[...]
            while let index = rest.firstIndex(where: \.isEscapedInHTML) {
                append(contentsOf: rest[..<index])
                switch rest[index] {
                case UInt8(ascii: "&"): append("&amp;")
                case UInt8(ascii: "<"): append("&lt;")
                case UInt8(ascii: ">"): append("&gt;")
                case UInt8(ascii: "\""): append("&#34;")
                case UInt8(ascii: "'"): append("&#39;")
                case 0: append("\u{FFFD}")
                default: append("&#13;")
                }
                rest = rest[(index + 1)...]
            }
            append(contentsOf: rest)
        }
    }
}

extension UInt8 {
    fileprivate var isEscapedInHTML: Bool {
        switch self {
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"), 0, 13: true
        default: false
        }
    }
}

extension StaticString {
    fileprivate var buffer: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount)
    }
}
