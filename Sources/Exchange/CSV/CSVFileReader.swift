import Bytes
import SookeModel
import Store

/// Reads a CSV file: determines its separator and its table from the first row.
enum CSVFileReader {
    /// The separators of cells. Spreadsheets use a semicolon where the comma is the decimal sign.
    private static let separators = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
    /// The tables of all kinds that have one.
    static let tables = Community.recordTypes.compactMap { $0.csvTable }
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
        } else if layout.tables.count > 1 {
            let names = layout.tables.map(\.kind.collection).joined(separator: " and ")
            let columns = layout.tables.map(\.ownColumn).joined(separator: ", or ")
            result.refuse(
                line: header.line, "", "could name \(names); add a column that tells them apart: \(columns)")
        } else {
            layout.tables[0].readRows(layout.rest, after: header, &result)
        }
        return result
    }

    /// The first row, parsed with one of the separators.
    private struct Layout {
        let header: CSVRow
        /// The reader after the first row.
        let rest: CSVReader
        /// The tables with the most columns in it, and the number of these columns.
        let tables: [any AnyCSVTable]
        let known: Int

        /// Nil when there is no row that is not blank.
        init?(_ bytes: [UInt8], separator: UInt8) {
            var reader = CSVReader(bytes, separator: separator)
            var row = reader.next()
            while row?.isBlank == true { row = reader.next() }
            guard let row else { return nil }
            (header, rest) = (row, reader)
            // A table with more columns is rejected.
            let cells = header.cells.prefix(CSVFileReader.maximumColumns)
            let counts = CSVFileReader.tables.map { table in Set(cells.compactMap { table.column(named: $0) }).count }
            let known = counts.max() ?? 0
            self.known = known
            tables = zip(CSVFileReader.tables, counts).filter { $0.1 == known }.map(\.0)
        }
    }
}
