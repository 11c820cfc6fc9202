import Bytes

/// Reads the rows of a table (RFC 4180).
///
/// ```
/// file        = row *(line-end row) [line-end]
/// row         = cell *(separator cell)
/// cell        = plain / DQUOTE *(any but DQUOTE / DQUOTE DQUOTE) DQUOTE
/// plain       = *(any but DQUOTE, separator, CR and LF)    ; spaces around a quoted cell do not count
/// line-end    = LF / CRLF / CR
/// ```
///
/// A violation is stored in its row, and reading continues, so that one invalid cell hides no other.
struct CSVReader {
    private let bytes: [UInt8]
    let separator: UInt8
    private(set) var position = 0
    private var rows = 0

    init(_ bytes: [UInt8], separator: UInt8) {
        (self.bytes, self.separator) = (bytes, separator)
    }

    /// Without those inside of quotes.
    static func lineCount(of text: [UInt8]) -> Int {
        var (count, isQuoted) = (0, false)
        let end = text.contains(ASCII.lineFeed) ? ASCII.lineFeed : ASCII.carriageReturn
        for byte in text {
            if byte == quote { isQuoted.toggle() }
            if byte == end, !isQuoted { count += 1 }
        }
        return count
    }

    mutating func next() -> CSVRow? {
        guard position < bytes.count else { return nil }
        rows += 1
        var row = CSVRow(number: rows)
        repeat {
            row.append(nextCell(&row))
        } while takeSeparator()
        takeLineEnd()
        return row
    }

    private mutating func nextCell(_ row: inout CSVRow) -> CSVCell {
        skipSpacesBeforeQuote()
        let isQuoted = position < bytes.count && bytes[position] == Self.quote
        var text = isQuoted ? quotedText(&row) : []
        let start = position
        while position < bytes.count, !endsCell(bytes[position]) { position += 1 }
        let plain = bytes[start..<position]
        if isQuoted, plain.allSatisfy({ $0 == UInt8(ascii: " ") }) {
            return CSVCell(text: String(decoding: text, as: UTF8.self), isQuoted: true)
        } else if isQuoted {
            row.fail("has text after the closing quote; a quote inside of quotes is written twice")
        } else if plain.contains(Self.quote) {
            row.fail("has a quote inside; put the whole cell in quotes, and write a quote inside of it twice")
        }
        guard isQuoted else { return CSVCell(text: String(decoding: plain, as: UTF8.self), isQuoted: false) }
        text.append(contentsOf: plain)
        return CSVCell(text: String(decoding: text, as: UTF8.self), isQuoted: true)
    }

    private mutating func quotedText(_ row: inout CSVRow) -> [UInt8] {
        var text: [UInt8] = []
        position += 1
        while true {
            let start = position
            while position < bytes.count, bytes[position] != Self.quote { position += 1 }
            text.append(contentsOf: bytes[start..<position])
            guard position < bytes.count else {
                row.fail("has no closing quote", isOpen: true)
                return text
            }
            position += 1
            guard position < bytes.count, bytes[position] == Self.quote else { return text }
            text.append(Self.quote)
            position += 1
        }
    }

    /// Skips the spaces that people type between a separator and a quote.
    private mutating func skipSpacesBeforeQuote() {
        var next = position
        while next < bytes.count, bytes[next] == UInt8(ascii: " ") { next += 1 }
        if next < bytes.count, bytes[next] == Self.quote { position = next }
    }

    private static let quote = UInt8(ascii: "\"")

    private func endsCell(_ byte: UInt8) -> Bool {
        byte == separator || byte == ASCII.lineFeed || byte == ASCII.carriageReturn
    }

    private mutating func takeSeparator() -> Bool {
        guard position < bytes.count, bytes[position] == separator else { return false }
        position += 1
        return true
    }

    private mutating func takeLineEnd() {
        guard position < bytes.count else { return }
        let next = bytes[position...].prefix(2)
        position += next.elementsEqual("\r\n".utf8) ? 2 : 1
    }
}

struct CSVRow {
    /// Its number, from 1, as a spreadsheet shows it: blank rows count, and a quoted cell may span several lines.
    let number: Int
    private(set) var cells: [CSVCell] = []
    private(set) var cellCount = 0
    static let mostCells = 100
    /// The first violation of the rules; an open one has no closing quote, so that the cell extends to the end.
    private(set) var fault: (column: Int, message: String, isOpen: Bool)?

    init(number: Int) {
        self.number = number
    }

    mutating func append(_ cell: CSVCell) {
        cellCount += 1
        if cells.count < Self.mostCells { cells.append(cell) }
    }

    var isBlank: Bool { fault == nil && cells.allSatisfy { $0.text.trimmed.isEmpty } }

    mutating func fail(_ message: String, isOpen: Bool = false) {
        if fault == nil { fault = (cellCount, message, isOpen) }
    }
}

struct CSVCell {
    var text: String
    /// Distinguishes the empty text from no value.
    let isQuoted: Bool
}
