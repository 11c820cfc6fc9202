/// Keeps text in a table from running as a formula when a spreadsheet opens it (CWE-1236).
///
/// Spreadsheets take a cell that begins with `=`, `+`, `-`, `@`, a tab or a carriage return for a formula. Such a cell
/// is written with an apostrophe before it, which is how people write text in a spreadsheet themselves, and loses that
/// apostrophe when it is read. A negative number runs nothing and stays as it is.
///
/// | text | cell |
/// |---|---|
/// | `=1+1` | `'=1+1` |
/// | `'=1+1` | `''=1+1` |
/// | `'Tis the season` | `'Tis the season` |
/// | `-123.73` | `-123.73` |
///
/// What has apostrophes and then a formula gets one more, so that every text is read back as it was.
enum FormulaGuard {
    /// The cell for a text.
    static func guarded(_ text: String) -> String {
        isFormula(text) ? "'" + text : text
    }

    /// The text of a cell.
    static func unguarded(_ cell: String) -> String {
        cell.utf8.first == apostrophe && isFormula(cell) ? String(cell.unicodeScalars.dropFirst()) : cell
    }

    private static let apostrophe = UInt8(ascii: "'")

    /// Whether a formula follows the apostrophes that a text may begin with.
    private static func isFormula(_ text: String) -> Bool {
        switch text.utf8.first(where: { $0 != apostrophe }) {
        case UInt8(ascii: "-"): Double(decimal: String(text.unicodeScalars.drop { $0 == "'" })) == nil
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "@"), UInt8(ascii: "\t"), UInt8(ascii: "\r"): true
        default: false
        }
    }
}
