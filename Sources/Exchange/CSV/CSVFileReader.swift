import Bytes
import SookeModel
import Store

/// Reads a CSV file: determines its separator and its table from the row that names the columns.
enum CSVFileReader {
    /// Spreadsheets use a semicolon where the comma is the decimal sign.
    private static let separators = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t"), UInt8(ascii: "|")]
    static let tables = Town.recordTypes.compactMap { $0.csvTable }
    /// The rows among which the names of the columns are looked for; a title may stand above them.
    private static let headerRows = 10

    static func rows(of bytes: [UInt8], _ progress: (Int) -> Void = { _ in }) -> Import.File {
        var result = Import.File()
        guard let layout = layout(of: bytes) else {
            result.refuse(line: 1, "", "is empty; the first row of a table names its columns")
            return result
        }
        result.text = layout.text
        read(layout, &result, progress)
        return result
    }

    /// Nil for a text without rows.
    static func layout(of bytes: [UInt8]) -> Layout? {
        let (text, stated) = withoutSeparatorLine(bytes)
        let layouts = (stated.map { [$0] } ?? separators).compactMap { Layout(text, separator: $0) }
        return layouts.max { $0.known < $1.known }
    }

    static func namesColumns(_ text: [UInt8]) -> Bool {
        Layout(text, separator: separators[0]).map { $0.known > 1 } ?? false
    }

    private static func read(_ layout: Layout, _ result: inout Import.File, _ progress: (Int) -> Void) {
        let header = layout.header
        if let fault = header.fault {
            result.refuse(line: header.number, "column \(fault.column + 1)", fault.message)
        } else if header.cellCount > CSVRow.mostCells {
            result.refuse(
                line: header.number, "", "has \(header.cellCount) columns, at most \(CSVRow.mostCells) are read")
        } else if layout.known == 0 {
            result.refuse(line: header.number, "", "must name the columns, such as name, category, address")
        } else if layout.tables.count > 1 {
            let names = layout.tables.map(\.kind.collection).joined(separator: " and ")
            let columns = layout.tables.map(\.ownColumn).joined(separator: ", or ")
            result.refuse(
                line: header.number, "",
                "could name \(names); add a column that tells them apart: \(columns). Businesses have columns such as "
                    + "name, category, address, coordinates; events such as name, event_type, date, time, venue")
        } else {
            if header.number > layout.firstRow {
                result.warn(
                    line: layout.firstRow, "",
                    "the columns are named in row \(header.number); what stands above it was ignored")
            }
            layout.tables[0].readRows(layout.rest, after: header, &result, progress)
        }
    }

    /// The text after a line `sep=;`, which states the separator for Excel, and that separator.
    private static func withoutSeparatorLine(_ bytes: [UInt8]) -> ([UInt8], UInt8?) {
        guard bytes.count > 5, ASCII.equalIgnoringCase(bytes.prefix(4), "sep=".utf8) else { return (bytes, nil) }
        let rest = bytes.dropFirst(5)
        let end =
            rest.starts(with: "\r\n".utf8)
            ? 2 : rest.first == ASCII.lineFeed || rest.first == ASCII.carriageReturn ? 1 : 0
        return end == 0 && !rest.isEmpty ? (bytes, nil) : (Array(rest.dropFirst(end)), bytes[4])
    }

    struct Layout {
        let text: [UInt8]
        let all: CSVReader
        private(set) var header: CSVRow
        let firstRow: Int
        private(set) var rest: CSVReader
        /// Those with the most columns in it, and the number of these columns.
        private(set) var tables: [any AnyCSVTable]
        private(set) var known: Int

        init?(_ bytes: [UInt8], separator: UInt8) {
            var reader = CSVReader(bytes, separator: separator)
            (text, all) = (bytes, reader)
            var row = reader.next()
            while row?.isBlank == true { row = reader.next() }
            guard let row else { return nil }
            (header, rest, firstRow) = (row, reader, row.number)
            (tables, known) = Self.tables(for: row)
            // The first row names the columns unless a later one names more.
            var isOpen = row.fault?.isOpen == true
            while known < 2, !isOpen, let next = reader.next(), next.number < firstRow + CSVFileReader.headerRows {
                isOpen = next.fault?.isOpen == true
                let (tables, known) = Self.tables(for: next)
                if known > max(1, self.known), next.fault == nil {
                    (header, rest, self.tables, self.known) = (next, reader, tables, known)
                }
            }
        }

        private static func tables(for row: CSVRow) -> ([any AnyCSVTable], known: Int) {
            let cells = row.cells.map(\.text.trimmed).filter { !$0.isEmpty }
            let fits = CSVFileReader.tables.map { $0.fit(cells) }
            let best = fits.max { $0 < $1 } ?? (0, 0, 0)
            return (zip(CSVFileReader.tables, fits).filter { $0.1 == best }.map(\.0), best.known)
        }
    }
}
