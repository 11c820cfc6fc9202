import Bytes

/// The plain text of what other programs write: HTML, entities and control characters of windows-1252.
///
/// Only known tags and entities are markup, so that `a < b`, `AT&T` and `<ada@town.example>` stay. Lines of HTML become
/// lines, and the address of a link follows its text: `Map (https://walk.example/a)`. Any text takes linear time.
enum PlainText {
    static func of(_ text: String) -> String {
        guard text.withUTF8Bytes(mayHaveMarkup) else { return text }
        var bytes = Array(withoutControls(text).utf8)
        var html = HTMLText(bytes)
        bytes = html.read()
        // Some programs write the entities of HTML that they have escaped.
        if !html.hasTags, html.hasEntities {
            var again = HTMLText(bytes)
            bytes = again.read()
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func mayHaveMarkup(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        text.contains { byte in
            byte == UInt8(ascii: "&") || byte == UInt8(ascii: "<") || byte == ASCII.carriageReturn || byte == 0xC2
        }
    }

    /// Windows-1252 has characters in place of C1 controls.
    private static func withoutControls(_ text: String) -> String {
        var (result, rest) = (String.UnicodeScalarView(), text.unicodeScalars[...])
        while let scalar = rest.popFirst() {
            if scalar == "\r", rest.first == "\n" { continue }
            let isControl = 0x80...0x9F ~= scalar.value
            result.append(scalar == "\r" ? "\n" : isControl ? Windows1252.scalar(UInt8(scalar.value)) : scalar)
        }
        return String(result)
    }
}

/// Of many files that do not say their character set.
enum Windows1252 {
    static func decode(_ bytes: [UInt8]) -> String {
        String(String.UnicodeScalarView(bytes.map(scalar)))
    }

    static func scalar(_ byte: UInt8) -> Unicode.Scalar {
        0x80...0x9F ~= byte ? special[Int(byte) - 0x80] : Unicode.Scalar(byte)
    }

    static let special = Array(
        "€\u{FFFD}‚ƒ„…†‡ˆ‰Š‹Œ\u{FFFD}Ž\u{FFFD}\u{FFFD}‘’“”•–—˜™š›œ\u{FFFD}žŸ".unicodeScalars)
}

struct HTMLText {
    private let bytes: [UInt8]
    private var index = 0
    private var output: [UInt8] = []
    private var breaks = 0
    /// Of the open link, and where its text begins in the output.
    private var link: (address: String, start: Int)?
    /// False after a tag that does not end.
    private var mayEnd = true
    private var isInSection = false
    private(set) var hasTags = false
    private(set) var hasEntities = false

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func read() -> [UInt8] {
        output.reserveCapacity(bytes.count)
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "<"), readDeclaration() || readTag() { continue }
            if byte == UInt8(ascii: "&"), readEntity() { continue }
            if isInSection, bytes[index...].starts(with: "]]>".utf8) {
                (index, isInSection) = (index + 3, false)
                continue
            }
            index += 1
            append(byte)
        }
        endLink()
        guard hasTags || hasEntities else { return output }
        while let last = output.last, last <= UInt8(ascii: " ") { output.removeLast() }
        return output
    }

