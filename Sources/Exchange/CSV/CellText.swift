import Bytes
import SookeModel

/// Works on bytes and scalars: characters of a long run of combining marks take quadratic time.
enum CellText {
    /// - Parameter countsPromises: whether words for a value that is not known yet count too, such as `TBD`.
    static func isNothing(_ text: String, countsPromises: Bool = true) -> Bool {
        guard text.utf8.count <= 16, let first = text.utf8.first, !ASCII.isDigit(first), first != UInt8(ascii: "+")
        else {
            return false
        }
        let word = String(decoding: text.utf8.map(ASCII.lowercased), as: UTF8.self).trimmed
        return nothings.contains(word) || countsPromises && promises.contains(word)
    }

    private static let nothings: Set<String> = [
        "n/a", "na", "none", "null", "nil", "-", "--", "–", "—", "no website", "no phone", "no email",
    ]
    private static let promises: Set<String> = ["tbd", "tba", "tbc", "?", "unknown", "not available"]

    /// In any case; the whole text when it does not have the prefix.
    static func without(_ prefix: String, _ text: String) -> String {
        let count = prefix.utf8.count
        guard ASCII.equalIgnoringCase(text.utf8.prefix(count), prefix.utf8) else { return text }
        return String(decoding: text.utf8.dropFirst(count), as: UTF8.self)
    }

    /// The text in `="…"`, by which spreadsheets keep a number as text, and the address in `=HYPERLINK("…","…")`.
    static func withoutFormula(_ text: String) -> String {
        guard text.utf8.first == UInt8(ascii: "=") else { return text }
        for start in ["=\"", "=HYPERLINK(\""] {
            let rest = without(start, text).utf8
            if rest.count < text.utf8.count, let end = rest.firstIndex(of: UInt8(ascii: "\"")) {
                return String(decoding: rest[..<end], as: UTF8.self)
            }
        }
        return text
    }

    /// A name without the link behind it: `Music (https://walk.example/music)`.
    static func withoutLink(_ text: String) -> String {
        let words = text.split(separator: " ")
        let isLink = words.last?.split(separator: ":").last?.hasPrefix("//") == true
        return isLink && words.count > 1 ? words.dropLast().joined(separator: " ") : text
    }

    /// With spaces for line breaks, and nothing invisible around it.
    static func oneLine(_ text: String) -> String {
        if text.withUTF8Bytes(isPlain) { return text }
        let scalars = text.withoutInvisibleEnds.unicodeScalars
        guard scalars.contains(where: { isLineBreak($0) || isWideSpace($0) }) else { return String(scalars) }
        return scalars.split(whereSeparator: isLineBreak).map { line in
            var plain = String.UnicodeScalarView()
            plain.append(contentsOf: line.map { isWideSpace($0) ? " " : $0 })
            return String(plain).trimmed
        }.joined(separator: " ")
    }

    /// Most cells are one line without anything around it.
    private static func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = text.first, let last = text.last else { return true }
        // The first bytes of the other spaces and line ends.
        return 0x21..<0x80 ~= first && 0x21..<0x80 ~= last && !text.contains { $0 < 0x20 || $0 == 0xC2 || $0 == 0xE2 }
    }

    private static func isLineBreak(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }

    private static func isWideSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\t" || scalar == "\u{A0}" || scalar == "\u{202F}"
    }

    /// The address in `mailto:ada@town.example?subject=Hello` or `Ada <ada@town.example>`.
    static func email(_ text: String) -> String {
        var bytes = Substring(text).utf8
        if let open = bytes.lastIndex(of: UInt8(ascii: "<")), bytes.last == UInt8(ascii: ">") {
            bytes = bytes[bytes.index(after: open)...].dropLast()
        }
        let text = String(decoding: bytes, as: UTF8.self).trimmed
        let address = without("mailto:", text)
        let isLink = address.utf8.count < text.utf8.count
        return isLink ? String(decoding: address.utf8.prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self) : address
    }

    /// The number in `tel:250-555-0101`, or in `2505550101.0` and `'2505550101`, as a spreadsheet writes one.
    static func phone(_ text: String) -> String {
        var number = without("tel:", text)
        if number.utf8.first == UInt8(ascii: "'") { number.removeFirst() }
        let digits = number.utf8.dropLast(2)
        let isDecimal = number.utf8.suffix(2).elementsEqual(".0".utf8) && !digits.isEmpty
        return isDecimal && digits.allSatisfy(ASCII.isDigit) ? String(decoding: digits, as: UTF8.self) : number
    }

    static func rule(_ text: String) -> String {
        let rule = without("RRULE:", text)
        guard rule.utf8.contains(UInt8(ascii: "=")) else { return rule }
        return String(decoding: rule.utf8.filter { $0 != UInt8(ascii: " ") }, as: UTF8.self)
    }

    static func status(_ word: String) -> String {
        switch word {
        case "canceled": "cancelled"
        case "pending", "in_review": "pending_review"
        case "confirmed", "published", "publish", "public", "active", "live": "approved"
        default: word
        }
    }
}

/// How people write the cells of a field, beyond the form in which an export writes them.
enum CellNotation: Sendable {
    case plain
    case line
    case reference
    case email
    case rule
    /// In the syntax of OpenStreetMap, or like `Mon-Fri 9-5, Sat 10-4`.
    case openingHours
    /// `48,374`, `123.726° W`.
    case latitude, longitude
    case website
    case phone
    /// May lack the offset of a time zone; the end of an event may lack its date.
    case start, end
    case word

    var isText: Bool {
        switch self {
        case .plain, .line, .reference, .email, .rule, .website, .phone, .openingHours: true
        default: false
        }
    }

    init(ofField name: String) {
        self =
            switch name {
            case "name", "address", "area": .line
            case "category", "event_type", "business", "location", "host", "organizer", "price": .reference
            case "email": .email
            case "rrule": .rule
            case "opening_hours": .openingHours
            case "latitude": .latitude
            case "longitude": .longitude
            case "website", "url": .website
            case "phone": .phone
            case "starts_at": .start
            case "ends_at": .end
            case "status", "public_holidays": .word
            default: .plain
            }
    }
}

enum DamagedCell {
    /// The error of a formula, or `####` for a column that was too narrow.
    static func error(in text: String) -> String? {
        guard text.utf8.first == UInt8(ascii: "#"), text.utf8.count < 16 else { return nil }
        let trimmed = text.trimmed
        if errors.contains(trimmed) { return trimmed }
        return trimmed.utf8.count > 2 && trimmed.utf8.allSatisfy { $0 == UInt8(ascii: "#") } ? trimmed : nil
    }

    private static let errors: Set<String> = [
        "#REF!", "#N/A", "#VALUE!", "#DIV/0!", "#NAME?", "#NULL!", "#NUM!", "#ERROR!", "#SPILL!", "#CALC!",
    ]

    /// As a spreadsheet writes a long number: `2.50555E+09`.
    static func isScientific(_ text: String) -> Bool {
        let bytes = text.utf8
        guard let exponent = bytes.firstIndex(of: UInt8(ascii: "E")) else { return false }
        var digits = bytes[bytes.index(after: exponent)...]
        guard let sign = digits.popFirst(), "+-".utf8.contains(sign) else { return false }
        let number = bytes[..<exponent]
        return !digits.isEmpty && digits.allSatisfy(ASCII.isDigit) && number.contains(where: ASCII.isDigit)
            && number.allSatisfy { byte in
                ASCII.isDigit(byte) || ".,-".utf8.contains(byte)
            }
    }
}
