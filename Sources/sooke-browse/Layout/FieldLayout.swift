import Platform
import ViewTree

/// A line of text that is being typed: the part around the cursor.
enum FieldLayout {
    static func line(_ text: String, _ prompt: String, _ cursor: Int?, _ width: Int) -> StyledLine {
        guard let cursor else {
            return text.isEmpty
                ? StyledLine(prompt, TextStyle(role: .secondary)).truncated(to: width)
                : StyledLine(text).truncated(to: width)
        }
        if text.isEmpty {
            var line = StyledLine(prompt, TextStyle(role: .secondary)).truncated(to: width)
            line.cursor = 0
            return line
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
