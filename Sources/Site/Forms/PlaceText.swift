import Bytes
import SookeModel

/// A location as people paste it: two numbers, or the address of a map.
enum PlaceText {
    private static let advice =
        "has no location that can be read: open the place in a map, and paste the address of the page, or two numbers "
        + "such as 48.3743, -123.7254; short links have none"

    /// What stands before the two numbers in the addresses of maps, the most exact first.
    private static let marks = [
        "!3d", "mlat=", "geo:", "q=", "query=", "destination=", "daddr=", "ll=", "coordinate=", "/@", "#map=",
    ]

    /// The location in a text; nil when there is none.
    static func coordinates(in text: String) -> Coordinates? {
        guard text.utf8.count <= 2_000 else { return nil }
        let text = (try? PercentCoding.decode(text.utf8)).flatMap { String(validUTF8: $0) } ?? text
        if let place = pair(text[...]), numbers(in: text[...]).rest.allSatisfy(\.isWhitespace) { return place }
        for mark in marks {
            var rest = text[...]
            while let found = rest.firstRange(ofBytes: mark) {
                rest = rest[found.upperBound...]
                // `#map=17/48.37/-123.72` has the zoom first.
                let numbers = mark == "#map=" ? rest.drop { $0 != "/" }.dropFirst() : rest
                if let place = pair(numbers) { return place }
            }
        }
        return nil
    }

    /// The same, with a problem of a field for a text without one; an empty text has none.
    static func coordinates(in text: String, _ field: String, _ problems: inout FieldProblems) -> Coordinates? {
        let place = coordinates(in: text)
        if place == nil, !text.isEmpty { problems.add(field, advice) }
        return place
    }

    private static func pair(_ text: Substring) -> Coordinates? {
        let (latitude, longitude, _) = numbers(in: text)
        guard let place = Coordinates(latitude: latitude, longitude: longitude), place.isOnEarth else { return nil }
        return place
    }

    /// Two numbers at the start of a text, and what is after them.
    private static func numbers(in text: Substring) -> (first: Double?, second: Double?, rest: Substring) {
        var rest = text.drop(while: \.isWhitespace)
        let first = number(&rest)
        for mark in ["!4d", "&mlon="] where rest.utf8.starts(with: mark.utf8) { rest = rest.dropFirst(mark.count) }
        rest = Substring(rest.utf8.drop { ",/ ;".utf8.contains($0) })
        return (first, number(&rest), rest)
    }

    private static func number(_ text: inout Substring) -> Double? {
        let digits = Substring(text.utf8.prefix { ASCII.isDigit($0) || ".-+".utf8.contains($0) })
        text = text[digits.endIndex...]
        // A whole number is the zoom of a map, or another number that is no location.
        guard digits.contains(".") else { return nil }
        return Double(decimal: String(digits.drop { $0 == "+" }))
    }
}
