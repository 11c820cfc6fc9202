/// A row of a table.
struct CSVRow {
    /// The line it begins in, from 1; a quoted cell may go over several lines.
    let line: Int
    var cells: [CSVCell] = []
    /// The first thing in it that breaks the rules.
    private(set) var fault: CSVFault?

    init(line: Int) {
        self.line = line
    }

    /// Whether there is nothing in it, as in an empty line and in what spreadsheets leave below a table.
    var isBlank: Bool { fault == nil && cells.allSatisfy(\.text.isEmpty) }

    /// Notes what breaks the rules in the cell that is being read.
    mutating func fail(_ line: Int, _ message: String, isOpen: Bool = false) {
        guard fault == nil else { return }
        fault = CSVFault(line: line, column: cells.count, message: message, isOpen: isOpen)
    }
}

/// What in a row breaks the rules of CSV.
struct CSVFault {
    let line: Int
    /// The cell, from 0.
    let column: Int
    let message: String
    /// Whether a quote is never closed, so that the cell holds all the rest of the file.
    let isOpen: Bool
}

/// A cell of a table.
struct CSVCell {
    /// What stands in it, without its quotes.
    var text: String
    /// Whether it is written in quotes, which tells the empty text from nothing at all.
    let isQuoted: Bool
}
