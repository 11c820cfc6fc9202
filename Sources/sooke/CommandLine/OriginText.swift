import Bytes

/// The text of an origin, as browsers send it in `Origin`: scheme, host, and the port unless it is the usual one
/// (RFC 6454, section 6.2). The server compares it as a whole, so any other text never matches.
enum OriginText {
    /// Whether a text can match: an origin in any case, `null`, or `*` for all.
    static func isValid(_ text: String) -> Bool {
        text == "*" || text == "null" || origin(of: text) == text.asciiLowercased
    }

    static func isSite(_ text: String) -> Bool {
        let text = text.asciiLowercased
        guard let scheme = ["https://", "http://"].first(where: text.hasPrefix),
            let (host, port) = split(text.dropFirst(scheme.count))
        else { return false }
        return text == "\(scheme)\(host)" + (port.map { ":\($0)" } ?? "")
    }

    /// What to write instead of a text that never matches.
    static func advice(for text: String) -> String? {
        if text.contains("*") { return "* stands alone, for all sites" }
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return "write the host as browsers send it, with xn--" }
        let parts = text.split { $0 == " " || $0 == "," }
        guard parts.count == 1, let part = parts.first else {
            return parts.isEmpty ? nil : "repeat the option for each site; the environment has commas between them"
        }
        return origin(of: String(part)).map { "write \($0)" }
    }

    /// What to write instead of a text that is no address of a site.
    static func siteAdvice(for text: String) -> String? {
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return "write the host as browsers send it, with xn--" }
        return origin(of: text).map { "write \($0)" }
    }

    /// The origin of a URL, or of a host without a scheme; nil when there is none.
    private static func origin(of text: String) -> String? {
        let text = text.asciiLowercased
        let scheme = String(text.prefix { !":/[".contains($0) })
        let rest = text.dropFirst(scheme.count)
        guard rest.hasPrefix("://") else {
            if rest.hasPrefix(":/") { return nil }
            let isLocal = ["localhost", "127.", "[::1]"].contains(where: text.hasPrefix)
            return origin(of: (isLocal ? "http://" : "https://") + text)
        }
        guard scheme.utf8.first.map(ASCII.isLetter) ?? false,
            scheme.utf8.allSatisfy({ ASCII.isLetter($0) || ASCII.isDigit($0) || "+-.".utf8.contains($0) })
        else { return nil }
        let authority = rest.dropFirst(3).prefix { !"/?#\\".contains($0) }
        let place = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        guard let (host, port) = split(place) else { return nil }
        let usual = ["http": 80, "https": 443][scheme]
        return "\(scheme)://\(host)" + (port == nil || port == usual ? "" : ":\(port ?? 0)")
    }

    private static func split(_ place: Substring) -> (host: Substring, port: Int?)? {
        var host = place.prefix { $0 != ":" }
        if place.first == "[" {
            guard let end = place.firstIndex(of: "]") else { return nil }
            host = place[...end]
            guard host.count > 4, host.dropFirst().dropLast().utf8.allSatisfy(isInAddress) else { return nil }
        } else {
            guard !host.isEmpty, host.utf8.allSatisfy(isInName) else { return nil }
        }
        let rest = place[host.endIndex...]
        guard !rest.isEmpty else { return (host, nil) }
        guard rest.first == ":", rest.dropFirst().utf8.allSatisfy(ASCII.isDigit) else { return nil }
        guard rest.count > 1 else { return (host, nil) }
        guard let port = UInt16(rest.dropFirst()), port > 0 else { return nil }
        return (host, Int(port))
    }

    private static func isInName(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || "-._".utf8.contains(byte)
    }

    private static func isInAddress(_ byte: UInt8) -> Bool {
        ASCII.isDigit(byte) || "abcdef:.".utf8.contains(byte)
    }
}

extension ValueSyntax where Value == String {
    static let origin = Self(
        expectation: "an origin such as https://town.example", completion: .none,
        read: { OriginText.isValid($0) ? $0 : nil }, advice: OriginText.advice)
}

extension String {
    fileprivate var asciiLowercased: String { String(decoding: utf8.map(ASCII.lowercased), as: UTF8.self) }
}
