import Bytes

package struct ImportFile: Sendable, Equatable {
    package var name: String
    /// Nil when the name or the first bytes determine it.
    package var format: ImportFormat?
    package var bytes: [UInt8]
    /// Of the workbook that it is from: what was left out, or without bytes why it could not be read.
    package var warning: String?

    package init(name: String, format: ImportFormat? = nil, bytes: [UInt8], warning: String? = nil) {
        (self.name, self.format, self.bytes, self.warning) = (name, format, bytes, warning)
    }

    func readRows(_ options: ImportOptions = ImportOptions(), progress: (Int) -> Void = { _ in }) -> Import.File {
        var rows = Import.File()
        if let message = ForeignFormat.message(for: bytes, as: format ?? ImportFormat(fileName: name) ?? .csv) {
            rows.refuse(line: 1, "", message)
            return rows
        }
        if bytes.starts(with: Workbook.signature) { return unpacked().readRows(options) }
        if bytes.isEmpty, let warning {
            rows.refuse(line: 1, "", warning)
            return rows
        }
        var text = text
        let format = format(of: text)
        if format == .icalendar || format == .vcard { text = ContentLineReader.withWholeCharacters(text) }
        let broken = Self.firstLineNotUTF8(in: text)
        if let broken, format != .icalendar || options.isStrict {
            rows.refuse(line: broken, "", "is not UTF-8 text; \(format.traits.encoding)")
            return rows
        }
        rows = format.traits.read(text, options, progress)
        if let broken {
            let advice = "if letters are wrong, \(format.traits.encoding)"
            rows.warn(line: broken, "", "is not UTF-8 text, and was read as Windows-1252; \(advice)")
        }
        (rows.namesRecords, rows.format) = (format.traits.namesRecords, format)
        if options.skipsInvalid {
            if format != .csv { rows.text = text }
        } else {
            rows.text = []
            for index in rows.rows.indices { rows.rows[index].source = [] }
        }
        rows.nameApart(in: options.zone)
        if let warning { rows.rows.insert(ImportRow(line: 1, warning: "", warning), at: 0) }
        return rows
    }

    /// A workbook as the table of its sheet, so that it is parsed once; another file as it is.
    package func unpacked(limit: Int = ZipArchive.mostUnpacked) -> ImportFile {
        guard bytes.starts(with: Workbook.signature), ForeignFormat.message(for: bytes) == nil else { return self }
        do throws(WorkbookError) {
            let (csv, warning) = try Workbook.table(in: bytes, limit: limit)
            return ImportFile(name: name, format: .csv, bytes: csv, warning: warning)
        } catch {
            return ImportFile(name: name, format: .csv, bytes: [], warning: error.message)
        }
    }

    /// How many records it has, about, counted without reading them.
    package var recordCount: Int {
        let text = text
        let count = { (word: String) in
            let search = ByteSearch(for: Array(word.utf8))
            var (count, place) = (0, 0)
            while let match = search.firstMatch(in: text.span, from: place) { (count, place) = (count + 1, match + 1) }
            return count
        }
        return switch format(of: text) {
        case .csv: CSVReader.lineCount(of: text)
        case .ndjson, .postgres: count("\n")
        case .geojson: count("\"geometry\"")
        case .vcard: count("BEGIN:VCARD")
        case .icalendar: count("BEGIN:VEVENT")
        case .json: max(count("\"name\""), count("\"email\""))
        }
    }

    private var text: [UInt8] {
        var text = ForeignFormat.utf8(ofUTF16: bytes) ?? bytes
        if text.starts(with: Self.byteOrderMark) { text.removeFirst(Self.byteOrderMark.count) }
        // Ctrl-Z ended a file in DOS.
        if text.last == 0x1A { text.removeLast() }
        return text
    }

    var tableText: [UInt8]? {
        let text = text
        let isTable = format(of: text) == .csv && ForeignFormat.message(for: bytes) == nil
        return isTable && Self.firstLineNotUTF8(in: text) == nil ? text : nil
    }

    /// The bytes tell apart what is called `.json`.
    private func format(of text: [UInt8]) -> ImportFormat {
        if let format { return format }
        let named = ImportFormat(fileName: name)
        let guessed = ImportFormat(guessedFrom: text)
        // No table begins as a calendar or a card does.
        if named == .csv, guessed == .icalendar || guessed == .vcard { return guessed }
        guard named == nil || named == .json else { return named ?? .csv }
        return named == nil || guessed == .geojson ? guessed : .json
    }

    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// No UTF-8 sequence contains a line feed.
    private static func firstLineNotUTF8(in bytes: [UInt8]) -> Int? {
        bytes.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false)
            .firstIndex { String(validUTF8: $0) == nil }
            .map { $0 + 1 }
    }
}

enum ForeignFormat {
    private static let advice = "save it there as \"CSV UTF-8\" (File, Save as or Download), and import that file"

    private static let saving = "save it there as .xlsx or CSV, and import that"

    private static let mapAdvice =
        "Google My Maps exports the list of places as CSV (the menu of a layer, Export data), and other programs "
        + "convert it to GeoJSON; import that file"

    /// What to do with a file of another format, found by its first bytes.
    static func message(for bytes: [UInt8], as format: ImportFormat = .csv) -> String? {
        if bytes.starts(with: Workbook.signature) {
            // The first names, and the directory at the end, since the order is free.
            let names = Array(bytes.prefix(4096) + bytes.dropFirst(4096).suffix(65_536))
            let has = { (text: String) in ByteSearch(for: Array(text.utf8)).firstMatch(in: names.span) != nil }
            let ods = "application/vnd.oasis.opendocument.spreadsheet"
            if has(ods) { return "is a spreadsheet of LibreOffice (.ods); \(saving)" }
            if has("xl/") || has("[Content_Types].xml") { return nil }
            if has(".kml") { return "is a map (.kmz); \(mapAdvice)" }
            if has("Index/") { return "is a spreadsheet of Numbers; \(advice)" }
            return "is a ZIP archive; unpack it, and import the files in it"
        }
        if bytes.starts(with: [0xD0, 0xCF, 0x11, 0xE0]) {
            let name = "EncryptedPackage".utf8.flatMap { [$0, 0] as [UInt8] }
            let isEncrypted = ByteSearch(for: name).firstMatch(in: bytes.span) != nil
            if isEncrypted { return WorkbookError.encrypted.message }
            return "is an old Excel workbook (.xls); \(saving)"
        }
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
        return format == .icalendar ? nil : textMessage(for: bytes)
    }

    private static let openStreetMap =
        "is data of OpenStreetMap in its own format; export it as GeoJSON (overpass turbo: Export, GeoJSON), and import"
        + " that file"

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

    /// With a byte order mark, as Excel writes "Unicode text".
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
