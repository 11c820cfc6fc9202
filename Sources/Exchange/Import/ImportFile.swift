import Bytes

/// A file to import: its name, for messages, and its bytes.
package struct ImportFile: Sendable, Equatable {
    package var name: String
    /// The format; nil when its name or its first bytes determine it.
    package var format: ImportFormat?
    package var bytes: [UInt8]

    package init(name: String, format: ImportFormat? = nil, bytes: [UInt8]) {
        (self.name, self.format, self.bytes) = (name, format, bytes)
    }

    /// Reads the records of the file, with their problems.
    ///
    /// - Parameter progress: receives now and then the number of bytes that are read.
    func readRows(_ options: ImportOptions = ImportOptions(), progress: (Int) -> Void = { _ in }) -> Import.File {
        var rows = Import.File()
        if let message = ForeignFormat.message(for: bytes, as: format ?? ImportFormat(fileName: name) ?? .csv) {
            rows.refuse(line: 1, "", message)
            return rows
        }
        var text = ForeignFormat.utf8(ofUTF16: bytes) ?? bytes
        if text.starts(with: Self.byteOrderMark) { text.removeFirst(Self.byteOrderMark.count) }
        // Ctrl-Z ended a file in DOS.
        if text.last == 0x1A { text.removeLast() }
        let format = format(of: text)
        if format == .icalendar || format == .vcard { text = ContentLineReader.withWholeCharacters(text) }
        if let line = Self.firstLineNotUTF8(in: text) {
            rows.refuse(line: line, "", "is not UTF-8 text; \(format.traits.encoding)")
            return rows
        }
        rows = format.traits.read(text, options, progress)
        (rows.namesRecords, rows.format) = (format.traits.namesRecords, format)
        if !options.skipsInvalid { rows.text = [] } else if format != .csv { rows.text = text }
        rows.nameApart(in: options.zone)
        return rows
    }

    /// The given format, or that of the name; the bytes tell apart what is called `.json`.
    private func format(of text: [UInt8]) -> ImportFormat {
        if let format { return format }
        let named = ImportFormat(fileName: name)
        let guessed = ImportFormat(guessedFrom: text)
        // No table begins as a calendar or a card does.
        if named == .csv, guessed == .icalendar || guessed == .vcard { return guessed }
        guard named == nil || named == .json else { return named ?? .csv }
        return named == nil || guessed == .geojson ? guessed : .json
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The number of the first line that is not UTF-8; no UTF-8 sequence contains a line feed.
    private static func firstLineNotUTF8(in bytes: [UInt8]) -> Int? {
        bytes.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false)
            .firstIndex { String(validUTF8: $0) == nil }
            .map { $0 + 1 }
    }
}
