import Bytes
import SookeModel

/// Reads the rows of one kind of table.
struct CSVTableReader<Table: CSVTable> {
    /// What each cell of a row is for; nil for a cell below no name, which must be empty.
    private var columns: [Table.Column?] = []

    /// Takes the first row; nil when, as noted in `result`, it does not name the columns well.
    init?(_ header: CSVRow, _ result: inout FileRows) {
        var problems = FieldProblems()
        var places: [Table.Column: Int] = [:]
        for (index, cell) in header.cells.enumerated() {
            let column = Table.Column(cell)
            columns.append(column)
            if let column {
                if let first = places.updateValue(index, forKey: column) {
                    problems.add(column.rawValue, "names column \(first + 1) and column \(index + 1)")
                }
            } else if !cell.text.trimmed.isEmpty {
                let known = Table.Column.allCases.map(\.rawValue).joined(separator: ", ")
                problems.add(
                    cell.text.trimmed.excerpt(),
                    "is no column of this table (column \(index + 1)); it has \(known)")
            }
        }
        if !columns.contains(where: { $0?.rawValue == "name" || $0?.rawValue == "slug" }) {
            problems.add("name", "the column is missing; a row needs a slug or a name")
        }
        guard problems.isEmpty else {
            for problem in problems.all { result.refuse(line: header.line, problem.field, problem.message) }
            return nil
        }
    }

    /// Reads all rows that follow the first one.
    func readRows(_ reader: CSVReader, _ result: inout FileRows) {
        var reader = reader
        while let row = reader.next() {
            if row.isBlank { continue }
            if let fault = row.fault, fault.isOpen {
                result.refuse(line: fault.line, name(ofColumn: fault.column), fault.message)
            } else {
                result.rows.append(read(row))
            }
        }
    }

    private func read(_ row: CSVRow) -> ImportRow {
        if let fault = row.fault {
            return ImportRow(line: fault.line, problem: name(ofColumn: fault.column), fault.message)
        }
        guard row.cells.count == columns.count else {
            return ImportRow(
                line: row.line, problem: "", "has \(row.cells.count) cells, but the table has \(columns.count) columns")
        }
        var record = CSVRecord<Table.Value>()
        for (index, var cell) in row.cells.enumerated() {
            cell.text = FormulaGuard.unguarded(cell.text)
            if let column = columns[index] {
                Table.read(cell, column, into: &record)
            } else if !cell.text.isEmpty {
                record.problems.add(name(ofColumn: index), "has no name in the first row, but has a value here")
            }
        }
        let names = TableNames(
            personColumn: Table.personColumn.rawValue, email: record.email, days: record.days)
        return ImportRow(line: row.line, patch: Table.wrap(record.patch), problems: record.problems, names: names)
    }

    private func name(ofColumn index: Int) -> String {
        guard index < columns.count, let column = columns[index] else { return "column \(index + 1)" }
        return column.rawValue
    }
}
