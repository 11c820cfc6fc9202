import Bytes

/// Keeps text in a table from running as a formula when a spreadsheet opens it (CWE-1236).
///
/// Spreadsheets take a cell that begins with `=`, `+`, `-`, `@`, a tab or a carriage return for a formula. Such a cell
/// is written with an apostrophe before it, which is how people write text in a spreadsheet themselves, and loses that
/// apostrophe when it is read. A negative number runs nothing and stays as it is.
///
/// Where the comma is the decimal sign, spreadsheets take the semicolon for what separates cells, and quotes inside of
/// a cell for text: to them every semicolon and every line break in a text begins a cell. So each piece between those
/// is guarded in the same way.
///
/// | text | cell |
/// |---|---|
/// | `=1+1` | `'=1+1` |
/// | `'=1+1` | `''=1+1` |
/// | `'Tis the season` | `'Tis the season` |
/// | `-123.73` | `-123.73` |
/// | `soup;=1+1` | `soup;'=1+1` |
///
/// What has apostrophes and then a formula gets one more, so that every text is read back as it was.
enum FormulaGuard {
    /// The cell for a text.
    static func guarded(_ text: String) -> String {
        rewritten(text) { piece, isFormula in isFormula(piece) ? [apostrophe] + piece : Array(piece) }
    }

    /// The text of a cell.
    static func unguarded(_ cell: String) -> String {
        rewritten(cell) { piece, isFormula in
            Array(piece.first == apostrophe && isFormula(piece) ? piece.dropFirst() : piece)
        }
    }

    private static let apostrophe = UInt8(ascii: "'")
    private static let quote = UInt8(ascii: "\"")

    /// A text whose pieces a function rewrites, which is told how to tell a formula.
    private static func rewritten(
        _ text: String, _ piece: (ArraySlice<UInt8>, (ArraySlice<UInt8>) -> Bool) -> [UInt8]
    ) -> String {
        guard text.utf8.contains(where: begins) else { return text }
        let bytes = Array(text.utf8)
        guard bytes.contains(where: ends) else { return string(piece(bytes[...], isFormula)) }
        var result: [UInt8] = []
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(where: ends).map { $0 + 1 } ?? bytes.count
            // What a spreadsheet of the other kind takes for a cell begins as the text does.
            let isFirst = start == 0
            result += piece(bytes[start..<end]) { isFirst ? isFormula(bytes[...]) : isFormulaInside($0) }
            start = end
        }
        return string(result)
    }

    /// Whether a formula follows the apostrophes that a text may begin with.
    private static func isFormula(_ text: ArraySlice<UInt8>) -> Bool {
        isFormula(text) { $0 == apostrophe }
    }

    /// The same of a piece, of which the spreadsheet may take quotes for its own.
    private static func isFormulaInside(_ piece: ArraySlice<UInt8>) -> Bool {
        isFormula(piece.last.map(ends) == true ? piece.dropLast() : piece) { $0 == apostrophe || $0 == quote }
    }

    private static func isFormula(_ text: ArraySlice<UInt8>, after isPassedOver: (UInt8) -> Bool) -> Bool {
        let rest = text.drop(while: isPassedOver)
        guard let first = rest.first, begins(first) else { return false }
        return first != UInt8(ascii: "-") || Double(decimal: string(rest)) == nil
    }

    /// Whether a formula begins with a byte.
    private static func begins(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "@"), UInt8(ascii: "\t"),
            ASCII.carriageReturn:
            true
        default: false
        }
    }

    /// Whether a piece ends with a byte.
    private static func ends(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ";") || byte == ASCII.lineFeed || byte == ASCII.carriageReturn
    }

    private static func string(_ bytes: some Collection<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}
