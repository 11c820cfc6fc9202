import JSON
import SookeModel

/// The place of an area or a line is the center of the box around it: for the outline of a building, which most
/// businesses of OpenStreetMap have, that is where people expect it.
struct GeoJSONFeature {
    let line: Int
    private var type: String?
    private var geometry: Geometry?
    private var properties = FeatureProperties()
    private(set) var otherSystem: String?

    private enum Geometry {
        case point(Coordinates)
        case problem(String)
    }

    init(line: Int) {
        self.line = line
    }

    /// - Throws: when it is not JSON.
    mutating func readMember(_ key: String, from reader: inout JSONReader) throws(JSONError) {
        switch (key, try reader.peek()) {
        case ("type", .string): type = try reader.readString()
        case ("geometry", .object): geometry = try readGeometry(from: &reader)
        case ("crs", .object): otherSystem = try Self.readSystem(from: &reader) ?? otherSystem
        case ("properties", .object): try properties.read(from: &reader)
        default: try reader.skipValue()
        }
    }

    /// Other systems have other degrees, if only by a metre.
    private static let usual = ["CRS84", "4326", "4979", "WGS84", "WGS 84"]

    /// As GeoJSON of 2008 has it; nil for the usual one.
    private static func readSystem(from reader: inout JSONReader) throws(JSONError) -> String? {
        var (name, type) = (nil as String?, "")
        try reader.beginObject()
        while let key = try reader.nextKey() {
            switch (key, try reader.peek()) {
            case ("type", .string): type = try reader.readString()
            case ("properties", .object):
                try reader.beginObject()
                while let key = try reader.nextKey() {
                    switch (key, try reader.peek()) {
                    case ("name", .string), ("href", .string): name = try reader.readString()
                    case ("code", .number): name = "EPSG:" + String(decoding: try reader.readRawSlice(), as: UTF8.self)
                    default: try reader.skipValue()
                    }
                }
            default: try reader.skipValue()
            }
        }
        guard let name else { return type.isEmpty ? nil : type.excerpt() }
        return usual.contains(where: name.excerpt().uppercased().hasSuffix) ? nil : name.excerpt()
    }

    static func message(aboutSystem name: String) -> String {
        "the coordinates are of another system, \"\(name)\", and not degrees of WGS 84; export the map again in WGS 84"
            + " (EPSG:4326)"
    }

    /// The tag by which there is no business here now.
    var former: String? { type == "Feature" ? properties.former : nil }

    /// Nil for a feature without a name, such as a bench.
    var record: ImportRow? {
        guard type == "Feature" else {
            let found = type.map { "has the type \"\($0.excerpt())\"" } ?? "has no type"
            return ImportRow(
                line: line, problem: "type",
                "\(found); businesses are features: {\"type\":\"Feature\",\"geometry\":…,\"properties\":{\"name\":…}}")
        }
        var record = ImportRow(line: line, .other)
        record.advice = Self.advice
        if case .point(let place) = geometry {
            record.set("latitude", "\(place.latitude)")
            record.set("longitude", "\(place.longitude)")
        }
        properties.fill(&record)
        guard record.isNamed else { return nil }
        record.givenLabel = record.nameInCells
        if let otherSystem { return record.refused("crs", Self.message(aboutSystem: otherSystem)) }
        if case .problem(let message) = geometry { return record.refused("geometry", message) }
        return record
    }

    private static let advice = [
        "address":
            "is missing; add the property \"address\", or addr:street and addr:housenumber as OpenStreetMap has them",
        "coordinates":
            "are missing; give the feature a geometry such as {\"type\":\"Point\",\"coordinates\":[-123.726,48.374]}",
    ]

    /// How deep their positions are in lists, of those that can be a place.
    private static let depths = [
        "Point": 0, "MultiPoint": 1, "LineString": 1, "MultiLineString": 2, "Polygon": 2, "MultiPolygon": 3,
    ]

    /// The coordinates may come before the type.
    private mutating func readGeometry(from reader: inout JSONReader) throws(JSONError) -> Geometry {
        var (type, text) = ("", [UInt8]())
        try reader.beginObject()
        while let key = try reader.nextKey() {
            switch (key, try reader.peek()) {
            case ("type", .string): type = try reader.readString()
            case ("coordinates", .array): text = try reader.readRaw()
            case ("crs", .object): otherSystem = try Self.readSystem(from: &reader) ?? otherSystem
            default: try reader.skipValue()
            }
        }
        guard let depth = Self.depths[type] else {
            return .problem(
                "\(type.isEmpty ? "has no type" : "is a \(type.excerpt())"), but a business is at one point; replace it "
                    + "by a point in it, such as its center: {\"type\":\"Point\",\"coordinates\":[-123.726,48.374]}")
        }
        var coordinates = JSONReader(text)
        var box = Box()
        guard (try? box.read(from: &coordinates, depth: depth)) != nil, box.count > 0 else {
            return .problem(
                type == "Point"
                    ? "must have two numbers as coordinates, the longitude first: [-123.726, 48.374]"
                    : "is a \(type) whose coordinates are not all lists of two numbers; export the file again, or "
                        + "replace it by a Point")
        }
        guard type != "MultiPoint" || box.count == 1 else {
            return .problem("is a MultiPoint with several points, but a business is at one; make it a Point")
        }
        return Self.place(longitude: box.center(0), latitude: box.center(1))
    }

    private static func place(longitude: Double, latitude: Double) -> Geometry {
        if let place = Coordinates(latitude: latitude, longitude: longitude), abs(latitude) <= 90, abs(longitude) <= 180
        {
            return .point(place)
        }
        let isSwapped = abs(latitude) <= 180 && abs(longitude) <= 90
        return .problem(
            "has the coordinates [\(longitude), \(latitude)]; "
                + (isSwapped
                    ? "in GeoJSON the longitude is first, so write [\(latitude), \(longitude)]"
                    : "these are not degrees, so export the file again in WGS 84 (EPSG:4326)"))
    }
}

/// Around positions, each a longitude and a latitude.
private struct Box {
    private var lowest = [Double.infinity, .infinity]
    private var highest = [-Double.infinity, -.infinity]
    private(set) var count = 0

    /// Reads a position, or lists of them.
    mutating func read(from reader: inout JSONReader, depth: Int) throws(JSONError) {
        try reader.beginArray()
        var numbers: [Double] = []
        while try reader.nextElement() {
            if depth > 0 {
                try read(from: &reader, depth: depth - 1)
            } else {
                let number = try reader.readDouble()
                if numbers.count < 2 { numbers.append(number) }
            }
        }
        guard depth == 0 else { return }
        guard numbers.count == 2 else { throw reader.error("has less than two numbers") }
        count += 1
        for (axis, number) in numbers.enumerated() {
            (lowest[axis], highest[axis]) = (min(lowest[axis], number), max(highest[axis], number))
        }
    }

    /// Of the longitudes (0) or the latitudes (1).
    func center(_ axis: Int) -> Double {
        if lowest[axis] == highest[axis] { return lowest[axis] }
        // Seven decimals are a centimetre.
        return ((lowest[axis] / 2 + highest[axis] / 2) * 10_000_000).rounded() / 10_000_000
    }
}

extension ImportRow {
    fileprivate func refused(_ field: String, _ message: String) -> ImportRow {
        var row = ImportRow(line: line, problem: field, message)
        row.givenLabel = givenLabel
        return row
    }

    fileprivate var isNamed: Bool {
        cells.contains { column, text in
            (column == "slug" || FeatureProperties.isName(column)) && !text.trimmed.isEmpty
        }
    }
}
