import Bytes

/// Files that people take for a table, and that are none.
enum ForeignFormat {
    private static let advice = "save it there as \"CSV UTF-8\" (File, Save as or Download), and import that file"

    private static let mapAdvice =
        "Google My Maps exports the list of places as CSV (the menu of a layer, Export data), and other programs convert it"
        + " to GeoJSON; import that file"

    /// What to do with a file of another format, found by its first bytes; nil for any other file.
    ///
    /// - Parameter format: the format that it should have.
    static func message(for bytes: [UInt8], as format: ImportFormat = .csv) -> String? {
        if bytes.starts(with: "PK\u{3}\u{4}".utf8) {
            // The first names, and the directory at the end, since the order is free.
            let names = Array(bytes.prefix(4096) + bytes.dropFirst(4096).suffix(65_536))
            let has = { (text: String) in ByteSearch(for: Array(text.utf8)).firstMatch(in: names.span) != nil }
            if has("application/vnd.oasis.opendocument.spreadsheet") {
                return "is a spreadsheet of LibreOffice (.ods); \(advice)"
            }
            if has("xl/") || has("[Content_Types].xml") {
                return "is an Excel workbook (.xlsx); \(advice)"
            }
            if has(".kml") { return "is a map (.kmz); \(mapAdvice)" }
            if has("Index/") { return "is a spreadsheet of Numbers; \(advice)" }
            return "is a ZIP archive; unpack it, and import the files in it"
        }
        if bytes.starts(with: [0xD0, 0xCF, 0x11, 0xE0]) { return "is an old Excel workbook (.xls); \(advice)" }
        if bytes.starts(with: "PGDMP".utf8) || bytes.starts(with: "toc.dat\0".utf8) {
            return "is a dump in a format of pg_restore; make a plain one of it: pg_restore -f town.sql FILE"
        }
        if bytes.starts(with: "%PDF".utf8) {
            return "is a PDF, which has no rows; export the table from the program that made it, as CSV"
        }
        if bytes.starts(with: [0x1F, 0x8B]) { return "is compressed with gzip; run gunzip on it first" }
        let text = bytes.prefix(256).drop { $0 <= UInt8(ascii: " ") }
        for start in ["<!doctype html", "<html"]
        where ASCII.equalIgnoringCase(text.prefix(start.utf8.count), start.utf8) {
            return "is a web page, not \(format.traits.wanted)"
        }
        return textMessage(for: bytes)
    }

    private static let openStreetMap =
        "is data of OpenStreetMap in its own format; export it as GeoJSON (overpass turbo: Export, GeoJSON), and import"
        + " that file"

    /// What to do with a map in XML, and with data of OpenStreetMap.
    private static func textMessage(for bytes: [UInt8]) -> String? {
        let isMarked = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        let text = Array(bytes.dropFirst(isMarked ? 3 : 0).prefix(4096).drop { $0 <= UInt8(ascii: " ") })
        let has = { (part: String) in ByteSearch(for: Array(part.utf8)).firstMatch(in: text.span) != nil }
        if text.first == UInt8(ascii: "<") {
            if has("<kml") { return "is a map (.kml); \(mapAdvice)" }
            if has("<gpx") { return "is a list of places of a GPS device (.gpx); convert it to GeoJSON or CSV" }
            if has("<osm") { return openStreetMap }
            return text.starts(with: "<?xml".utf8) ? "is XML, not a table; export its records as CSV" : nil
        }
        let start = text.filter { $0 > UInt8(ascii: " ") }.prefix(10)
        return start.elementsEqual("{\"version\"".utf8) && has("\"elements\"") ? openStreetMap : nil
    }

    /// UTF-16 with a byte order mark as UTF-8, as Excel writes "Unicode text"; nil for any other file.
    static func utf8(ofUTF16 bytes: [UInt8]) -> [UInt8]? {
        let isLittle = bytes.starts(with: [0xFF, 0xFE])
        guard isLittle || bytes.starts(with: [0xFE, 0xFF]), bytes.count.isMultiple(of: 2) else { return nil }
        let units = stride(from: 2, to: bytes.count, by: 2).map { index in
            let (low, high) = isLittle ? (bytes[index], bytes[index + 1]) : (bytes[index + 1], bytes[index])
            return UInt16(high) << 8 | UInt16(low)
        }
        return String(validating: units, as: UTF16.self).map { Array($0.utf8) }
    }
}
