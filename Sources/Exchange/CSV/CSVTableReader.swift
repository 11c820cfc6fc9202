import Bytes
import SookeModel
import Store

/// The days of the week, from Sunday.
private let week = 0...6

/// Reads the rows of a table.
struct CSVTableReader<Value: WritableRecord> {
    private let table: CSVTable<Value>
    /// The column of each cell; nil for one that is ignored.
    private var columns: [CSVTable<Value>.Column?] = []
    /// The days of the week with a column; see `TableNames`.
    private var days: Set<Int> = []
    /// Whether the table is an export, which has a column of IDs and one of slugs.
    private var isExport = false
    /// The number of the row that names the columns.
    private var headerRow = 1

    /// Reads the names of the columns; nil when they are invalid, with a problem in `result`.
    init?(_ table: CSVTable<Value>, _ header: CSVRow, _ result: inout FileRows) {
        self.table = table
        var problems = FieldProblems()
        var ignored = IgnoredColumns()
        columns = Self.columns(table, header, &ignored, &problems)
        let name = table.layout.first[0]
        if !columns.contains(where: { $0?.name == name || $0?.name == "slug" }) {
            let found = header.cells.map(\.text.trimmed).filter { !$0.isEmpty }
            let list = found.prefix(10).map { "\"\($0.excerpt(bytes: 40))\"" }.joined(separator: ", ")
            problems.add(
                name,
                "the column is missing; rename the one with the names to \(name) (there is \(list)), or add a slug")
        }
        days = Self.days(in: columns)
        headerRow = header.number
        isExport = Set(header.cells.map(\.text)).isSuperset(of: ["id", "slug"])
        guard problems.isEmpty else {
            for problem in problems.all { result.refuse(line: header.number, problem.field, problem.message) }
            return nil
        }
        for warning in ignored.warnings(known: table.columnNames) { result.warn(line: header.number, "", warning) }
    }

    /// The columns of a header. Of several with the same meaning, the one that has exactly the name of the column counts,
    /// or else the first; the others are among the ignored ones, with the reason.
    private static func columns(
        _ table: CSVTable<Value>, _ header: CSVRow, _ ignored: inout IgnoredColumns, _ problems: inout FieldProblems
    ) -> [CSVTable<Value>.Column?] {
        let names = header.cells.map { $0.text.trimmed }
        var columns = names.map { $0.isEmpty ? nil : table.column(named: $0) }
        let isExact = { (index: Int) in ColumnNames.normalized(names[index]) == columns[index]?.name }
        let exact = names.indices.map(isExact)
        var places: [String: Int] = [:]
        for (index, column) in columns.enumerated() {
            guard let column else {
                if !names[index].isEmpty { ignored.unknown.append(names[index]) }
                continue
            }
            guard let first = places[column.name] else {
                places[column.name] = index
                continue
            }
            if exact[first], exact[index] {
                problems.add(column.name, "names column \(first + 1) and column \(index + 1)")
                continue
            }
            let (kept, dropped) = exact[index] ? (index, first) : (first, index)
            places[column.name] = kept
            columns[dropped] = nil
            ignored.shadowed.append("\"\(names[dropped].excerpt())\" because of \"\(names[kept].excerpt())\"")
        }
        return columns
    }

    private static func days(in columns: [CSVTable<Value>.Column?]) -> Set<Int> {
        var days: Set<Int> = []
        for case .days(let columnDays) in columns.compactMap({ $0?.content }) { days.formUnion(columnDays) }
        return days == Set(week) ? [] : days
    }

    /// Reads all rows after the first one; a second time when only the whole table tells the order of day and month in
    /// its dates.
    @specialized(where Value == Business)
    @specialized(where Value == Event)
    func readRows(_ reader: CSVReader, _ result: inout FileRows, _ progress: (Int) -> Void) {
        let before = result
        var dates = DateOrders()
        readRows(reader, nil, &dates, &result, progress)
        guard let order = dates.order else { return }
        result = before
        let words = order == .dayFirst ? "day/month/year" : "month/day/year"
        result.warn(line: headerRow, "", "dates are read as \(words), since some of them can only be that")
        readRows(reader, order, &dates, &result, progress)
    }

    private func readRows(
        _ reader: CSVReader, _ order: MomentText.DayOrder?, _ dates: inout DateOrders, _ result: inout FileRows,
        _ progress: (Int) -> Void
    ) {
        var reader = reader
        while let row = reader.next() {
            if row.isBlank { continue }
            if let fault = row.fault, fault.isOpen {
                result.refuse(line: row.number, name(ofColumn: fault.column), fault.message)
            } else {
                result.rows.append(read(row, order, &dates))
            }
            if result.rows.count.isMultiple(of: FileRows.progressInterval) { progress(reader.position) }
        }
    }

    private func read(_ row: CSVRow, _ order: MomentText.DayOrder?, _ dates: inout DateOrders) -> ImportRow {
        if let fault = row.fault {
            return ImportRow(line: row.number, problem: name(ofColumn: fault.column), fault.message)
        }
        var record = CSVRecord(table, order: order, keepsTexts: isExport)
        for (index, column) in columns.enumerated() {
            guard let column else { continue }
            // Spreadsheets leave out empty cells at the end of some rows.
            var cell = index < row.cells.count ? row.cells[index] : CSVCell(text: "", isQuoted: false)
            cell.text = FormulaGuard.unguarded(cell.text)
            record.read(cell, in: column)
        }
        if row.cells.dropFirst(columns.count).contains(where: { !$0.text.isEmpty }) {
            let message =
                "has \(row.cellCount) cells, but the table has \(columns.count) columns; "
                + "put a cell with a comma or a semicolon in it into quotes"
            return ImportRow(line: row.number, problem: "", message)
        }
        return record.row(line: row.number, of: table, days: days, &dates)
    }

    private func name(ofColumn index: Int) -> String {
        guard index < columns.count, let column = columns[index] else { return "column \(index + 1)" }
        return column.name
    }
}

extension CSVTable {
    /// Reads a record of a file that is not a table, which has each of its columns at most once.
    func readRecord(_ source: SourceRecord) -> ImportRow {
        if let problem = source.problem {
            return ImportRow(line: source.line, problem: problem.field, problem.message)
        }
        var record = CSVRecord(self)
        var days: Set<Int> = []
        for (name, text) in source.cells {
            guard let column = column(named: name) else { continue }
            if case .days(let columnDays) = column.content { days.formUnion(columnDays) }
            record.read(CSVCell(text: text, isQuoted: false), in: column)
        }
        var dates = DateOrders()
        var row = record.row(line: source.line, of: self, days: days == Set(week) ? [] : days, &dates)
        row.names?.isFromOtherFile = true
        return row
    }
}
