import Bytes

/// Reads a text that may be HTML.
struct HTMLText {
    private let bytes: [UInt8]
    private var index = 0
    private var output: [UInt8] = []
    /// How many line ends come before the next text.
    private var breaks = 0
    /// The address of the link that is open, and where its text begins.
    private var link: (address: String, start: Int)?
    /// Whether a tag may end; false after one that does not.
    private var mayEnd = true
    /// Whether a `<![CDATA[` is open.
    private var isInSection = false
    private(set) var hasTags = false
    private(set) var hasEntities = false

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The text; the bytes themselves where nothing is markup.
    mutating func read() -> [UInt8] {
        output.reserveCapacity(bytes.count)
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "<"): if !readTag() { appendPlain(bytes[index]) }
            case UInt8(ascii: "&"): if !readEntity() { appendPlain(bytes[index]) }
            case UInt8(ascii: "]") where isInSection && bytes[index...].starts(with: "]]>".utf8):
                (index, isInSection) = (index + 3, false)
            default: appendPlain(bytes[index])
            }
        }
        endLink()
        guard hasTags || hasEntities else { return output }
        while let last = output.last, last <= UInt8(ascii: " ") { output.removeLast() }
        return output
    }

    private mutating func appendPlain(_ byte: UInt8) {
        index += 1
        append(byte)
    }

    /// Appends a character of the text, after the line ends before it.
    private mutating func append(_ byte: UInt8) {
        let isSpace = byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == ASCII.lineFeed
        // Spaces and line ends beside those of tags do not count.
        if isSpace, breaks > 0 || hasTags && output.isEmpty { return }
        endLines()
        output.append(byte)
    }

    private mutating func endLines() {
        guard breaks > 0 else { return }
        while let last = output.last, last == UInt8(ascii: " ") || last == UInt8(ascii: "\t") { output.removeLast() }
        let there = output.reversed().prefix { $0 == ASCII.lineFeed }.count
        if !output.isEmpty { output += [UInt8](repeating: ASCII.lineFeed, count: max(0, breaks - there)) }
        breaks = 0
    }

    // MARK: - Tags

    /// Reads a known tag or a comment; false when there is none.
    private mutating func readTag() -> Bool {
        guard mayEnd else { return false }
        if index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "!") { return readDeclaration() }
        var position = index + 1
        let isEnd = position < bytes.count && bytes[position] == UInt8(ascii: "/")
        if isEnd { position += 1 }
        let start = position
        while position < bytes.count, position - start < 12,
            ASCII.isLetter(bytes[position]) || ASCII.isDigit(bytes[position]) || "-:".utf8.contains(bytes[position])
        {
            position += 1
        }
        let name = String(decoding: bytes[start..<position].map(ASCII.lowercased), as: UTF8.self)
        guard let kind = HTMLNames.tag(name), position < bytes.count, let end = endOfTag(from: position) else {
            return false
        }
        let attributes = bytes[position..<end]
        guard Self.areAttributes(attributes) else { return false }
        (index, hasTags) = (end + 1, true)
        apply(kind, name, isEnd: isEnd, attributes)
        return true
    }

    /// Reads a comment, a type of documents or the begin of a section; false when there is none.
    private mutating func readDeclaration() -> Bool {
        let rest = bytes[index...]
        if rest.starts(with: "<!--".utf8) { return skip(to: "-->", count: 3) }
        if ASCII.equalIgnoringCase(rest.prefix(9), "<!doctype".utf8) { return skip(to: ">", count: 1) }
        guard rest.starts(with: "<![CDATA[".utf8) else { return false }
        (index, hasTags, isInSection) = (index + 9, true, true)
        return true
    }

    /// The place of the `>` that ends a tag; nil without one.
    private mutating func endOfTag(from start: Int) -> Int? {
        var (position, quote) = (start, nil as UInt8?)
        while position < bytes.count {
            let byte = bytes[position]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                return position
            } else if byte == UInt8(ascii: "<") {
                return nil
            }
            position += 1
        }
        // Without this, each later one would be looked for to the end again.
        mayEnd = false
        return nil
    }

    /// Whether a text after the name of a tag is what may follow it: nothing, or attributes with values.
    private static func areAttributes(_ text: ArraySlice<UInt8>) -> Bool {
        let rest = text.drop { $0 <= UInt8(ascii: " ") || $0 == UInt8(ascii: "/") }
        guard let first = rest.first else { return true }
        guard rest.startIndex > text.startIndex, ASCII.isLetter(first) else { return false }
        let name = rest.prefix { ASCII.isLetter($0) || ASCII.isDigit($0) || "-_:".utf8.contains($0) }
        return rest[name.endIndex...].first { $0 > UInt8(ascii: " ") } == UInt8(ascii: "=")
    }

    /// Skips what is before a text, and some bytes from there.
    private mutating func skip(to text: String, count: Int) -> Bool {
        guard let found = ByteSearch(for: Array(text.utf8)).firstMatch(in: bytes.span, from: index) else {
            mayEnd = false
            return false
        }
        (index, hasTags) = (found + count, true)
        return true
    }

    private mutating func apply(
        _ kind: HTMLNames.Tag, _ name: String, isEnd: Bool, _ attributes: ArraySlice<UInt8>
    ) {
        switch kind {
        case .inline: break
        case .line: breaks = max(breaks, 1)
        case .paragraph: breaks = max(breaks, 2)
        case .lineBreak: breaks = min(breaks + 1, 2)
        case .cell: if isEnd, breaks == 0 { append(UInt8(ascii: " ")) }
        case .hidden: if !isEnd { _ = skip(to: "</\(name)", count: 0) }
        case .link:
            endLink()
            if !isEnd, let address = Self.address(attributes) { link = (address, output.count) }
        }
    }

    // MARK: - Links

    /// The address of a link; nil for one that leads nowhere outside its page.
    private static func address(_ attributes: ArraySlice<UInt8>) -> String? {
        var rest = attributes
        while let found = rest.firstIndex(of: UInt8(ascii: "=")) {
            let name = rest[..<found].suffix(4)
            rest = rest[(found + 1)...].drop { $0 == UInt8(ascii: " ") }
            let quote = rest.first.flatMap { "\"'".utf8.contains($0) ? $0 : nil }
            if quote != nil { rest.removeFirst() }
            let value = rest.prefix { quote == nil ? $0 > UInt8(ascii: " ") : $0 != quote }
            rest = rest[value.endIndex...]
            guard ASCII.equalIgnoringCase(name, "href".utf8) else { continue }
            var text = HTMLText(Array(value))
            return usable(String(decoding: text.read(), as: UTF8.self).trimmed)
        }
        return nil
    }

    private static func usable(_ address: String) -> String? {
        for scheme in ["mailto:", "tel:"] {
            let rest = CellText.without(scheme, address)
            if rest.utf8.count < address.utf8.count { return rest }
        }
        let isWeb = ["https://", "http://"].contains {
            ASCII.equalIgnoringCase(address.utf8.prefix($0.utf8.count), $0.utf8)
        }
        guard isWeb else { return address.utf8.starts(with: "//".utf8) ? "https:" + address : nil }
        // Calendars of Google lead through a page of theirs.
        let redirect = CellText.without("https://www.google.com/url?q=", address)
        guard redirect.utf8.count < address.utf8.count else { return address }
        let target = redirect.utf8.prefix { $0 != UInt8(ascii: "&") }
        return (try? PercentCoding.decode(target)).flatMap { String(validUTF8: $0) } ?? address
    }

    /// Appends the address of the link that is open, unless its text is the same.
    private mutating func endLink() {
        guard let (address, start) = link else { return }
        link = nil
        let text = String(decoding: output.dropFirst(start), as: UTF8.self).withoutInvisibleEnds
        if text.isEmpty {
            endLines()
            output += address.utf8
        } else if !Self.bare(text).hasSameBytes(as: Self.bare(address)) {
            output += " (\(address))".utf8
        }
    }

    /// An address without scheme and final slash.
    private static func bare(_ address: String) -> String {
        var text = address
        for start in ["https://", "http://", "www."] { text = CellText.without(start, text) }
        return text.utf8.last == UInt8(ascii: "/") ? String(decoding: text.utf8.dropLast(), as: UTF8.self) : text
    }

    // MARK: - Entities

    /// Reads an entity, which ends with a semicolon; false when there is none.
    private mutating func readEntity() -> Bool {
        let end = bytes[(index + 1)...].prefix(HTMLNames.longestEntity + 1).firstIndex(of: UInt8(ascii: ";"))
        guard let end, end > index + 1 else { return false }
        let name = bytes[(index + 1)..<end]
        guard let scalar = name.first == UInt8(ascii: "#") ? Self.scalar(name.dropFirst()) : HTMLNames.entity(name)
        else {
            return false
        }
        (index, hasEntities) = (end + 1, true)
        switch scalar {
        // A space that is there for the layout only, and a place where a word may be parted.
        case "\u{A0}": append(UInt8(ascii: " "))
        case "\u{AD}": break
        default: for byte in String(scalar).utf8 { append(byte) }
        }
        return true
    }

    /// The character with a number: `39` or `x27`; nil when it is none.
    private static func scalar(_ number: ArraySlice<UInt8>) -> Unicode.Scalar? {
        let isHex = number.first == UInt8(ascii: "x") || number.first == UInt8(ascii: "X")
        let text = String(decoding: isHex ? number.dropFirst() : number, as: UTF8.self)
        guard text.utf8.first != UInt8(ascii: "+"), text.utf8.first != UInt8(ascii: "-"),
            let value = UInt32(text, radix: isHex ? 16 : 10)
        else { return nil }
        if 0x80...0x9F ~= value { return Windows1252.scalar(UInt8(value)) }
        guard value >= 0x20 || value == 9 || value == 10 || value == 13 else { return " " }
        return Unicode.Scalar(value) ?? "\u{FFFD}"
    }
}
