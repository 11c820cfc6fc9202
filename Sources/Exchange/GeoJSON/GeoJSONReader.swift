import Bytes
import JSON
import SookeModel

/// Reads a collection of features, one feature, or one a line (RFC 7946). Unnamed ones are skipped, with a warning.
struct GeoJSONReader {
    private var records: [ImportRow] = []
    private var unnamed: [Int] = []
    /// No businesses any more, with the tags that say so.
    private var former: [(line: Int, name: String, tag: String)] = []
    private var reader: JSONReader
    private let linesBefore: Int
    private let start: Int

    private init(_ bytes: [UInt8], linesBefore: Int, start: Int) {
        reader = JSONReader(bytes)
        (self.linesBefore, self.start) = (linesBefore, start)
    }

    static func records(of bytes: [UInt8]) -> [ImportRow] {
        let lines = bytes.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false)
        guard isDocumentEachLine(lines) else { return all(of: [document(bytes, linesBefore: 0, start: 0)]) }
        return all(
            of: lines.enumerated().compactMap { index, line in
                let start = line.first == 0x1E ? line.startIndex + 1 : line.startIndex
                return isBlank(line) ? nil : document(withoutMark(line), linesBefore: index, start: start)
            })
    }

    private static func all(of documents: [GeoJSONReader]) -> [ImportRow] {
        let records = documents.flatMap(\.records)
        let unnamed = documents.flatMap(\.unnamed)
        let former = documents.flatMap(\.former)
        guard let first = unnamed.first else { return records + warning(aboutFormer: former) }
        let skipped = unnamed.count == 1 ? "feature without a name was" : "features without a name were"
        let warning = "\(unnamed.count) \(skipped) skipped, the first one here; a business needs the property \"name\""
        return records + [ImportRow(line: first, warning: "", warning)] + Self.warning(aboutFormer: former)
    }

    private static func warning(aboutFormer former: [(line: Int, name: String, tag: String)]) -> [ImportRow] {
        guard let first = former.first else { return [] }
        let names = former.map { "\"\($0.name)\" (\($0.tag.excerpt(bytes: 40)))" }.listed(upTo: 10)
        let are = former.count == 1 ? "no longer exists and was" : "no longer exist and were"
        return [ImportRow(line: first.line, warning: "", "\(names) \(are) left out")]
    }

    /// Of several lines the first is a whole document.
    private static func isDocumentEachLine(_ lines: [ArraySlice<UInt8>]) -> Bool {
        let filled = lines.lazy.filter { !isBlank($0) }
        guard let first = filled.first, filled.dropFirst().first != nil else { return false }
        var reader = JSONReader(withoutMark(first))
        return (try? reader.skipValue()) != nil && (try? reader.finish()) != nil
    }

    private static func isBlank(_ line: ArraySlice<UInt8>) -> Bool { line.allSatisfy { $0 <= UInt8(ascii: " ") } }

    /// A control character begins each text of a sequence (RFC 7464).
    private static func withoutMark(_ line: ArraySlice<UInt8>) -> [UInt8] {
        Array(line.first == 0x1E ? line.dropFirst() : line)
    }

    private static func document(_ bytes: [UInt8], linesBefore: Int, start: Int) -> GeoJSONReader {
        var geoJSON = GeoJSONReader(bytes, linesBefore: linesBefore, start: start)
        do throws(JSONError) {
            try geoJSON.readDocument()
        } catch {
            geoJSON.refuse(error.line, "column \(error.column)", error.message, isEnd: true)
        }
        return geoJSON
    }

    private mutating func refuse(_ line: Int, _ field: String, _ message: String, isEnd: Bool = false) {
        records.append(ImportRow(line: linesBefore + line, problem: field, message, isEnd: isEnd))
    }

    /// Members may have any order, so the type is known at the end only.
    private mutating func readDocument() throws(JSONError) {
        let line = reader.line
        guard case .object = try reader.peek() else {
            return refuse(line, "", "is not GeoJSON, which is an object with the type FeatureCollection or Feature")
        }
        var feature = GeoJSONFeature(line: linesBefore + line)
        var hasFeatures = false
        let before = records.count
        try reader.beginObject()
        while let key = try reader.nextKey() {
            if key == "features", case .array = try reader.peek() {
                hasFeatures = true
                try readFeatures()
            } else {
                try feature.readMember(key, from: &reader)
            }
        }
        try reader.finish()
        if !hasFeatures { return append(feature, from: 0) }
        guard let system = feature.otherSystem, records.count > before else { return }
        // The numbers may look like degrees.
        records.removeSubrange(before...)
        refuse(line, "crs", GeoJSONFeature.message(aboutSystem: system), isEnd: true)
    }

    private mutating func append(_ feature: GeoJSONFeature, from begin: Int) {
        guard var record = feature.record else { return unnamed.append(feature.line) }
        if let tag = feature.former, !record.givenLabel.isEmpty {
            return former.append((feature.line, record.givenLabel, tag))
        }
        record.source = [start + begin..<start + reader.position]
        records.append(record)
    }

    private mutating func readFeatures() throws(JSONError) {
        try reader.beginArray()
        while try reader.nextElement() {
            let (line, begin) = (reader.line, reader.position)
            guard case .object = try reader.peek() else {
                refuse(line, "", "is not a feature, which is an object with geometry and properties")
                try reader.skipValue()
                continue
            }
            var feature = GeoJSONFeature(line: linesBefore + line)
            try reader.beginObject()
            while let key = try reader.nextKey() { try feature.readMember(key, from: &reader) }
            append(feature, from: begin)
        }
    }
}

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
        "coordinates":
            "give the feature a geometry such as {\"type\":\"Point\",\"coordinates\":[-123.726,48.374]}"
    ]

    /// How deep their positions are in lists, of those that can be a place.
    private static let depths = [
        "Point": 0, "MultiPoint": 1, "LineString": 1, "MultiLineString": 2, "Polygon": 2, "MultiPolygon": 3,
    ]

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
                "\(type.isEmpty ? "has no type" : "is a \(type.excerpt())"), but a business is at one point; replace "
                    + "it by a point in it, such as its center: {\"type\":\"Point\",\"coordinates\":[-123.726,48.374]}")
        }
        var coordinates = JSONReader(text)
        guard let places = try? Self.positions(from: &coordinates, depth: depth), !places.isEmpty else {
            return .problem(
                type == "Point"
                    ? "must have two numbers as coordinates, the longitude first: [-123.726, 48.374]"
                    : "is a \(type) whose coordinates are not all lists of two numbers; export the file again, or "
                        + "replace it by a Point")
        }
        guard type != "MultiPoint" || places.count == 1 else {
            return .problem("is a MultiPoint with several points, but a business is at one; make it a Point")
        }
        return Self.place(
            longitude: Self.center(places.map(\.longitude)), latitude: Self.center(places.map(\.latitude)))
    }

    private static func positions(
        from reader: inout JSONReader, depth: Int
    ) throws(JSONError) -> [(longitude: Double, latitude: Double)] {
        var (positions, numbers) = ([(Double, Double)](), [Double]())
        try reader.beginArray()
        while try reader.nextElement() {
            if depth > 0 { positions += try Self.positions(from: &reader, depth: depth - 1) }
            if depth == 0 { numbers.append(try reader.readDouble()) }
        }
        if depth > 0 { return positions }
        guard numbers.count > 1 else { throw reader.error("has less than two numbers") }
        return [(numbers[0], numbers[1])]
    }

    private static func center(_ numbers: [Double]) -> Double {
        guard let lowest = numbers.min(), let highest = numbers.max(), lowest < highest else { return numbers[0] }
        // Seven decimals are a centimetre.
        return ((lowest / 2 + highest / 2) * 10_000_000).rounded() / 10_000_000
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

extension ImportRow {
    fileprivate func refused(_ field: String, _ message: String) -> ImportRow {
        var row = ImportRow(line: line, problem: field, message)
        row.givenLabel = self.givenLabel
        return row
    }

    fileprivate var isNamed: Bool {
        cells.contains { column, text in
            (column == "slug" || FeatureProperties.isName(column)) && !text.trimmed.isEmpty
        }
    }
}
