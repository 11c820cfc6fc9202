import Bytes
import SookeModel
import Store

private let week = 0...6

struct CSVTableReader<Value: WritableRecord> {
    private let table: CSVTable<Value>
    /// By cell; nil for one that is ignored.
    private var columns: [CSVTable<Value>.Column?] = []
    private var days: Set<Int> = []
    /// An export has a column of IDs and one of slugs.
    private var isExport = false
    private var headerRow = 1

    /// Nil when the names of the columns are invalid, with a problem in `result`.
    init?(_ table: CSVTable<Value>, _ header: CSVRow, _ result: inout Import.File) {
        self.table = table
        var problems = FieldProblems()
        var ignored: Ignored = ([], [])
        columns = Self.columns(table, header, &ignored, &problems)
        let name = table.layout.first[0]
        if !columns.contains(where: { $0?.name == name || $0?.name == "slug" }) {
            let found = header.cells.map(\.text.withoutInvisible.trimmed).filter { !$0.isEmpty }
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
        for warning in Self.warnings(about: ignored, known: table.columnNames) {
            result.warn(line: header.number, "", warning)
        }
    }

    /// Of several columns with the same meaning, the one with its exact name counts, or else the first.
    static func columns(
        _ table: CSVTable<Value>, _ header: CSVRow, _ ignored: inout Ignored, _ problems: inout FieldProblems
    ) -> [CSVTable<Value>.Column?] {
        let names = header.cells.map { $0.text.withoutInvisible.trimmed }
        var columns = names.map { $0.isEmpty ? nil : table.column(named: $0) }
        addEdges(table, names, to: &columns)
        // Other programs have IDs of their own; those of a town come with its slugs.
        if !columns.contains(where: { $0?.name == "slug" }) {
            for index in columns.indices where columns[index]?.name == "id" {
                columns[index] = nil
                ignored.shadowed.append("\"\(names[index].excerpt())\", since IDs count only beside a column \"slug\",")
            }
        }
        let isExact = { (index: Int) in ColumnNames.normalized(names[index]) == columns[index]?.name }
        let exact = names.indices.map(isExact)
        var places: [String: Int] = [:]
        for (index, column) in columns.enumerated() {
            guard let column else {
                let isUnknown = !names[index].isEmpty && table.column(named: names[index])?.name != "id"
                if isUnknown { ignored.unknown.append(names[index]) }
                continue
            }
            if case .edge = column.content { continue }
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

    typealias Ignored = (unknown: [String], shadowed: [String])

    private static func warnings(about ignored: Ignored, known: [String]) -> [String] {
        let unknown = ignored.unknown.prefix(listed)
        let near = unknown.compactMap { name in
            Suggestion.nearest(to: ColumnNames.normalized(name), in: known).map { "\($0) for \"\(name.excerpt())\"" }
        }
        let advice = near.isEmpty ? "" : "; did you mean \(near.joined(separator: ", "))?"
        return [
            sentence(ignored.unknown.map { "\"\($0.excerpt())\"" }, "not known and ignored") + advice,
            sentence(ignored.shadowed, "ignored"),
        ].filter { !$0.isEmpty }
    }

    private static var listed: Int { 10 }

    private static func sentence(_ names: [String], _ predicate: String) -> String {
        let list = names.listed(upTo: listed)
        if list.isEmpty { return "" }
        return names.count == 1 ? "the column \(list) is \(predicate)" : "the columns \(list) are \(predicate)"
    }

    private static func addEdges(
        _ table: CSVTable<Value>, _ names: [String], to columns: inout [CSVTable<Value>.Column?]
    ) {
        guard table.layout.hours != nil else { return }
        let edges = names.map { name in
            name.utf8.count > ColumnNames.longest ? nil : ColumnNames.dayEdge(named: ColumnNames.normalized(name))
        }
        let all = Set(edges.compactMap(\.self))
        var used: Set<ColumnNames.DayEdge> = []
        for case (let index, let edge?) in zip(names.indices, edges) {
            guard all.contains(edge.other), used.insert(edge).inserted else { continue }
            let name = edge.days.count == 1 ? ColumnNames.dayNames[edge.days[0]] : ColumnNames.normalized(names[index])
            columns[index] = CSVTable.Column(name: name, content: .edge(edge))
        }
    }

    private static func days(in columns: [CSVTable<Value>.Column?]) -> Set<Int> {
        var days: Set<Int> = []
        for column in columns {
            switch column?.content {
            case .days(let columnDays): days.formUnion(columnDays)
            case .edge(let edge): days.formUnion(edge.days)
            default: break
            }
        }
        return days == Set(week) ? [] : days
    }

    /// Reads a second time when only the whole table says the order of day and month in its dates.
    @specialized(where Value == Business)
    @specialized(where Value == Event)
    func readRows(_ reader: CSVReader, _ result: inout Import.File, _ progress: (Int) -> Void) {
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
        _ reader: CSVReader, _ order: MomentText.DayOrder?, _ dates: inout DateOrders, _ result: inout Import.File,
        _ progress: (Int) -> Void
    ) {
        var reader = reader
        var start = reader.position
        while let row = reader.next() {
            defer { start = reader.position }
            if row.isBlank { continue }
            if let fault = row.fault, fault.isOpen {
                result.refuse(line: row.number, name(ofColumn: fault.column), fault.message)
            } else {
                result.rows.append(read(row, order, &dates))
                result.rows[result.rows.count - 1].source = [start..<reader.position]
            }
            if result.rows.count.isMultiple(of: Import.File.progressInterval) { progress(reader.position) }
        }
    }

    private func read(_ row: CSVRow, _ order: MomentText.DayOrder?, _ dates: inout DateOrders) -> ImportRow {
        if let fault = row.fault {
            return ImportRow(line: row.number, problem: name(ofColumn: fault.column), fault.message)
        }
        var newRow = ImportRow(line: row.number, .table)
        newRow.days = days
        var reader = CellReader(table, newRow, order: order, keepsTexts: isExport)
        for (index, column) in columns.enumerated() {
            guard let column else { continue }
            // Spreadsheets leave out empty cells at the end of some rows.
            var cell = index < row.cells.count ? row.cells[index] : CSVCell(text: "", isQuoted: false)
            cell.text = FormulaGuard.unguarded(cell.text)
            reader.read(cell, in: column)
        }
        if row.cells.dropFirst(columns.count).contains(where: { !$0.text.isEmpty }) {
            let counts = "has \(row.cellCount) cells, but the table has \(columns.count) columns"
            let advice = "put a cell with a comma or a semicolon in it into quotes"
            return ImportRow(line: row.number, problem: "", "\(counts); \(advice)")
        }
        return reader.record(&dates)
    }

    private func name(ofColumn index: Int) -> String {
        guard index < columns.count, let column = columns[index] else { return "column \(index + 1)" }
        return column.name
    }
}

extension CSVTable {
    /// Returns the names of the values that it does not use.
    func readCells(of row: inout ImportRow) -> [String] {
        var (ignored, columns, names) = (row.ignored, [Column](), Set<String>())
        row.cells.removeAll { name, _ in
            guard let column = column(named: name), names.insert(column.name).inserted else {
                ignored.append(name)
                return true
            }
            columns.append(column)
            return false
        }
        row.givenLabel = row.nameInCells
        for case .days(let days) in columns.map(\.content) { row.days.formUnion(days) }
        if row.days == Set(week) { row.days = [] }
        var (reader, dates) = (CellReader(self, row), DateOrders())
        for (column, cell) in zip(columns, row.cells) {
            reader.read(CSVCell(text: cell.text, isQuoted: false), in: column)
        }
        row = reader.record(&dates)
        row.cells = []
        return ignored
    }
}
