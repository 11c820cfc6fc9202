import Bytes

/// The calendars that a web page names.
package enum CalendarLinks {
    private static let (most, longest) = (20, 1 << 20)

    /// `link` elements with the type of calendars, and addresses that end like one of them.
    package static func found(in page: [UInt8], at base: String) -> [(name: String, address: String)] {
        var found: [(name: String, address: String)] = []
        let text = page.prefix(longest)
        for tag in text.split(separator: UInt8(ascii: "<")) where found.count < most {
            let tag = tag.prefix { $0 != UInt8(ascii: ">") }
            guard tag.count < 4_000, let link = attribute("href", in: tag), link.utf8.count <= 2_000 else { continue }
            let address = whole(link, base)
            let isLink = attribute("type", in: tag)?.shortUppercased == "TEXT/CALENDAR"
            guard isLink || isCalendar(address), !found.contains(where: { $0.address.hasSameBytes(as: address) }) else {
                continue
            }
            found.append((attribute("title", in: tag) ?? "", address))
        }
        return found
    }

    private static func whole(_ link: String, _ base: String) -> String {
        let parts = base.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        let hasScheme = link.prefix { !"/?#".contains($0) }.contains(":")
        guard parts.count > 2, !hasScheme, !link.isEmpty else { return link }
        if link.hasPrefix("//") { return "\(parts[0])\(link)" }
        let site = "\(parts[0])//\(parts[2])"
        if link.hasPrefix("/") { return site + link }
        let folder = parts.count > 3 ? parts[3].prefix { !"?#".contains($0) } : ""
        let end = folder.lastIndex(of: "/").map { folder[...$0] } ?? ""
        return "\(site)/\(end)\(link)"
    }

    private static func isCalendar(_ address: String) -> Bool {
        let path = address.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        let hasScheme = ASCII.equalIgnoringCase(address.utf8.prefix(9), "webcal://".utf8)
        return hasScheme || ASCII.equalIgnoringCase(path.suffix(4), ".ics".utf8)
    }

    private static func attribute(_ name: String, in tag: ArraySlice<UInt8>) -> String? {
        var rest = tag
        while let equals = rest.firstIndex(of: UInt8(ascii: "=")) {
            let key = rest[..<equals].reversed().drop { $0 == 0x20 }.prefix { $0 > 0x20 }
            var value = rest[(equals + 1)...].drop { $0 == 0x20 }
            let quote = value.first.flatMap { $0 == 0x22 || $0 == 0x27 ? $0 : nil }
            if quote != nil { value = value.dropFirst() }
            let text = value.prefix { byte in quote.map { byte != $0 } ?? (byte > 0x20) }
            rest = value.dropFirst(text.count)
            if ASCII.equalIgnoringCase(Array(key.reversed()), name.utf8) {
                return PlainText.of(String(decoding: text, as: UTF8.self)).trimmed
            }
        }
        return nil
    }
}
