import Platform
import ViewTree

/// Arranges what a tree shows in the cells of a terminal.
///
/// A column gives each child the lines that it needs; lists and spacers share the rest. A row gives each child the
/// columns that it needs; fields and spacers share the rest, and if there are too few, texts are shortened from the
/// left, since states are read at the right.
struct ScreenLayout {
    let lines: [StyledLine]

    init(_ screen: Screen, columns: Int, rows: Int) {
        let shown = screen.sheets.last ?? screen.content
        let lines = Self.lines(shown, columns, rows)
        let missing = Swift.max(0, rows - lines.count)
        self.lines = lines.prefix(rows) + Array(repeating: StyledLine(), count: missing)
    }

    /// - Parameter height: how many there may be; nil for any number.
    private static func lines(_ content: Content, _ width: Int, _ height: Int?) -> [StyledLine] {
        switch content {
        case .text(let text, let style): wrap(text, width).map { StyledLine($0, style) }
        case .vertical(let children): column(children, width, height)
        case .horizontal(let children): row(children, width)
        case .spacer: Array(repeating: StyledLine(), count: height ?? 1)
        case .divider: [StyledLine(String(repeating: "─", count: width), TextStyle(role: .secondary))]
        case .framed(let columns, let content): lines(content, Swift.min(columns, width), height)
        case .list(let rows, let selected): list(rows, selected, width, height ?? .max)
        case .field(let text, let prompt, let cursor): [field(text, prompt, cursor, width)]
        case .button(let title, let key, let isEnabled): [button(title, key, isEnabled).truncated(to: width)]
        }
    }

    private static func list(_ rows: [Content], _ selected: Int?, _ width: Int, _ height: Int) -> [StyledLine] {
        let chosen = selected ?? 0
        // Each row has a line at least, so that no others can be seen.
        let near = rows.count <= height ? rows.indices : max(0, chosen - height)..<min(rows.count, chosen + height + 1)
        var (all, ofChosen) = ([StyledLine](), 0..<0)
        for index in near {
            let (start, isSelected, row) = (all.count, index == selected, lines(rows[index], width - 2, nil))
            for (number, content) in (row.isEmpty ? [StyledLine()] : row).enumerated() {
                let isMarked = isSelected && number == 0
                var line = StyledLine(isMarked ? "▸ " : "  ", TextStyle(role: .accent, isBold: true))
                line.append(isSelected ? content.bold : content)
                all.append(line)
            }
            if isSelected { ofChosen = start..<all.count }
        }
        if all.count <= height { return all }
        // Of a row without enough room, its start.
        let middle = (ofChosen.lowerBound + ofChosen.upperBound) / 2
        let first = max(0, min(ofChosen.count < height ? middle - height / 2 : ofChosen.lowerBound, all.count - height))
        return Array(all[first..<min(all.count, first + height)])
    }

    private static func column(_ children: [Content], _ width: Int, _ height: Int?) -> [StyledLine] {
        guard let height else { return children.flatMap { lines($0, width, nil) } }
        var parts = children.map { isFlexible($0) ? [] : lines($0, width, nil) }
        clip(&parts, to: height)
        var rest = height - parts.reduce(0) { $0 + $1.count }
        let lists = children.indices.filter { isFlexible(children[$0]) && children[$0] != .spacer }
        let spacers = children.indices.filter { children[$0] == .spacer }
        // Spacers take what lists leave over.
        for kind in [lists, spacers] {
            for (number, index) in kind.enumerated() {
                parts[index] = lines(children[index], width, Swift.max(0, rest / (kind.count - number)))
                rest -= parts[index].count
            }
        }
        return parts.flatMap(\.self)
    }

    private static func isFlexible(_ content: Content) -> Bool {
        switch content {
        case .spacer, .list: true
        case .vertical(let children): children.contains(where: isFlexible)
        case .framed(_, let content): isFlexible(content)
        case .text, .horizontal, .divider, .field, .button: false
        }
    }

    /// Shortens the longest parts, so that what is above and below them stays in view.
    private static func clip(_ parts: inout [[StyledLine]], to height: Int) {
        var excess = parts.reduce(0) { $0 + $1.count } - height
        while excess > 0, let longest = parts.indices.max(by: { parts[$0].count < parts[$1].count }) {
            let kept = Swift.max(0, parts[longest].count - excess)
            excess -= parts[longest].count - kept
            parts[longest] = Array(parts[longest].prefix(kept))
        }
    }

