import Bytes
import SookeModel

/// Reads the rows of sheets, whose cells have numbers, or texts by their number in the workbook.
struct SheetReader {
    var formats: [NumberFormat] = []
    var has1904 = false
    /// Of the bytes of a table.
    var limit = ZipArchive.mostUnpacked
    /// One after the other, and where each ends.
    private var sharedTexts: (bytes: [UInt8], ends: [UInt32]) = ([], [])

    private var writer = CSVWriter()
    /// Those of the row that are read, the row, and how many rows are written.
    private var cells: [String?] = []
    private var (row, lines) = (0, 0)
    private var column = -1
    private var type = ""
    private var style = 0
    private var value: [UInt8] = []
    private var isValue = false
    private var isPhonetic = false

    private static let (mostRows, mostColumns) = (1 << 20, 1 << 14)

    mutating func readSharedTexts(_ content: [UInt8]) throws(WorkbookError) {
        var xml = XMLReader(content)
        // Growing it would take twice the memory.
        sharedTexts.bytes.reserveCapacity(content.count)
        while let event = try xml.next() {
            readText(event, xml)
            guard event == .end, xml.isAt("si") else { continue }
            sharedTexts.bytes += value
            sharedTexts.ends.append(UInt32(clamping: sharedTexts.bytes.count))
            value = []
        }
    }

    mutating func csv(of sheet: [UInt8]) throws(WorkbookError) -> [UInt8] {
        (row, lines, value) = (0, 0, [])
        var xml = XMLReader(sheet)
        while let event = try xml.next() {
            readText(event, xml)
            if event == .start, xml.isAt("row") {
                let given = xml.attribute("r").flatMap { Int($0) } ?? 0
                (row, column, cells) = (row < given && given <= Self.mostRows ? given : row + 1, -1, [])
            } else if event == .start, xml.isAt("c") {
                column = xml.attribute("r").flatMap(Self.column) ?? column + 1
                (type, style) = (xml.attribute("t") ?? "n", xml.attribute("s").flatMap { Int($0) } ?? 0)
                value = []
            } else if event == .end, xml.isAt("c") {
                putCell()
            } else if event == .end, xml.isAt("row") {
                try writeRow()
            }
        }
        return writer.takeBytes()
    }

    /// The text of the element `v`, or of all `t` without those for the pronunciation.
    private mutating func readText(_ event: XMLReader.Event, _ xml: XMLReader) {
        if event == .text {
            if isValue { value += xml.text }
        } else if xml.isAt("t") || xml.isAt("v") {
            isValue = event == .start && !isPhonetic
        } else if xml.isAt("rPh") {
            isPhonetic = event == .start
        }
    }

    /// `BC12` is in column 54, from 0.
    private static func column(of cell: String) -> Int? {
        let letters = cell.utf8.prefix(while: ASCII.isLetter)
        guard 1...3 ~= letters.count else { return nil }
        return letters.reduce(0) { $0 * 26 + Int(ASCII.lowercased($1) - UInt8(ascii: "a")) + 1 } - 1
    }

    private mutating func putCell() {
        // Damaged files have ends without beginnings.
        guard let text = text, !text.isEmpty, 0..<Self.mostColumns ~= column else { return }
        while cells.count <= column { cells.append(nil) }
        cells[column] = text
    }

    private mutating func writeRow() throws(WorkbookError) {
        guard !cells.isEmpty else { return }
        while lines < row - 1 {
            writer.row([])
            lines += 1
        }
        writer.row(cells)
        lines += 1
        guard writer.bytes.count <= limit else { throw .tooLarge(beyond: limit) }
    }

    private var text: String? {
        let raw = String(decoding: value, as: UTF8.self)
        switch type {
        case "s": return Int(raw).flatMap(sharedText)
        case "b": return raw == "1" ? "TRUE" : raw == "0" ? "FALSE" : raw
        case "n": break
        default: return Self.unescaped(raw)
        }
        guard let number = Double(decimal: raw), number.isFinite else { return raw }
        if formats.indices.contains(style), let text = formats[style].text(number, has1904: has1904) { return text }
        // 17 digits are stored, of which as many are shown as the number needs.
        let shown = "\(number)"
        return raw.utf8.allSatisfy(ASCII.isDigit) || shown.contains("e")
            ? raw : shown.hasSuffix(".0") ? String(shown.dropLast(2)) : shown
    }

    private func sharedText(_ index: Int) -> String? {
        guard sharedTexts.ends.indices.contains(index) else { return nil }
        let start = index == 0 ? 0 : Int(sharedTexts.ends[index - 1])
        return Self.unescaped(String(decoding: sharedTexts.bytes[start..<Int(sharedTexts.ends[index])], as: UTF8.self))
    }

    /// Of the characters that XML does not allow, only a carriage return is in what people paste.
    private static func unescaped(_ text: String) -> String {
        let (bytes, mark) = (Array(text.utf8), ByteSearch(for: Array("_x000D_".utf8)))
        guard let start = mark.firstMatch(in: bytes.span) else { return text }
        var (result, place) = (Array(bytes[..<start]), start + 7)
        while let next = mark.firstMatch(in: bytes.span, from: place) {
            result += bytes[place..<next]
            place = next + 7
        }
        return String(decoding: result + bytes[place...], as: UTF8.self)
    }
}
