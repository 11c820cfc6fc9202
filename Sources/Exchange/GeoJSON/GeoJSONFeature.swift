import JSON
import SookeModel

/// A feature of GeoJSON, as a business.
struct GeoJSONFeature {
    /// The line where it begins.
    private let line: Int
    private var type: String?
    private var geometry: Geometry?
    private var properties = FeatureProperties()

    /// The place of a feature.
    private enum Geometry {
        case point(Coordinates)
        case problem(String)
    }

    /// A feature without members.
    init(line: Int) {
        self.line = line
    }

    /// Reads a member of the object.
    ///
    /// - Throws: when it is not JSON.
    mutating func readMember(_ key: String, from reader: inout JSONReader) throws(JSONError) {
        switch (key, try reader.peek()) {
        case ("type", .string): type = try reader.readString()
        case ("geometry", .object): geometry = try Self.readGeometry(from: &reader)
        case ("properties", .object): try properties.read(from: &reader)
        default: try reader.skipValue()
        }
    }

    /// The business.
    var record: SourceRecord {
        guard type == "Feature" else {
            let found = type.map { "has the type \"\($0.excerpt())\"" } ?? "has no type"
            return SourceRecord(
                line: line, problem: "type",
                "\(found); businesses are features: {\"type\":\"Feature\",\"geometry\":…,\"properties\":{\"name\":…}}")
        }
        var record = SourceRecord(line: line)
        switch geometry {
        case .problem(let message): return SourceRecord(line: line, problem: "geometry", message)
        case .point(let place):
            record.set("latitude", "\(place.latitude)")
            record.set("longitude", "\(place.longitude)")
        case nil: break
        }
        properties.fill(&record)
        return record
    }

    /// Reads a geometry, whose coordinates may come before its type.
    private static func readGeometry(from reader: inout JSONReader) throws(JSONError) -> Geometry {
        var (type, text) = ("", [UInt8]())
        try reader.beginObject()
        while let key = try reader.nextKey() {
            switch (key, try reader.peek()) {
            case ("type", .string): type = try reader.readString()
            case ("coordinates", .array): text = try reader.readRaw()
            default: try reader.skipValue()
            }
        }
        guard type == "Point" || type == "MultiPoint" else {
            return .problem(
                "\(type.isEmpty ? "has no type" : "is a \(type.excerpt())"), but a business is at one point; replace it by a point in it, such as its center"
            )
        }
        var coordinates = JSONReader(text)
        guard let numbers = try? readPosition(from: &coordinates, isInList: type == "MultiPoint") else {
            return .problem(
                type == "Point"
                    ? "must have two numbers as coordinates, the longitude first: [-123.726, 48.374]"
                    : "is a MultiPoint with more or less than one point, but a business is at one; make it a Point")
        }
        return place(longitude: numbers[0], latitude: numbers[1])
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
                    ? "in GeoJSON the longitude is first"
                    : "these are not degrees, so export the file again in WGS 84 (EPSG:4326)"))
    }

    /// Reads two or more numbers, in a list of one for a MultiPoint.
    private static func readPosition(
        from reader: inout JSONReader, isInList: Bool
    ) throws(JSONError) -> [Double] {
        try reader.beginArray()
        if isInList {
            guard try reader.nextElement() else { throw reader.error("has no point") }
            try reader.beginArray()
        }
        var numbers: [Double] = []
        while try reader.nextElement() {
            let number = try reader.readDouble()
            if numbers.count < 2 { numbers.append(number) }
        }
        guard numbers.count == 2 else { throw reader.error("has less than two numbers") }
        if isInList, try reader.nextElement() { throw reader.error("has a second point") }
        return numbers
    }
}
