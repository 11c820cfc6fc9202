import SookeModel
import Store

/// The days of the week, from Sunday.
private let week = 0...6

/// Reads the rows of a table.
struct CSVTableReader<Value: WritableRecord> {
    private let table: CSVTable<Value>
    /// The column of each cell; nil without a name in the first row, where cells must be empty.
    private var columns: [CSVTable<Value>.Column?] = []
    /// The days of the week with a column; see `TableNames`.
    private var days: Set<Int> = []

    /// Reads the names of the columns; nil when they are invalid, with a problem in `result`.
    init?(_ table: CSVTable<Value>, _ header: CSVRow, _ result: inout FileRows) {
        self.table = table
        var problems = FieldProblems()
        var places: [Int: Int] = [:]
        for (index, cell) in header.cells.enumerated() {
            let column = table.column(named: cell)
            columns.append(column.map { table.columns[$0] })
            if let column {
                if let first = places.updateValue(index, forKey: column) {
                    problems.add(table.columns[column].name, "names column \(first + 1) and column \(index + 1)")
                }
            } else if !cell.text.trimmed.isEmpty {
                let known = table.columns.map(\.name).joined(separator: ", ")
                problems.add(
                    cell.text.trimmed.excerpt(),
                    "is no column of this table (column \(index + 1)); it has \(known)")
            }
        }
        let name = table.layout.first[0]
        if !columns.contains(where: { $0?.name == name || $0?.name == "slug" }) {
            problems.add(name, "the column is missing; a row needs a slug or a \(name)")
        }
        for case .day(let day) in columns.compactMap({ $0?.content }) { days.insert(day) }
        if days == Set(week) { days = [] }
        guard problems.isEmpty else {
            for problem in problems.all { result.refuse(line: header.line, problem.field, problem.message) }
            return nil
        }
    }

    /// Reads all rows after the first one.
    @specialized(where Value == Business)
    @specialized(where Value == Event)
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
        var record = CSVRecord<Value>()
        var days: [(CSVCell, column: String, day: Int)] = []
        days.reserveCapacity(week.count)
        var cells = [CSVCell?](repeating: nil, count: Value.fields.descriptions.count)
        for (index, var cell) in row.cells.enumerated() {
            cell.text = FormulaGuard.unguarded(cell.text)
            if let column = columns[index] {
                switch column.content {
                case .field(let field): cells[field] = cell
                case .openingHours(let field): cells[field] = CSVRecord<Value>.readingNotation(cell)
                case .person(let field): cells[field] = record.readPerson(cell)
                case .day(let day): days.append((cell, column.name, day))
                }
            } else if !cell.text.isEmpty {
                record.problems.add(name(ofColumn: index), "has no name in the first row, but has a value here")
            }
        }
        record.read(cells)
        if let hours = table.layout.hours, !days.isEmpty {
            record.patch.fields.insert("hours")
            for (cell, column, day) in days { record.readHours(cell, column, on: day, at: hours) }
        }
        let names = TableNames(person: table.person, email: record.email, days: self.days)
        return ImportRow(line: row.line, patch: record.patch, problems: record.problems, names: names)
    }

    private func name(ofColumn index: Int) -> String {
        guard index < columns.count, let column = columns[index] else { return "column \(index + 1)" }
        return column.name
    }
}