    private static func row(_ children: [Content], _ width: Int) -> [StyledLine] {
        let hasButtons = children.contains { if case .button = $0 { true } else { false } }
        if hasButtons { return flow(children, width) }
        let widths = widths(children, width)
        let cells = zip(children, widths).map { child, width in cell(child, width) }
        return (0..<(cells.map(\.count).max() ?? 0)).map { number in
            var line = StyledLine()
            var end = 0
            for (index, cell) in cells.enumerated() {
                line.pad(to: end)
                if cell.indices.contains(number) { line.append(cell[number].truncated(to: widths[index])) }
                end += widths[index] + gap(after: index, children)
            }
            return line.truncated(to: width)
        }
    }

    private static func flow(_ children: [Content], _ width: Int) -> [StyledLine] {
        var lines = [StyledLine()]
        for child in children {
            guard let line = cell(child, width).first else { continue }
            let isFirst = lines[lines.count - 1].width == 0
            if !isFirst, lines[lines.count - 1].width + 2 + line.width > width {
                lines.append(line)
            } else {
                if !isFirst { lines[lines.count - 1].append("  ") }
                lines[lines.count - 1].append(line)
            }
        }
        return lines
    }

    private static func cell(_ content: Content, _ width: Int) -> [StyledLine] {
        switch content {
        case .text(let text, let style):
            let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
            return [StyledLine(line, style).truncated(to: width)]
        case .framed(_, let content): return cell(content, width)
        case .vertical(let children) where children.count == 1: return cell(children[0], width)
        case .spacer: return []
        default: return lines(content, width, nil)
        }
    }

    private static func widths(_ children: [Content], _ width: Int) -> [Int] {
        let gaps = children.indices.reduce(0) { $0 + gap(after: $1, children) }
        var widths = children.map { natural($0, width) }
        var excess = widths.reduce(gaps, +) - width
        for index in widths.indices where excess > 0 {
            guard case .text = children[index] else { continue }
            let shortened = Swift.max(Swift.min(widths[index], 8), widths[index] - excess)
            excess -= widths[index] - shortened
            widths[index] = shortened
        }
        let takers = children.indices.filter { if case .field = children[$0] { true } else { children[$0] == .spacer } }
        for (number, index) in takers.enumerated() where excess < 0 {
            let share = -excess / (takers.count - number)
            widths[index] += share
            excess += share
        }
        return widths
    }

    private static func natural(_ content: Content, _ width: Int) -> Int {
        switch content {
        case .field: 0
        case .spacer: 1
        case .framed(let columns, _): Swift.min(columns, width)
        default: cell(content, width).map(\.width).max() ?? 0
        }
    }

    private static func gap(after index: Int, _ children: [Content]) -> Int {
        guard index + 1 < children.count else { return 0 }
        return children[index] == .spacer || children[index + 1] == .spacer ? 0 : 1
    }

    private static func button(_ title: String, _ key: Key, _ isEnabled: Bool) -> StyledLine {
        var line = StyledLine(key.name, TextStyle(role: isEnabled ? .accent : .secondary, isBold: isEnabled))
        line.append(" " + title, TextStyle(role: isEnabled ? .primary : .secondary))
        return line
    }

    /// A line of text that is being typed: the part around the cursor.
    private static func field(_ text: String, _ prompt: String, _ cursor: Int?, _ width: Int) -> StyledLine {
        guard let cursor, !text.isEmpty else {
            let line = text.isEmpty ? StyledLine(prompt, TextStyle(role: .secondary)) : StyledLine(text)
            var shown = line.truncated(to: width)
            if cursor != nil { shown.cursor = 0 }
            return shown
        }
        var before = Array(text.prefix(cursor))
        // One column is for the cursor after the last character.
        while before.reduce(0, { $0 + CellWidth.of($1) }) >= width, !before.isEmpty { before.removeFirst() }
        var line = StyledLine(String(before))
        line.cursor = line.width
        for character in text.dropFirst(cursor) where line.width + CellWidth.of(character) <= width {
            line.append(String(character))
        }
        return line
    }
}

struct ScreenSize: Equatable {
    var columns = 80
    var rows = 24

    /// Whether notes need lines of their own.
    var isNarrow: Bool { columns < 60 }

    /// The rows by which PageUp and PageDown move: a few less than are in view.
    var rowsOfPage: Int { max(1, rows - 5) }

    /// The columns of a text in a list of the whole width, beside its mark.
    var text: Int { columns - 2 }
}