    private mutating func append(_ byte: UInt8) {
        // Spaces and line ends beside those of tags do not count.
        if " \t\n".utf8.contains(byte), breaks > 0 || hasTags && output.isEmpty { return }
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

    private mutating func readDeclaration() -> Bool {
        let rest = bytes[index...]
        guard mayEnd, rest.dropFirst().first == UInt8(ascii: "!") else { return false }
        if rest.starts(with: "<!--".utf8) { return skip(to: "-->", count: 3) }
        if ASCII.equalIgnoringCase(rest.prefix(9), "<!doctype".utf8) { return skip(to: ">", count: 1) }
        guard rest.starts(with: "<![CDATA[".utf8) else { return false }
        (index, hasTags, isInSection) = (index + 9, true, true)
        return true
    }

    private mutating func skip(to text: String, count: Int) -> Bool {
        guard let found = ByteSearch(for: Array(text.utf8)).firstMatch(in: bytes.span, from: index) else {
            mayEnd = false
            return false
        }
        (index, hasTags) = (found + count, true)
        return true
    }

    private mutating func readTag() -> Bool {
        guard mayEnd else { return false }
        let isEnd = bytes[(index + 1)...].first == UInt8(ascii: "/")
        let start = index + (isEnd ? 2 : 1)
        let written = bytes[start...].prefix(12).prefix(while: Self.isNameByte)
        let name = String(decoding: written.map(ASCII.lowercased), as: UTF8.self)
        // The tags of office programs, such as `o:p`, mean nothing.
        let isOffice = ["o:", "w:", "v:", "st1:"].contains(where: name.hasPrefix)
        guard let kind = Self.tags[name] ?? (isOffice ? .inline : nil),
            let (end, address) = attributes(from: written.endIndex)
        else { return false }
        (index, hasTags) = (end, true)
        switch kind {
        case .inline: break
        case .line: breaks = max(breaks, 1)
        case .paragraph: breaks = max(breaks, 2)
        case .lineBreak: breaks = min(breaks + 1, 2)
        case .cell: if isEnd, breaks == 0 { append(UInt8(ascii: " ")) }
        case .hidden: if !isEnd { _ = skip(to: "</\(name)", count: 0) }
        case .link:
            endLink()
            if !isEnd, let address { link = (address, output.count) }
        }
        return true
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || "-_:".utf8.contains(byte)
    }

    /// Nil where what follows is no attributes with values.
    private mutating func attributes(from start: Int) -> (end: Int, address: String?)? {
        var (rest, address, isFirst) = (bytes[start...], nil as String?, true)
        while true {
            let begin = rest.startIndex
            rest = rest.drop { $0 <= UInt8(ascii: " ") || $0 == UInt8(ascii: "/") }
            if rest.first == UInt8(ascii: ">") { return (rest.startIndex + 1, address) }
            let name = rest.prefix(while: Self.isNameByte)
            rest = rest[name.endIndex...].drop { $0 <= UInt8(ascii: " ") }
            if rest.isEmpty { break }
            guard rest.startIndex > begin, rest.first != UInt8(ascii: "<") else { return nil }
            guard rest.first == UInt8(ascii: "="), !name.isEmpty else {
                if isFirst || name.isEmpty { return nil }
                continue
            }
            rest = rest.dropFirst().drop { $0 == UInt8(ascii: " ") }
            let quote = rest.first.flatMap { "\"'".utf8.contains($0) ? $0 : nil }
            if quote != nil { rest.removeFirst() }
            let value = rest.prefix { quote == nil ? $0 > UInt8(ascii: " ") && !"<>".utf8.contains($0) : $0 != quote }
            rest = rest[value.endIndex...]
            if rest.isEmpty { break }
            if quote != nil { rest.removeFirst() }
            isFirst = false
            if address == nil, ASCII.equalIgnoringCase(name, "href".utf8) { address = Self.address(value) }
        }
        // Without this, the end of each later one would be looked for again.
        mayEnd = false
        return nil
    }

    /// Nil for a link that leads nowhere outside its page.
    private static func address(_ value: ArraySlice<UInt8>) -> String? {
        var text = HTMLText(Array(value))
        let address = String(decoding: text.read(), as: UTF8.self).trimmed
        let lower = address.prefix(8).lowercased()
        if lower.hasPrefix("mailto:") || lower.hasPrefix("tel:") {
            return String(address[address.index(after: address.firstIndex(of: ":") ?? address.startIndex)...])
        }
        if lower.hasPrefix("//") { return "https:" + address }
        guard lower.hasPrefix("https://") || lower.hasPrefix("http://") else { return nil }
        // Calendars of Google lead through a page of theirs.
        let redirect = CellText.without("https://www.google.com/url?q=", address)
        guard redirect.utf8.count < address.utf8.count else { return address }
        let target = redirect.utf8.prefix { $0 != UInt8(ascii: "&") }
        return (try? PercentCoding.decode(target)).flatMap { String(validUTF8: $0) } ?? address
    }

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

    private static func bare(_ address: String) -> String {
        var text = address
        for start in ["https://", "http://", "www."] { text = CellText.without(start, text) }
        return text.utf8.last == UInt8(ascii: "/") ? String(decoding: text.utf8.dropLast(), as: UTF8.self) : text
    }

    private mutating func readEntity() -> Bool {
        let name = bytes[(index + 1)...].prefix(10).prefix { $0 != UInt8(ascii: ";") }
        guard bytes[name.endIndex...].first == UInt8(ascii: ";"),
            let scalar = name.first == UInt8(ascii: "#")
                ? Self.scalar(name.dropFirst()) : Self.entities[String(decoding: name, as: UTF8.self)]
        else { return false }
        (index, hasEntities) = (name.endIndex + 1, true)
        switch scalar {
        // A space that is there for the layout only, and a place where a word may be parted.
        case "\u{A0}": append(UInt8(ascii: " "))
        case "\u{AD}": break
        default: for byte in String(scalar).utf8 { append(byte) }
        }
        return true
    }

    private static func scalar(_ number: ArraySlice<UInt8>) -> Unicode.Scalar? {
        let isHex = number.first == UInt8(ascii: "x") || number.first == UInt8(ascii: "X")
        let digits = isHex ? number.dropFirst() : number
        guard digits.allSatisfy({ ASCII.isLetter($0) || ASCII.isDigit($0) }),
            let value = UInt32(String(decoding: digits, as: UTF8.self), radix: isHex ? 16 : 10)
        else { return nil }
        if 0x80...0x9F ~= value { return Windows1252.scalar(UInt8(value)) }
        guard value >= 0x20 || value == 9 || value == 10 || value == 13 else { return " " }
        return Unicode.Scalar(value) ?? "\u{FFFD}"
    }
}

extension HTMLText {
    private enum Tag {
        case inline
        case line
        case paragraph
        case lineBreak
        case cell
        case link
        case hidden
    }

