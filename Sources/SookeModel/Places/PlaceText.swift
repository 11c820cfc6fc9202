import Bytes

/// Coordinates as people write or paste them: numbers, degrees with minutes and seconds, or a link to a map.
///
/// The latitude comes first, except in WKT. Links are never followed: the place must be in the text.
package enum PlaceText {
    static let longestText = 2_000

    package static func coordinates(_ text: String) throws(PlaceTextError) -> Coordinates {
        let text = try checked(text)
        if let link = MapLink(text) { return try link.coordinates() }
        let upper = text.uppercased()
        if upper.hasPrefix("GEO:") { return try geoURI(String(text.dropFirst(4))) }
        if let place = try wellKnownText(upper) { return place }
        return try pair(text)
    }

    /// The coordinates in a field of a form, whose problems are whole sentences.
    package static func coordinates(_ text: String, _ field: String, _ problems: inout FieldProblems) -> Coordinates? {
        if text.isEmpty { return nil }
        do throws(PlaceTextError) {
            return try coordinates(text)
        } catch {
            let advice = error.description.drop { $0 != ";" }.dropFirst(2)
            let kind = MapLink(text.trimmed) == nil ? "text" : "link"
            problems.add(
                field,
                "We could not find a location in this \(kind). \(advice.prefix(1).uppercased() + advice.dropFirst())")
            return nil
        }
    }

    package static func latitude(_ text: String) throws(PlaceTextError) -> Double {
        try single(text, axis: .latitude)
    }

    package static func longitude(_ text: String) throws(PlaceTextError) -> Double {
        try single(text, axis: .longitude)
    }

    /// Two numbers: `48.374, -123.726`, `48,374; -123,726`, `48°22'27"N 123°43'34"W`, `48 22 27 N, 123 43 34 W`.
    static func pair(_ text: String) throws(PlaceTextError) -> Coordinates {
        do throws(PlaceTextError) {
            return try pair(text, hasSigns: true)
        } catch {
            guard let place = try? pair(text, hasSigns: false) else { throw error }
            return place
        }
    }

    private static func pair(_ text: String, hasSigns: Bool) throws(PlaceTextError) -> Coordinates {
        var scanner = AngleScanner(text, hasSigns: hasSigns)
        guard let first = try scanner.nextAngle() else { throw PlaceTextError.unknown }
        scanner.skipSeparator()
        guard !scanner.isAtEnd else {
            throw PlaceTextError("is one number; \(PlaceTextError.form)")
        }
        guard let second = try scanner.nextAngle() else { throw PlaceTextError.unknown }
        scanner.skipNote()
        guard scanner.isAtEnd else { throw PlaceTextError("has more than two numbers; \(PlaceTextError.form)") }
        // Where signs do not tell which numbers belong together, both angles must have as many.
        guard hasSigns || first.parts == second.parts else { throw PlaceTextError.unknown }
        let axes = (first.axis ?? second.axis?.other ?? .latitude, second.axis ?? first.axis?.other ?? .longitude)
        guard axes.0 != axes.1 else {
            throw PlaceTextError("has the same direction twice; one letter is N or S, the other one is E or W")
        }
        let hasAxes = first.axis != nil || second.axis != nil
        return axes.0 == .latitude
            ? try place(first.degrees, second.degrees, mayBeSwapped: !hasAxes)
            : try place(second.degrees, first.degrees, mayBeSwapped: false)
    }

    static func place(
        _ latitude: Double, _ longitude: Double, mayBeSwapped: Bool = true
    ) throws(PlaceTextError) -> Coordinates {
        if mayBeSwapped, abs(latitude) > 90, abs(latitude) <= 180, abs(longitude) <= 90 {
            throw PlaceTextError(
                "begins with \(latitude), but a latitude must be between -90 and 90; if the two numbers are in the "
                    + "wrong order, write \(longitude), \(latitude)")
        }
        guard
            let place = Coordinates(
                latitude: try Axis.latitude.checked(latitude), longitude: try Axis.longitude.checked(longitude))
        else { throw PlaceTextError.unknown }
        return place
    }

    private static func single(_ text: String, axis: Axis) throws(PlaceTextError) -> Double {
        guard text.utf8.count <= longestText, let angle = try onlyAngle(in: cleaned(text)) else {
            throw PlaceTextError("is not one number of degrees; write a \(axis.name) such as \(axis.example)")
        }
        guard angle.axis ?? axis == axis else {
            throw PlaceTextError("is a \(axis.other.name); write a \(axis.name) such as \(axis.example)")
        }
        return try axis.checked(angle.degrees)
    }

    /// Without signs, `48 22` may as well be two angles.
    private static func onlyAngle(in text: String) throws(PlaceTextError) -> AngleScanner.Angle? {
        var scanner = AngleScanner(text)
        guard let angle = try scanner.nextAngle() else { return nil }
        scanner.skipNote()
        if scanner.isAtEnd { return angle }
        scanner = AngleScanner(text, hasSigns: false)
        guard let angle = try scanner.nextAngle() else { return nil }
        scanner.skipNote()
        let isOne = angle.parts == 3 || angle.hasFraction || angle.axis != nil
        return scanner.isAtEnd && isOne ? angle : nil
    }

    private static func checked(_ text: String) throws(PlaceTextError) -> String {
        guard text.utf8.count <= longestText else {
            throw PlaceTextError("has more than \(longestText) bytes; \(PlaceTextError.form)")
        }
        let text = cleaned(text)
        guard !text.isEmpty else { throw PlaceTextError("is empty; \(PlaceTextError.form)") }
        return text
    }

    /// Without the apostrophe that makes a cell of a spreadsheet a text.
    private static func cleaned(_ text: String) -> String {
        let text = text.trimmed
        return text.hasPrefix("'") || text.hasPrefix("’") ? String(text.dropFirst()).trimmed : text
    }

    /// RFC 5870. A place of 0,0 with `?q=` is a form of Android.
    private static func geoURI(_ text: String) throws(PlaceTextError) -> Coordinates {
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2 {
            let query = MapLink.parameters(parts[1]).first { $0.name == "q" }?.value ?? ""
            if let place = try? pair(String(query.prefix { $0 != "(" })) { return place }
        }
        let fields = parts[0].split(separator: ";", omittingEmptySubsequences: false)
        for parameter in fields.dropFirst() where parameter.lowercased().hasPrefix("crs=") {
            guard parameter.lowercased() == "crs=wgs84" else {
                throw PlaceTextError("has \"\(String(parameter).excerpt())\"; only coordinates in WGS 84 can be read")
            }
        }
        let numbers = (fields.first ?? "").split(separator: ",", omittingEmptySubsequences: false)
        guard 2...3 ~= numbers.count, let latitude = Double(decimal: String(numbers[0])),
            let longitude = Double(decimal: String(numbers[1]))
        else { throw PlaceTextError("is not a geo address; write one such as geo:48.374,-123.726") }
        return try place(latitude, longitude)
    }

    private static let geometries = [
        "POINT", "LINESTRING", "POLYGON", "MULTIPOINT", "MULTILINESTRING", "MULTIPOLYGON", "GEOMETRYCOLLECTION",
    ]

    /// WKT in upper case, as databases of maps write it: `POINT(-123.726 48.374)`, the longitude first.
    private static func wellKnownText(_ text: String) throws(PlaceTextError) -> Coordinates? {
        var (rest, system) = (text[...], "4326" as Substring)
        if rest.hasPrefix("SRID="), let end = rest.firstIndex(of: ";") {
            system = rest[..<end].dropFirst(5)
            rest = rest[end...].dropFirst().drop { $0 == " " }
        }
        let name = rest.prefix { "A"..."Z" ~= $0 }
        guard let kind = geometries.first(where: { $0 == name || $0 + "Z" == name }) else { return nil }
        guard kind == "POINT" else {
            throw PlaceTextError("is a \(kind); only a point is a place: POINT(-123.726 48.374)")
        }
        guard system == "4326" else {
            throw PlaceTextError("is in the system SRID=\(system); convert it to SRID=4326, which is WGS 84")
        }
        let open = rest[name.endIndex...].drop { " ZM".contains($0) }
        let inner = open.dropFirst().prefix { $0 != ")" }
        let numbers = inner.split(separator: " ").map { Double(decimal: String($0)) }
        guard open.first == "(", open[inner.endIndex...] == ")", 2...4 ~= numbers.count,
            let longitude = numbers[0], let latitude = numbers[1]
        else { throw PlaceTextError("is not a point; write one such as POINT(-123.726 48.374)") }
        if abs(latitude) > 90, abs(longitude) <= 90 {
            throw PlaceTextError("has the latitude first; in WKT the longitude is first: POINT(-123.726 48.374)")
        }
        return try place(latitude, longitude, mayBeSwapped: false)
    }

    enum Axis {
        case latitude
        case longitude

        var name: String { self == .latitude ? "latitude" : "longitude" }
        var example: String { self == .latitude ? "48.374" : "-123.726" }
        var other: Axis { self == .latitude ? .longitude : .latitude }

        func checked(_ degrees: Double) throws(PlaceTextError) -> Double {
            let limit = self == .latitude ? 90.0 : 180.0
            guard abs(degrees) <= limit else {
                throw PlaceTextError(
                    "has the \(name) \(degrees); a \(name) lies between -\(Int(limit)) and \(Int(limit)) degrees")
            }
            return degrees
        }
    }
}

package struct PlaceTextError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What follows the name of the field.
    package let description: String

    init(_ description: String) {
        self.description = description
    }

    static let form = "write latitude and longitude, such as 48.374, -123.726"
    static let unknown = PlaceTextError("is not a place that can be read; \(form)")
}
