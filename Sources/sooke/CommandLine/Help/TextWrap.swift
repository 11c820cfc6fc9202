/// Breaks text into lines for a terminal.
enum TextWrap {
    /// The width of all help texts.
    static let width = 80

    /// Lines of at most `width` columns, indented by `indent` spaces. A longer word gets a line of its own.
    static func lines(_ text: String, indent: Int = 0, width: Int = width) -> [String] {
        lines(text.split(separator: " ").map(String.init), firstPrefix: spaces(indent), indent: indent, width: width)
    }

    /// Lines of unbreakable words; the first line starts with a prefix instead of the indent.
    static func lines(_ words: [String], firstPrefix: String, indent: Int, width: Int = width) -> [String] {
        var lines: [String] = []
        var line = firstPrefix
        var isEmpty = true
        for word in words {
            if !isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = spaces(indent)
                isEmpty = true
            }
            line += isEmpty ? word : " " + word
            isEmpty = false
        }
        return lines + (isEmpty ? [] : [line])
    }

    /// Two columns: the left one gets a line of its own when it is too wide.
    static func row(_ left: String, _ right: String, column: Int) -> [String] {
        let texts = lines(right, indent: column)
        guard left.count + 2 + 2 <= column, let first = texts.first else { return ["  " + left] + texts }
        let filled = "  " + left + spaces(column - 2 - left.count)
        return [filled + first.dropFirst(column)] + texts.dropFirst()
    }

    static func spaces(_ count: Int) -> String {
        String(repeating: " ", count: max(0, count))
    }
}