    private static let tags: [String: Tag] = {
        let names: [(Tag, String)] = [
            (.lineBreak, "br"), (.link, "a"), (.hidden, "script style svg"), (.cell, "td th"),
            (.paragraph, "p h1 h2 h3 h4 h5 h6 blockquote pre"),
            (
                .line,
                """
                div li ul ol dl dt dd tr table tbody thead tfoot section article header footer nav main aside address \
                hr body html head center figure figcaption form details summary
                """
            ),
            (
                .inline,
                """
                abbr acronym b bdi bdo big cite code del em font i iframe img ins kbd label link mark meta q s samp \
                small span strike strong sub sup time title tt u wbr var input button picture source html-blob \
                noscript dfn object embed video audio
                """
            ),
        ]
        var tags: [String: Tag] = [:]
        for (tag, names) in names {
            for name in names.split(whereSeparator: \.isWhitespace) { tags[String(name)] = tag }
        }
        return tags
    }()

    private static let entities: [String: Unicode.Scalar] = {
        let punctuation = """
            amp& lt< gt> quot" apos' ndash– mdash— lsquo‘ rsquo’ sbquo‚ ldquo“ rdquo” bdquo„ lsaquo‹ rsaquo› hellip… \
            bull• dagger† Dagger‡ permil‰ prime′ Prime″ trade™ euro€ OElig\u{152} oelig\u{153} Scaron\u{160} \
            scaron\u{161} Yuml\u{178} ensp\u{2002} emsp\u{2003} thinsp\u{2009} zwnj\u{200C} zwj\u{200D} lrm\u{200E} \
            rlm\u{200F}
            """
        // From the no-break space on, in the order of the characters.
        let latin = """
            nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 \
            acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml \
            Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde \
            Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig \
            ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide \
            oslash ugrave uacute ucirc uuml yacute thorn yuml
            """
        var entities: [String: Unicode.Scalar] = [:]
        for entry in punctuation.unicodeScalars.split(separator: " ") {
            entities[String(String.UnicodeScalarView(entry.dropLast()))] = entry.last
        }
        for (index, name) in latin.split(separator: " ").enumerated() {
            entities[String(name)] = Unicode.Scalar(UInt8(0xA0 + index))
        }
        return entities
    }()
}
