import Bytes
import SookeModel

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
        let parts = json.split(separator: UInt8(ascii: "<"), omittingEmptySubsequences: false)
        for (number, part) in parts.enumerated() { bytes += (number == 0 ? [] : [UInt8]("\\u003c")) + part }
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

/// An address that a page may link to: of the site itself, of the web, or of what calls or writes to somebody.
struct Link: Sendable, Equatable {
    let text: String

    private init(text: String) { self.text = text }

    /// A page of the site, with the values of its query that are not empty.
    init(_ path: StaticString, _ query: [(name: StaticString, value: String?)] = []) {
        self = Link(text: "\(path)").with(query)
    }

    func with(_ query: [(name: StaticString, value: String?)]) -> Link {
        let values = query.compactMap { name, value in
            value.flatMap { $0.isEmpty ? nil : "\(name)=" + PercentCoding.encode($0.utf8, except: Array(",:".utf8)) }
        }
        return Link(text: text + (values.isEmpty ? "" : "?" + values.joined(separator: "&")))
    }

    init(_ start: StaticString, _ name: String, _ end: StaticString) {
        text = "\(start)" + PercentCoding.encode(name.utf8) + "\(end)"
    }

    /// - Parameter date: what follows the slug of an event that takes place several times.
    init(under path: StaticString, _ slug: Slug, _ date: String? = nil) {
        text = [slug.text, date].compactMap(\.self).reduce("\(path)") { $0 + "/" + PercentCoding.encode($1.utf8) }
    }

    static func path(business slug: Slug) -> String { "/businesses/" + PercentCoding.encode(slug.text.utf8) }
    static func path(event slug: Slug) -> String { "/events/" + PercentCoding.encode(slug.text.utf8) }

    init(on site: String, _ path: String) { text = site + path }

    /// A website as its owner wrote it; nil for an address that is not one of the web, such as `javascript:…`.
    init?(website: String) {
        let start = website.prefix(8).lowercased()
        guard start.hasPrefix("http://") || start.hasPrefix("https://"), website.utf8.allSatisfy({ $0 > 0x20 }) else {
            return nil
        }
        text = website
    }

    init?(email: String, subject: String? = nil) {
        guard email.utf8.contains(UInt8(ascii: "@")) else { return nil }
        let query = subject.map { "?subject=" + PercentCoding.encode($0.utf8) }
        text = "mailto:" + PercentCoding.encode(email.utf8, except: Array("@".utf8)) + (query ?? "")
    }

    /// What calls a number; nil for a text without digits. Words and extensions after the number do not belong to it;
    /// the letters of `1-800-FLOWERS` are those on the keys.
    init?(phone: String) {
        let figures = phone.utf8.prefix { !ASCII.isLetter($0) && !"#,;/".utf8.contains($0) }
        var dialled = figures.filter { ASCII.isDigit($0) || $0 == UInt8(ascii: "+") }
        let digits = dialled.filter(ASCII.isDigit)
        guard !digits.isEmpty else { return nil }
        let rest = phone.utf8[figures.endIndex...]
        let keys = rest.prefix { !"#,;/(".utf8.contains($0) }.compactMap(Self.key)
        // In North America. More letters than that are dialled in vain; "112 EMERGENCY" is no such number.
        let isLong = digits.count > 3 && digits[0] == UInt8(ascii: "1") && digits[1] > UInt8(ascii: "1")
        let missing = (isLong ? 11 : 10) - digits.count
        let isWord = figures.last == UInt8(ascii: "-") || isLong && rest.prefix(2).allSatisfy { $0 < UInt8(ascii: "a") }
        if missing > 3, isWord, keys.count == missing || isLong && keys.count > missing {
            dialled += keys.prefix(missing)
        }
        text = "tel:" + String(decoding: dialled, as: UTF8.self)
    }

    private static func key(_ byte: UInt8) -> UInt8? {
        guard ASCII.isLetter(byte) else { return ASCII.isDigit(byte) ? byte : nil }
        return Array("22233344455566677778889999".utf8)[Int(ASCII.lowercased(byte) - UInt8(ascii: "a"))]
    }

    static func directions(to place: Coordinates, by map: Settings.MapLink) -> Link {
        let text = "\(place.latitude),\(place.longitude)"
        return switch map {
        case .openStreetMap: Link(text: "https://www.openstreetmap.org/directions?to=\(text)")
        case .google: Link(text: "https://www.google.com/maps/dir/?api=1&destination=\(text)")
        case .apple: Link(text: "https://maps.apple.com/?daddr=\(text)")
        case .geo: Link(text: "geo:\(text)")
        }
    }

    /// What lets a phone's calendar follow a calendar of this site: the scheme of its address makes it subscribe.
    static func subscription(on site: String, _ path: String) -> Link {
        let host = site.hasPrefix("https://") ? site.dropFirst(8) : site.dropFirst(7)
        return Link(text: "webcal://\(host)\(path)")
    }
}
