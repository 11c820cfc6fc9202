import Bytes
import Exchange
import Platform
import SookeModel

struct ValueSyntax<Value: Sendable>: Sendable {
    /// The description after "takes", such as `a number from 0 to 65535`.
    let expectation: String
    let completion: Completion
    let read: @Sendable (String) -> Value?
    /// What to write instead of an invalid text; nil when that is unknown.
    var advice: @Sendable (String) -> String? = { _ in nil }
}

enum Completion: Sendable, Equatable {
    case none
    case files
    case folders
    case words([String])
    case timeZones
    case subjects
}

extension ValueSyntax where Value == String {
    static func text(_ expectation: String, _ completion: Completion = .none) -> Self {
        Self(expectation: expectation, completion: completion) { $0.isEmpty ? nil : $0 }
    }

    static let anyText = Self(expectation: "a text", completion: .none) { $0 }

    /// The name of a help subject. Whether it exists is checked when it is looked up.
    static let subject = text("the name of a command or topic", .subjects)

    static let file = text("the name of a file, or -", .files)

    static let folder = text("the name of a folder", .folders)

    /// The name of a time zone. Whether it exists is checked when it is used.
    static let timeZone = text("the name of a time zone such as America/Vancouver", .timeZones)

    static let address = Self(expectation: "an address such as 127.0.0.1", completion: .none) {
        SocketAddress(host: $0, port: 0) == nil ? nil : $0
    }

    static let holidays = Self(expectation: Holidays.regions.joinedWithOr, completion: .words(Holidays.regions)) {
        Holidays.regions.contains($0) ? $0 : nil
    }

    static let url = Self(
        expectation: "an address such as https://town.example", completion: .none,
        read: { OriginText.isSite($0) && ["https://", "http://"].contains(where: $0.hasPrefix) ? $0 : nil },
        advice: OriginText.siteAdvice)

    static let origin = Self(
        expectation: "an origin such as https://town.example", completion: .none,
        read: { OriginText.isValid($0) ? $0 : nil }, advice: OriginText.advice)
}

extension ValueSyntax where Value == UInt16 {
    /// A TCP port; 0 takes a free one.
    static let port = Self(expectation: "a number from 0 to 65535", completion: .none) { text in
        text.isDecimal ? UInt16(text) : nil
    }
}

extension ValueSyntax where Value == Int {
    static func count(of unit: String, in range: ClosedRange<Int>) -> Self {
        let expectation = "a number of \(unit) from \(range.lowerBound) to \(range.upperBound)"
        return Self(expectation: expectation, completion: .none) { text in
            guard text.isDecimal, let count = Int(text), range.contains(count) else { return nil }
            return count
        }
    }
}

extension String {
    /// Whether the text is nonempty and has only decimal digits: no sign, no space.
    fileprivate var isDecimal: Bool { !isEmpty && utf8.allSatisfy(ASCII.isDigit) }

    fileprivate var asciiLowercased: String { String(decoding: utf8.map(ASCII.lowercased), as: UTF8.self) }
}

extension ValueSyntax where Value == Duration {
    /// A time such as `1d`, `36h` or `90m`: up to ten years.
    static let age = Self(expectation: "a time such as 1d, 36h or 90m", completion: .none) { text in
        let digits = String(text.dropLast())
        guard let unit = text.last.flatMap({ ["m": 60, "h": 3600, "d": 86_400][$0] }), digits.isDecimal,
            let count = Int(digits), 1...5_256_000 ~= count, count * unit <= 3653 * 86_400
        else { return nil }
        return .seconds(count * unit)
    }
}

extension ValueSyntax where Value == Timestamp {
    static let moment = Self(expectation: "a time such as 2026-11-21T09:30:00Z", completion: .none) {
        Timestamp(rfc3339: $0)
    }
}

extension ValueSyntax where Value == Coordinates {
    static let place = Self(
        expectation: "a place such as 48.374,-123.726, or a link to a map", completion: .none,
        read: { try? PlaceText.coordinates($0) },
        advice: { text in
            do throws(PlaceTextError) {
                _ = try PlaceText.coordinates(text)
                return nil
            } catch {
                return "it \(error)"
            }
        })
}

extension ValueSyntax where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
    static func choice(of type: Value.Type = Value.self) -> Self {
        let words = type.allCases.map(\.rawValue)
        return Self(expectation: words.joinedWithOr, completion: .words(words)) { Value(rawValue: $0) }
    }
}

extension [String] {
    var joinedWithOr: String {
        guard let last, count > 1 else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " or " + last
    }
}

/// The text of an origin, as browsers send it in `Origin`: scheme, host, and the port unless it is the usual one
/// (RFC 6454, section 6.2). The server compares it as a whole, so any other text never matches.
enum OriginText {
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

    static func advice(for text: String) -> String? {
        if text.contains("*") { return "* stands alone, for all sites" }
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return "write the host as browsers send it, with xn--" }
        let parts = text.split { $0 == " " || $0 == "," }
        guard parts.count == 1, let part = parts.first else {
            return parts.isEmpty ? nil : "repeat the option for each site; the environment has commas between them"
        }
        return origin(of: String(part)).map { "write \($0)" }
    }

    static func siteAdvice(for text: String) -> String? {
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return "write the host as browsers send it, with xn--" }
        return origin(of: text).map { "write \($0)" }
    }

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
