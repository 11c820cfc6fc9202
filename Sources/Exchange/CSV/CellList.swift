import Bytes

/// Cells that hold several values of a field which has one.
enum CellList {
    /// The values of a cell with several; nil for a cell with one.
    static func values(in text: String, _ notation: CellNotation) -> [String]? {
        let parts: [String]
        switch notation {
        case .phone: parts = phones(in: text)
        case .website: parts = websites(in: text)
        case .email: parts = emails(in: text)
        default: return nil
        }
        return parts.count > 1 ? parts : nil
    }

    /// The fewest digits of a number that stands alone, and not for an extension.
    private static let fewestDigits = 7

    /// Parts of which each can be a whole number.
    private static func phones(in text: String) -> [String] {
        let joined = [" or ", " and ", " OR ", " ou ", " und ", " oder "].reduce(text) { text, word in
            text.utf8.count <= 200 ? replacing(word, in: text) : text
        }
        let parts = split(joined) { ";,/|&\n\r".utf8.contains($0) }
        return parts.allSatisfy { $0.utf8.count(where: ASCII.isDigit) >= fewestDigits } ? parts : []
    }

    private static func replacing(_ word: String, in text: String) -> String {
        var (bytes, result) = (Array(text.utf8)[...], [UInt8]())
        while let first = bytes.first {
            if bytes.starts(with: word.utf8) {
                result.append(UInt8(ascii: ";"))
                bytes = bytes.dropFirst(word.utf8.count)
            } else {
                result.append(first)
                bytes.removeFirst()
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The addresses in a text. One goes on after a comma or a semicolon unless the next one begins there.
    private static func websites(in text: String) -> [String] {
        var sites: [String] = []
        for word in split(text, at: { $0 <= UInt8(ascii: " ") || $0 == UInt8(ascii: "|") }) {
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

    /// Whether a word is a web address; inside of another one it must say so.
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

    /// The addresses in a text, without names and schemes.
    private static func emails(in text: String) -> [String] {
        split(text) { $0 <= UInt8(ascii: " ") || ";,|/<>()\"".utf8.contains($0) }
            .map { CellText.without("mailto:", $0) }
            .filter { word in
                let sign = word.utf8.firstIndex(of: UInt8(ascii: "@"))
                return sign != nil && sign != word.utf8.startIndex && word.utf8.last != UInt8(ascii: "@")
                    && word.utf8.count { $0 == UInt8(ascii: "@") } == 1
            }
    }

    /// The names in a cell, such as two categories.
    static func names(in text: String) -> [String] {
        split(text) { ";,|/>\n\r".utf8.contains($0) }
    }

    /// What people are told when one of the values is taken.
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
