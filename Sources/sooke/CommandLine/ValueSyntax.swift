import Bytes
import Exchange
import Platform
import SookeModel

/// The syntax of a value: its parser, its description and its completions.
struct ValueSyntax<Value: Sendable>: Sendable {
    /// The description after "takes", such as `a number from 0 to 65535`.
    let expectation: String
    let completion: Completion
    /// Parses a text; nil when it is invalid.
    let read: @Sendable (String) -> Value?
    /// What to write instead of an invalid text; nil when that is unknown.
    var advice: @Sendable (String) -> String? = { _ in nil }
}

enum Completion: Sendable, Equatable {
    /// None: any text is allowed.
    case none
    case files
    case folders
    case words([String])
    case timeZones
    case subjects
}

extension ValueSyntax where Value == String {
    /// Any nonempty text.
    static func text(_ expectation: String) -> Self {
        Self(expectation: expectation, completion: .none) { $0.isEmpty ? nil : $0 }
    }

    /// Any text, also none.
    static let anyText = Self(expectation: "a text", completion: .none) { $0 }

    /// The name of a help subject. Whether it exists is checked when it is looked up.
    static let subject = Self(expectation: "the name of a command or topic", completion: .subjects) {
        $0.isEmpty ? nil : $0
    }

    /// The name of a file; `-` is standard input or output.
    static let file = Self(expectation: "the name of a file, or -", completion: .files) { $0.isEmpty ? nil : $0 }

    static let folder = Self(expectation: "the name of a folder", completion: .folders) { $0.isEmpty ? nil : $0 }

    /// The name of a time zone. Whether it exists is checked when it is used.
    static let timeZone = Self(
        expectation: "the name of a time zone such as America/Vancouver", completion: .timeZones
    ) { $0.isEmpty ? nil : $0 }

    /// An IP address, or `localhost`.
    static let address = Self(expectation: "an address such as 127.0.0.1", completion: .none) {
        SocketAddress(host: $0, port: 0) == nil ? nil : $0
    }

    static let holidays = Self(expectation: Holidays.regions.joinedWithOr, completion: .words(Holidays.regions)) {
        Holidays.regions.contains($0) ? $0 : nil
    }

    /// The address of a site, without a path.
    static let url = Self(
        expectation: "an address such as https://town.example", completion: .none,
        read: { OriginText.isSite($0) && ["https://", "http://"].contains(where: $0.hasPrefix) ? $0 : nil },
        advice: OriginText.siteAdvice)
}

extension ValueSyntax where Value == UInt16 {
    /// A TCP port; 0 takes a free one.
    static let port = Self(expectation: "a number from 0 to 65535", completion: .none) { text in
        text.isDecimal ? UInt16(text) : nil
    }
}

extension ValueSyntax where Value == Int {
    /// A whole number of something, such as `days`, in decimal digits.
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
    /// A moment in RFC 3339.
    static let moment = Self(expectation: "a time such as 2026-11-21T09:30:00Z", completion: .none) {
        Timestamp(rfc3339: $0)
    }
}

extension ValueSyntax where Value == Coordinates {
    /// A place, as maps give it.
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
    /// The name of one of the cases of an enumeration.
    static func choice(of type: Value.Type = Value.self) -> Self {
        let words = type.allCases.map(\.rawValue)
        return Self(expectation: words.joinedWithOr, completion: .words(words)) { Value(rawValue: $0) }
    }
}

extension [String] {
    /// `text, json or off`.
    var joinedWithOr: String {
        guard let last, count > 1 else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " or " + last
    }
}
