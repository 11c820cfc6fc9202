import Bytes
import JSON

/// Reads businesses from GeoJSON (RFC 7946): a collection of features, one feature, or one on each line.
///
/// Features without a name are no businesses. They are skipped, and a warning counts them.
struct GeoJSONReader {
    private var records: [ImportRow] = []
    /// The lines of features without a name.
    private var unnamed: [Int] = []
    /// The features that are no businesses any more: their lines, names and the tags that say so.
    private var former: [(line: Int, name: String, tag: String)] = []
    private var reader: JSONReader
    /// The number of lines before the document, and the place where it begins.
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

    /// The records of documents, and a warning about the features that are none.
    private static func all(of documents: [GeoJSONReader]) -> [ImportRow] {
        let records = documents.flatMap(\.records)
        let unnamed = documents.flatMap(\.unnamed)
        let former = documents.flatMap(\.former)
        guard let first = unnamed.first else { return records + warning(aboutFormer: former) }
        let skipped = unnamed.count == 1 ? "feature without a name was" : "features without a name were"
        let warning = "\(unnamed.count) \(skipped) skipped, the first one here; a business needs the property \"name\""
        return records + [ImportRow(line: first, warning: "", warning)] + Self.warning(aboutFormer: former)
    }

    /// The most names in a warning.
    private static let listed = 10

    private static func warning(aboutFormer former: [(line: Int, name: String, tag: String)]) -> [ImportRow] {
        guard let first = former.first else { return [] }
        let names = former.prefix(listed).map { "\"\($0.name)\" (\($0.tag.excerpt(bytes: 40)))" }.joined(
            separator: ", ")
        let rest = former.count > listed ? " and \(former.count - listed) more" : ""
        let are = former.count == 1 ? "no longer exists and was" : "no longer exist and were"
        return [ImportRow(line: first.line, warning: "", "\(names)\(rest) \(are) left out")]
    }

    /// Whether there are several lines, of which the first is a whole document.
    private static func isDocumentEachLine(_ lines: [ArraySlice<UInt8>]) -> Bool {
        let filled = lines.lazy.filter { !isBlank($0) }
        guard let first = filled.first, filled.dropFirst().first != nil else { return false }
        var reader = JSONReader(withoutMark(first))
        do throws(JSONError) {
            try reader.skipValue()
            try reader.finish()
            return true
        } catch {
            return false
        }
    }

    private static func isBlank(_ line: ArraySlice<UInt8>) -> Bool { line.allSatisfy { $0 <= UInt8(ascii: " ") } }

    /// The line without the control character that begins each text of a sequence (RFC 7464).
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

    /// Reads a collection or a feature. Its members may have any order, so the type is known at the end only.
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
