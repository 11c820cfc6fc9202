/// As databases of maps write it: `POINT(-123.726 48.374)`, the longitude first.
struct WellKnownText {
    private static let kinds = [
        "POINT", "LINESTRING", "POLYGON", "MULTIPOINT", "MULTILINESTRING", "MULTIPOLYGON", "GEOMETRYCOLLECTION",
    ]

    private let system: Substring?
    private let kind: String
    private let rest: Substring

    init?(_ text: String) {
        var rest = text[...]
        var system: Substring?
        if rest.hasPrefix("SRID="), let end = rest.firstIndex(of: ";") {
            system = rest[..<end].dropFirst(5)
            rest = rest[rest.index(after: end)...].drop { $0 == " " }
        }
        let name = rest.prefix { "A"..."Z" ~= $0 }
        guard let kind = Self.kinds.first(where: { $0 == name || $0 + "Z" == name }) else { return nil }
        (self.system, self.kind, self.rest) = (system, kind, rest[name.endIndex...])
    }

    func coordinates() throws(PlaceTextError) -> Coordinates {
        guard kind == "POINT" else {
            throw PlaceTextError("is a \(kind); only a point is a place: POINT(-123.726 48.374)")
        }
        guard system ?? "4326" == "4326" else {
            throw PlaceTextError("is in the system SRID=\(system ?? ""); convert it to SRID=4326, which is WGS 84")
        }
        let open = rest.drop { " ZM".contains($0) }
        let inner = open.dropFirst().prefix { $0 != ")" }
        let numbers = inner.split(separator: " ").map { Double(decimal: String($0)) }
        guard open.first == "(", open[inner.endIndex...] == ")", 2...4 ~= numbers.count,
            let longitude = numbers[0], let latitude = numbers[1]
        else { throw PlaceTextError("is not a point such as POINT(-123.726 48.374)") }
        if abs(latitude) > 90, abs(longitude) <= 90 {
            throw PlaceTextError("has the latitude first; in WKT the longitude is first: POINT(-123.726 48.374)")
        }
        return try PlaceText.place(latitude, longitude, mayBeSwapped: false)
    }
}
