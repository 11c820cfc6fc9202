import Bytes
import HTTP
import Service
import SookeModel
import Store

extension Call {
    package func slug() throws(HTTPError) -> Slug {
        Slug(try captures.text("slug"))
    }

    package func id(_ name: StaticString = "id") throws(HTTPError) -> Int {
        guard let id = Int(try captures.text("\(name)")), id > 0 else { throw .notFound() }
        return id
    }

    /// Nil when it is absent or empty, or when the endpoint does not declare it: what the key of a cached response
    /// leaves out must change nothing.
    package func parameter(_ name: String) throws(HTTPError) -> String? {
        guard let value = try values(name).first, !value.isEmpty else { return nil }
        return value
    }

    package func values(_ name: String) throws(HTTPError) -> [String] {
        var values: [String] = []
        for (index, value) in query where endpoint.parameters[index].name.hasSameBytes(as: name) {
            guard let value else { throw .malformed(name) }
            values.append(value)
        }
        return values
    }

    package func flag(_ name: String, orElse absent: Bool = false) throws(HTTPError) -> Bool {
        guard let text = try parameter(name) else { return absent }
        if text.hasSameBytes(as: "false") { return false }
        if text.hasSameBytes(as: "true") { return true }
        throw .invalidParameter("\(name) must be true or false, not \"\(text.excerpt())\"")
    }

    /// Values that are not numbers count as absent.
    package func page() throws(HTTPError) -> PageRequest {
        PageRequest(
            number: try number("page") ?? 1,
            size: try number("per_page") ?? PageRequest.defaultSize)
    }

    package func count(_ name: String) throws(HTTPError) -> Int? {
        guard let text = try parameter(name) else { return nil }
        guard text.utf8.allSatisfy(ASCII.isDigit), let count = Int(text), count > 0 else {
            throw .invalidParameter("\(name) must be an integer of at least 1")
        }
        return count
    }

    package var townZone: TimeZone { service.clocks(of: town).zone }

    package var eventClock: EventClock { service.eventClock(of: town, at: now) }

    /// That of "today".
    package func zone() throws(HTTPError) -> TimeZone {
        guard let name = try parameter("tz") else { return townZone }
        do {
            return try service.zones.zone(named: name)
        } catch {
            throw .invalidParameter("\(error)")
        }
    }

    /// An optional sign and decimal digits; a number outside the range is clamped.
    private func number(_ name: String) throws(HTTPError) -> Int? {
        guard let text = try parameter(name)?.utf8 else { return nil }
        let isNegative = text.first == UInt8(ascii: "-")
        let digits = isNegative || text.first == UInt8(ascii: "+") ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.allSatisfy(ASCII.isDigit) else { return nil }
        var magnitude = 0
        for digit in digits {
            let (tens, overflow) = magnitude.multipliedReportingOverflow(by: 10)
            let (sum, overflowToo) = tens.addingReportingOverflow(Int(digit - UInt8(ascii: "0")))
            magnitude = overflow || overflowToo ? .max : sum
        }
        return isNegative ? -magnitude : magnitude
    }
}

extension Call {
    /// The circle of `near` and `radius_m`, which is the whole Earth without `radius_m`; nil without either.
    ///
    /// - Throws: 400, also for a radius alone.
    package func near() throws(HTTPError) -> GeoCircle? {
        let radius = try parameter("radius_m")
        guard let center = try place("near") else {
            if radius == nil { return nil }
            throw .invalidParameter("radius_m needs near, the place from which it is measured")
        }
        guard let radius else { return GeoCircle(center: center, radius: .infinity) }
        guard let metres = Self.number(radius.utf8[...]), metres > 0, metres <= Self.longestRadius else {
            throw .invalidParameter(
                "radius_m is a number of metres above 0, at most 20100000, not \"\(radius.excerpt())\"")
        }
        return GeoCircle(center: center, radius: metres)
    }

