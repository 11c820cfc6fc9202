import Bytes

/// Cells that hold several values of a field which has one.
enum CellList {
    /// Nil for a cell with one value and nothing else.
    static func values(in text: String, _ notation: CellNotation) -> [String]? {
        switch notation {
        case .phone:
            let parts = phones(in: text)
            return parts.count > 1 ? parts : nil
        case .website: return several(websites(in: text), in: text)
        case .email: return several(emails(in: text), in: CellText.email(text))
        default: return nil
        }
    }

    private static func several(_ parts: [String], in text: String) -> [String]? {
        guard let first = parts.first else { return nil }
        let hasWords = text.trimmed.utf8.contains { $0 <= UInt8(ascii: " ") }
        return parts.count > 1 || hasWords && !first.hasSameBytes(as: text.trimmed) ? parts : nil
    }

    /// Of a number that stands alone, and not for an extension.
    private static let fewestDigits = 7
    /// Of a number with its area, and the most that one has (ITU-T E.164).
    private static let (usualDigits, mostDigits) = (10, 15)

    private static func phones(in text: String) -> [String] {
        let words = ["and/or", "or", "and", "OR", "ou", "und", "oder"]
        let parts = split(text.utf8.count <= 200 ? parted(text, at: words) : text) { ";,/|&\n\r".utf8.contains($0) }
        if parts.count == 1 { return phones(besideEachOther: parts[0]) }
        return parts.allSatisfy { digits($0.utf8) >= fewestDigits } ? parts : []
    }

    private static func digits(_ text: some Sequence<UInt8>) -> Int { text.count(where: ASCII.isDigit) }

    /// Numbers with only spaces or words between them: together they have too many digits, or are whole words.
    private static func phones(besideEachOther text: String) -> [String] {
        let words = split(text) { $0 <= UInt8(ascii: " ") }
        let counts = words.map { digits($0.utf8) }
        var rest = counts.reduce(0, +)
        guard rest > mostDigits || counts.count(where: { $0 >= fewestDigits }) > 1 else { return [] }
        var (parts, before, isWhole): ([[String]], Int, Bool) = ([[]], 0, false)
        for (word, count) in zip(words, counts) {
            if before >= usualDigits || isWhole, rest >= fewestDigits {
                parts.append([])
                (before, isWhole) = (0, false)
            }
            parts[parts.count - 1].append(word)
            (before, rest, isWhole) = (before + count, rest - count, isWhole || count >= fewestDigits)
        }
        return parts.map { $0.joined(separator: " ") }
    }

    private static func parted(_ text: String, at words: [String]) -> String {
        let parts = text.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        return parts.map { String(Substring($0)) }.map { words.contains($0) ? ";" : $0 }.joined(separator: " ")
    }

    /// An address goes on after a comma or a semicolon unless the next one begins there.
    private static func websites(in text: String) -> [String] {
        var sites: [String] = []
        for written in split(text, at: { $0 <= UInt8(ascii: " ") || $0 == UInt8(ascii: "|") }) {
            let word = withoutSigns(written)
            var site: [UInt8] = []
            for part in split(word, at: { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ",") }, keepsEmpty: true) {
                if isWebsite(part, inside: !site.isEmpty) {
                    if !site.isEmpty { sites.append(string(site)) }
                    site = Array(part.utf8)
                } else if !site.isEmpty, !part.isEmpty {
                    site += [UInt8(ascii: ",")] + part.utf8
                }
            }
            if !site.isEmpty { sites.append(string(site)) }
        }
        return sites
    }

    /// Without the brackets or quotes around a word, and without what ends a sentence: `(https://a.example),`.
    static func withoutSigns(_ word: String) -> String {
        var bytes = word.utf8[...]
        func drop(_ signs: String.UTF8View) {
            while let last = bytes.last, signs.contains(last) { bytes.removeLast() }
        }
        drop(",.;".utf8)
        if let first = bytes.first, "<([\"'".utf8.contains(first) {
            bytes.removeFirst()
            drop(">)]\"',.;".utf8)
        }
        return bytes.isEmpty ? word : String(decoding: bytes, as: UTF8.self)
    }

    private static func isWebsite(_ word: String, inside: Bool) -> Bool {
        let bytes = word.utf8
        if ["https://", "http://", "www."].contains(where: {
            ASCII.equalIgnoringCase(bytes.prefix($0.utf8.count), $0.utf8)
        }) {
            return true
        }
        let host = bytes.prefix { $0 != UInt8(ascii: "/") }
        guard let dot = host.lastIndex(of: UInt8(ascii: ".")), !inside || host.count == bytes.count else {
            return false
        }
        let ending = host[host.index(after: dot)...]
        let isName = host.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || ".-".utf8.contains($0) || $0 >= 0x80 }
        let isPage = ["html", "htm", "php", "aspx", "asp"].contains { ASCII.equalIgnoringCase(ending, $0.utf8) }
        return isName && !isPage && ending.count >= 2 && ending.allSatisfy(ASCII.isLetter) && dot > host.startIndex
    }

    private static func emails(in text: String) -> [String] {
        split(text) { $0 <= UInt8(ascii: " ") || ";,|/<>()\"".utf8.contains($0) }
            .map(CellText.email)
            .filter { word in
                let sign = word.utf8.firstIndex(of: UInt8(ascii: "@"))
                return sign != nil && sign != word.utf8.startIndex && word.utf8.last != UInt8(ascii: "@")
                    && word.utf8.count { $0 == UInt8(ascii: "@") } == 1
            }
    }

    static func names(in text: String, at separators: String = ";,|/>\n\r") -> [String] {
        split(text) { separators.utf8.contains($0) }
    }

    /// Names that are joined by a word: `Restaurants & Lodging`, which may be one as well.
    static func joinedNames(in text: String) -> [String] {
        split(parted(text, at: ["&", "and", "+"])) { $0 == UInt8(ascii: ";") }
    }

    static func warning(taking value: String, from text: String) -> String {
        "holds other words too; \"\(value.excerpt())\" was taken from \"\(text.excerpt())\""
    }

    static func warning(taking value: String, leavingOut others: some Collection<String>) -> String {
        let rest = others.map { "\"\($0.excerpt())\"" }.joined(separator: ", ")
        return "holds more than one; \"\(value.excerpt())\" was taken, and \(rest) left out"
    }

    private static func split(_ text: String, at isSeparator: (UInt8) -> Bool, keepsEmpty: Bool = false) -> [String] {
        let parts = text.utf8.split(omittingEmptySubsequences: false, whereSeparator: isSeparator)
        return parts.map { String(decoding: $0, as: UTF8.self).trimmed }.filter { keepsEmpty || !$0.isEmpty }
    }

    private static func string(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
