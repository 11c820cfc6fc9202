import Bytes
import SookeModel

/// Reads a CSV file: determines its separator and its table from the first row.
enum CSVFileReader {
    /// The separators of cells. Spreadsheets use a semicolon where the comma is the decimal sign.
    private static let separators = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
    /// More columns than any table has.
    private static let maximumColumns = 100

    /// Reads all rows of a file.
    static func rows(of bytes: [UInt8]) -> FileRows {
        var result = FileRows()
        guard let layout = separators.compactMap({ Layout(bytes, separator: $0) }).max(by: { $0.known < $1.known })
        else {
            result.refuse(line: 1, "", "is empty; the first row of a table names its columns")
            return result
        }
        let header = layout.header
        if let fault = header.fault {
            result.refuse(line: fault.line, "column \(fault.column + 1)", fault.message)
        } else if header.cells.count > maximumColumns {
            result.refuse(
                line: header.line, "", "has \(header.cells.count) columns, at most \(maximumColumns) are read")
        } else if layout.known == 0 {
            result.refuse(line: header.line, "", "must name the columns, such as name, category, address")
        } else if layout.businesses == layout.events {
            let message = "could name businesses and events; add a column that tells them apart: address, or starts_at"
            result.refuse(line: header.line, "", message)
        } else if layout.businesses > layout.events {
            CSVTableReader(.businesses, header, &result)?.readRows(layout.rest, &result)
        } else {
            CSVTableReader(.events, header, &result)?.readRows(layout.rest, &result)
        }
        return result
    }

    /// The first row, parsed with one of the separators.
    private struct Layout {
        let header: CSVRow
        /// The reader after the first row.
        let rest: CSVReader
        /// The number of columns of each table in it.
        let businesses: Int
        let events: Int

        var known: Int { max(businesses, events) }

        /// Nil when there is no row that is not blank.
        init?(_ bytes: [UInt8], separator: UInt8) {
            var reader = CSVReader(bytes, separator: separator)
            var row = reader.next()
            while row?.isBlank == true { row = reader.next() }
            guard let row else { return nil }
            (header, rest) = (row, reader)
            // A table with more columns is rejected.
            let cells = header.cells.prefix(CSVFileReader.maximumColumns)
            businesses = Set(cells.compactMap(CSVTable<Business>.businesses.column)).count
            events = Set(cells.compactMap(CSVTable<Event>.events.column)).count
        }
    }
}