    package func place(_ name: String) throws(HTTPError) -> Coordinates? {
        guard let text = try parameter(name) else { return nil }
        let numbers = text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map(Self.number)
        guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1],
            let place = Coordinates(latitude: latitude, longitude: longitude)
        else {
            throw .invalidParameter(
                "\(name) is latitude,longitude in degrees, such as 48.3742,-123.7276, not \"\(text.excerpt())\"")
        }
        guard place.isValid else {
            throw .invalidParameter(
                "\(name) is latitude,longitude: the latitude is -90 to 90 and the longitude -180 to 180, not "
                    + "\"\(text.excerpt())\"")
        }
        return place
    }

    /// Somewhat more than half the circumference of the Earth, in metres.
    private static let longestRadius = 20_100_000.0

    package func boundingBox() throws(HTTPError) -> BoundingBox? {
        guard let text = try parameter("bbox") else { return nil }
        let numbers = text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map(Self.number)
        let edges = numbers.compactMap(\.self)
        guard numbers.count == 4, edges.count == 4 else {
            throw .invalidParameter(
                "bbox is west,south,east,north in degrees, such as -123.8,48.3,-123.6,48.4, not \"\(text.excerpt())\"")
        }
        if let box = BoundingBox(west: edges[0], south: edges[1], east: edges[2], north: edges[3]) { return box }
        throw .invalidParameter(
            edges[1] > edges[3]
                ? "bbox is west,south,east,north, but its south, \(edges[1]), is north of its north, \(edges[3])"
                : "bbox is west,south,east,north: longitudes are -180 to 180 and latitudes -90 to 90, not "
                    + "\"\(text.excerpt())\"")
    }

    package func date(_ name: String) throws(HTTPError) -> CivilDate? {
        guard let text = try parameter(name) else { return nil }
        if let date = CivilDate(text) { return date }
        throw .invalidParameter("\(name) must be a date such as 2026-12-24, not \"\(text.excerpt())\"")
    }

    package func moment(_ name: String) throws(HTTPError) -> Timestamp? {
        guard let text = try parameter(name) else { return nil }
        if let moment = Timestamp(query: text) { return moment }
        throw .invalidParameter(
            "\(name) is a date and time as in RFC 3339, such as 2026-11-21T09:30:00Z, not \"\(text.excerpt())\"")
    }

    /// The members that `fields` selects, of those that an item has; nil for all.
    package func fields(of known: [String]) throws(HTTPError) -> Set<String>? {
        guard let text = try parameter("fields") else { return nil }
        var names: Set<String> = []
        for name in text.utf8.split(separator: UInt8(ascii: ",")).map({ String(Substring($0)) }) {
            guard let field = known.first(where: { $0.hasSameBytes(as: name) }) else {
                throw .invalidParameter(
                    "fields has no \"\(name.excerpt())\"; it is some of \(known.joined(separator: ","))")
            }
            names.insert(field)
        }
        return names
    }

    /// A decimal number with an optional sign, between optional spaces.
    private static func number(_ text: Substring.UTF8View) -> Double? {
        let digits = text.drop { $0 == UInt8(ascii: " ") }
        let end = digits.lastIndex { $0 != UInt8(ascii: " ") }.map { digits.index(after: $0) } ?? digits.startIndex
        let number = digits[..<end]
        // `Double` also reads exponents, infinity and hexadecimal digits.
        let isPlain = number.allSatisfy { 0x30...0x39 ~= $0 || [UInt8(ascii: "-"), 0x2B, 0x2E].contains($0) }
        return isPlain && number.count <= 40 ? Double(String(Substring(number))) : nil
    }
}

extension Call {
    package func search() throws(HTTPError) -> SearchQuery? {
        guard let text = try parameter("q") else { return nil }
        do throws(SearchQueryError) {
            return try SearchQuery(text)
        } catch {
            throw .invalidParameter("q \(error)")
        }
    }
}

extension Timestamp {
    /// Reads RFC 3339 in the value of a parameter, where the plus sign of an offset that was not encoded is a space.
    package init?(query text: String) {
        self.init(rfc3339: text.utf8.map { $0 == UInt8(ascii: " ") ? UInt8(ascii: "+") : $0 })
    }
}
