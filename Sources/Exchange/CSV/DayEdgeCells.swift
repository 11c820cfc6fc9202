import Bytes
import SookeModel

/// The cells of a row with the opening and the closing of days in columns of their own.
struct DayEdgeCells {
    private struct Cell {
        let edge: ColumnNames.DayEdge
        let text: String
        let column: String
    }

    /// The hours of some days, as in one cell.
    struct Hours {
        let days: [Int]
        let text: String
        let column: String
    }

    private var cells: [Cell] = []

    mutating func add(_ text: String, _ edge: ColumnNames.DayEdge, _ column: String) {
        let text = CellText.oneLine(text)
        cells.append(Cell(edge: edge, text: CellText.isNothing(text) ? "" : text, column: column))
    }

    /// The hours by days. An opening without a closing is a problem.
    func hours(_ problems: inout FieldProblems) -> [Hours] {
        var found: [Hours] = []
        for opening in cells.filter(\.edge.isOpening).sorted(by: { $0.edge.shift < $1.edge.shift }) {
            var edge = opening.edge
            edge.isOpening = false
            let closing = cells.first { $0.edge == edge }?.text ?? ""
            guard let text = Self.joined(opening.text, closing) else {
                let (one, other) = closing.isEmpty ? ("an opening", "closing") : ("a closing", "opening")
                let cell = (closing.isEmpty ? opening.text : closing).excerpt()
                problems.add(opening.column, "has \(one), \"\(cell)\", without the \(other); add that, or write closed")
                continue
            }
            if let index = found.firstIndex(where: { $0.days == edge.days }) {
                let texts = [found[index].text, text].filter { !$0.isEmpty }
                found[index] = Hours(days: edge.days, text: texts.joined(separator: ", "), column: opening.column)
            } else {
                found.append(Hours(days: edge.days, text: text, column: opening.column))
            }
        }
        return found
    }

    /// The hours from an opening to a closing; nil when one is missing.
    private static func joined(_ opening: String, _ closing: String) -> String? {
        if opening.isEmpty, closing.isEmpty { return "" }
        // "Closed" or "24 hours" in one of the cells, or in both.
        for text in [opening, closing] where !text.isEmpty && (text.hasSameBytes(as: opening) || opening.isEmpty) {
            let isWhole = (try? HoursNotation.times(text)) != nil || HoursNotation.isAppointment(text)
            if isWhole, closing.isEmpty || opening.isEmpty || closing.hasSameBytes(as: opening) { return text }
        }
        return opening.isEmpty || closing.isEmpty ? nil : "\(opening) - \(closing)"
    }
}
