/// A row of a table.
struct CSVRow {
    /// Its number, from 1, as a spreadsheet shows it: blank rows count, and a quoted cell may span several lines.
    let number: Int
    private(set) var cells: [CSVCell] = []
    /// The number of its cells, of which no more than `mostCells` are stored.
    private(set) var cellCount = 0
    /// More cells than the row of any table has.
    static let mostCells = 100
    /// The first violation of the rules in it.
    private(set) var fault: CSVFault?

    init(number: Int) {
        self.number = number
    }

    mutating func append(_ cell: CSVCell) {
        cellCount += 1
        if cells.count < Self.mostCells { cells.append(cell) }
    }

    /// Whether it is empty, like an empty line and what spreadsheets leave below a table.
    var isBlank: Bool { fault == nil && cells.allSatisfy(\.text.isEmpty) }

    /// Stores a violation of the rules in the current cell, unless there is one.
    mutating func fail(_ message: String, isOpen: Bool = false) {
        guard fault == nil else { return }
        fault = CSVFault(column: cellCount, message: message, isOpen: isOpen)
    }
}

/// A violation of the rules of CSV in a row.
struct CSVFault {
    /// The index of the cell.
    let column: Int
    let message: String
    /// Whether a quote is never closed, so that the cell extends to the end of the file.
    let isOpen: Bool
}

/// A cell of a table.
struct CSVCell {
    /// Its text, without quotes.
    var text: String
    /// Whether it is quoted, which distinguishes the empty text from no value.
    let isQuoted: Bool
}
