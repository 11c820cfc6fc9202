import Bytes

/// A link to a place in a map. The place of a pin counts before the center of the map.
struct MapLink {
    /// Links of these hold no place, and nothing is requested from them.
    private static let shortHosts = [
        "maps.app.goo.gl", "goo.gl", "g.co", "g.page", "share.google", "maps.apple", "binged.it", "bit.ly",
        "tinyurl.com", "t.co", "ow.ly", "is.gd", "osm.org", "w3w.co",
    ]
    /// Two numbers: those of pins first, then those of the center of the map.
    private static let pins = [
        "query", "q", "coordinate", "ll", "destination", "daddr", "where1", "sp", "markers", "cbll", "viewpoint",
    ]
    private static let centers = ["sll", "center", "cp"]

    private let host: String
    private let path: [String]
    private let query: [Parameter]
    private let fragment: [Parameter]

    typealias Parameter = (name: String, value: String)

    init?(_ text: String) {
        var rest = text[...]
        if let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") {
            rest = text[colon...].dropFirst(3)
        }
        let hasScheme = rest.startIndex > text.startIndex
        let host = rest.prefix { !"/?#".contains($0) }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        let hasName =
            labels.count > 1 && labels[labels.count - 1].utf8.count > 1
            && labels[labels.count - 1].utf8.allSatisfy(ASCII.isLetter)
            && host.utf8.allSatisfy {
                ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-")
            }
        guard hasScheme || hasName else { return nil }
        let name = host.lowercased()
        self.host = name.hasPrefix("www.") ? String(name.dropFirst(4)) : name
        let sides = rest[host.endIndex...].split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let target = (sides.first ?? "").split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = (target.first ?? "").split(separator: "/").map { Self.decoded($0) }
        query = target.count == 2 ? Self.parameters(target[1]) : []
        fragment = sides.count == 2 ? Self.parameters(sides[1]) : []
    }

    static func parameters(_ text: Substring) -> [Parameter] {
        text.split(separator: "&").map { part in
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (sides[0].lowercased(), sides.count == 2 ? decoded(sides[1]) : "")
        }
    }

    private static func decoded(_ text: Substring) -> String {
        guard let bytes = try? PercentCoding.decode(text.utf8, plusIsSpace: true) else { return String(text) }
        return String(decoding: bytes, as: UTF8.self)
    }

    func coordinates() throws(PlaceTextError) -> Coordinates {
        let found =
            pinInData ?? markerOfOpenStreetMap ?? place(of: Self.pins) ?? placeInPath ?? place(of: Self.centers)
            ?? centerInPath ?? centerInFragment ?? centerInData
        if let found { return found }
        if Self.shortHosts.contains(host) {
            throw PlaceTextError(
                "is a short link without a location; open it first, then copy the long address, or "
                    + PlaceTextError.form)
        }
        throw PlaceTextError(
            "is a link without coordinates; click with the right button on the place in the map, which shows them, and "
                + PlaceTextError.form)
    }

    /// In a link of Google `!3d48.374!4d-123.726`: the last one is the chosen place.
    private var pinInData: Coordinates? { placeInData("3d", "4d") { place($0, $1) } }

    /// In the frame of Google for web sites `!2d-123.726!3d48.374`: the center of its map.
    private var centerInData: Coordinates? { placeInData("2d", "3d") { place($1, $0) } }

    private func placeInData(
        _ first: String, _ second: String, _ place: (Substring, Substring) -> Coordinates?
    ) -> Coordinates? {
        let texts = path + query.map(\.value)
        for text in texts.reversed() {
            let fields = text.split(separator: "!")
            for index in fields.indices.dropLast().reversed()
            where fields[index].hasPrefix(first) && fields[index + 1].hasPrefix(second) {
                if let place = place(fields[index].dropFirst(2), fields[index + 1].dropFirst(2)) { return place }
            }
        }
        return nil
    }

    /// `?mlat=48.374&mlon=-123.726`.
    private var markerOfOpenStreetMap: Coordinates? {
        [("mlat", "mlon"), ("lat", "lon"), ("lat", "lng")].lazy.compactMap { north, east in
            value(north).flatMap { latitude in value(east).flatMap { place(latitude[...], $0[...]) } }
        }.first
    }

    private func value(_ name: String) -> String? { query.first { $0.name == name }?.value }

    private func place(of names: [String]) -> Coordinates? {
        names.lazy.flatMap { name in query.lazy.filter { $0.name == name } }.compactMap { pair($0.value) }.first
    }

    /// `/maps/place/48°22'27"N 123°43'34"W/`, `/maps/search/48.374,-123.726`.
    private var placeInPath: Coordinates? {
        path.reversed().lazy.filter { !$0.hasPrefix("@") }.compactMap(pair).first
    }

    /// `/@48.374,-123.726,17z`.
    private var centerInPath: Coordinates? {
        path.lazy.filter { $0.hasPrefix("@") }.compactMap { place($0.dropFirst().split(separator: ",")) }.first
    }

    /// `#map=17/48.374/-123.726`.
    private var centerInFragment: Coordinates? {
        fragment.lazy.filter { $0.name == "map" }.compactMap { place($0.value.split(separator: "/").dropFirst()) }.first
    }

    /// Two numbers, alone or between words, as Bing has them: `48.374~-123.726`, `point.48.374_-123.726_Name`.
    private func pair(_ text: String) -> Coordinates? {
        var text = text[...]
        for prefix in ["point.", "loc:", "pin:"] where text.hasPrefix(prefix) {
            text = text.dropFirst(prefix.utf8.count)
        }
        for separator in ["~", "_"] as [Character] where text.contains(separator) {
            return place(text.split(separator: separator))
        }
        return try? PlaceText.pair(String(text))
    }

    private func place(_ numbers: some Collection<Substring>) -> Coordinates? {
        let numbers = Array(numbers.prefix(2))
        return numbers.count == 2 ? place(numbers[0], numbers[1]) : nil
    }

    private func place(_ latitude: Substring, _ longitude: Substring) -> Coordinates? {
        guard let latitude = Double(decimal: String(latitude)), let longitude = Double(decimal: String(longitude))
        else { return nil }
        return try? PlaceText.place(latitude, longitude)
    }
}
