import Bytes

/// The text of a cell, without what spreadsheets and people put around it.
enum CellText {
    /// Whether a text stands for no value: `N/A`, `none`, `-`.
    static func isNothing(_ text: String) -> Bool {
        guard text.utf8.count <= 12 else { return false }
        let word = String(decoding: text.utf8.map(ASCII.lowercased), as: UTF8.self).trimmed
        return nothings.contains(word)
    }

    private static let nothings: Set<String> = [
        "n/a", "na", "none", "null", "nil", "-", "--", "–", "—", "tbd", "tba", "tbc", "?", "unknown", "no website",
        "no phone", "no email", "not available",
    ]

    /// The text in `="…"`, by which spreadsheets keep a number as text, and the address in `=HYPERLINK("…","…")`; any
    /// other text as it is.
    static func withoutFormula(_ text: String) -> String {
        guard text.utf8.first == UInt8(ascii: "=") else { return text }
        for start in ["=\"", "=HYPERLINK(\""]
        where ASCII.equalIgnoringCase(text.utf8.prefix(start.utf8.count), start.utf8) {
            let rest = text.dropFirst(start.count)
            if let end = rest.firstIndex(of: "\"") { return String(rest[..<end]) }
        }
        return text
    }

    /// The text without white space and invisible characters around it, and with spaces for line breaks in it.
    static func oneLine(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x80 }) else { return text }
        var scalars = Substring(text).unicodeScalars
        while let first = scalars.first, isAround(first) { scalars.removeFirst() }
        while let last = scalars.last, isAround(last) { scalars.removeLast() }
        guard scalars.contains(where: { $0 == "\n" || $0 == "\r" }) else { return String(scalars) }
        return String(scalars).split { $0.isNewline }.map { String($0).trimmed }.joined(separator: " ")
    }

    private static func isAround(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || scalar == "\u{200B}" || scalar == "\u{FEFF}" || scalar == "\u{2060}"
    }

    /// The address in `mailto:ada@town.example` or `Ada <ada@town.example>`.
    static func email(_ text: String) -> String {
        var text = Substring(text)
        if let open = text.lastIndex(of: "<"), text.last == ">" { text = text[text.index(after: open)...].dropLast() }
        if text.lowercased().hasPrefix("mailto:") { text = text.dropFirst(7) }
        return String(text).trimmed
    }

    /// The number in `tel:250-555-0101`, or in `2505550101.0`, as a spreadsheet writes one.
    static func phone(_ text: String) -> String {
        var text = Substring(text)
        if text.lowercased().hasPrefix("tel:") { text = text.dropFirst(4) }
        let digits = text.hasSuffix(".0") ? text.dropLast(2) : ""
        return !digits.isEmpty && digits.utf8.allSatisfy(ASCII.isDigit) ? String(digits) : String(text)
    }

    /// The word for a status of an event.
    static func status(_ word: String) -> String {
        switch word {
        case "canceled": "cancelled"
        case "pending", "in_review": "pending_review"
        case "confirmed", "published", "publish", "public", "active", "live": "approved"
        default: word
        }
    }
}
