import Platform

/// A text in lines of a width, broken between words.
struct WrappedText {
    let lines: [String]

    init(_ text: String, width: Int) {
        var lines: [String] = []
        for paragraph in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            Self.wrap(paragraph, max(1, width), into: &lines)
        }
        self.lines = lines
    }

    private static func wrap(_ paragraph: Substring, _ width: Int, into lines: inout [String]) {
        // What fits stays as it is, with its spaces.
        if CellWidth.of(String(paragraph)) <= width { return lines.append(String(paragraph)) }
        var (line, used) = ("", 0)
        for word in paragraph.split(separator: " ") {
            var rest = String(word)
            var length = CellWidth.of(rest)
            if used > 0, used + 1 + length > width {
                lines.append(line)
                (line, used) = ("", 0)
            }
            // A word that is longer than a line is broken anywhere.
            while length > width {
                let (part, tail) = split(rest, at: width)
                lines.append(part)
                (rest, length) = (tail, CellWidth.of(tail))
            }
            line += used > 0 ? " " + rest : rest
            used += used > 0 ? length + 1 : length
        }
        lines.append(line)
    }

    private static func split(_ word: String, at width: Int) -> (part: String, rest: String) {
        var (end, used) = (word.startIndex, 0)
        while end < word.endIndex, used + CellWidth.of(word[end]) <= width {
            used += CellWidth.of(word[end])
            end = word.index(after: end)
        }
        // Even a wide character needs its place.
        if end == word.startIndex { end = word.index(after: end) }
        return (String(word[..<end]), String(word[end...]))
    }
}
