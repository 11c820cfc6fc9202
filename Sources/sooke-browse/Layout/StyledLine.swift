import Platform
import ViewTree

/// A line of the screen: pieces of text in different styles, one after another.
struct StyledLine: Equatable {
    struct Piece: Equatable {
        var text: String
        var style: TextStyle
    }

    private(set) var pieces: [Piece] = []
    private(set) var width = 0
    var cursor: Int?

    init() {}

    init(_ text: String, _ style: TextStyle = TextStyle()) {
        append(text, style)
    }

    /// Appends text; control characters are replaced, so that a name cannot move the cursor or change colours.
    mutating func append(_ text: String, _ style: TextStyle = TextStyle()) {
        let text = Self.printable(text)
        if text.isEmpty { return }
        pieces.append(Piece(text: text, style: style))
        width += CellWidth.of(text)
    }

    mutating func append(_ line: StyledLine) {
        if let cursor = line.cursor { self.cursor = width + cursor }
        pieces += line.pieces
        width += line.width
    }

    mutating func pad(to width: Int) {
        if self.width < width { append(String(repeating: " ", count: width - self.width)) }
    }

    /// The last column is an ellipsis if something is missing.
    func truncated(to width: Int) -> StyledLine {
        if self.width <= width { return self }
        var line = StyledLine()
        if width < 1 { return line }
        for piece in pieces {
            for character in piece.text {
                guard line.width + CellWidth.of(character) < width else {
                    line.append("…", piece.style)
                    return line
                }
                line.append(String(character), piece.style)
            }
        }
        return line
    }

    var bold: StyledLine {
        var line = self
        for index in line.pieces.indices { line.pieces[index].style.isBold = true }
        return line
    }

    var text: String { pieces.map(\.text).joined() }

    /// A text without what would change anything but the cells that it uses: controls, and the marks that change the
    /// direction of what follows.
    private static func printable(_ text: String) -> String {
        String(
            text.map { character in
                let isWrong = character.unicodeScalars.contains(where: isControl) || CellWidth.of(character) == 0
                return isWrong ? "\u{FFFD}" : character
            })
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0x2028, 0x2029: true
        default: false
        }
    }
}

func wrap(_ text: String, _ width: Int) -> [String] {
    var lines: [String] = []
    for paragraph in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
        wrap(paragraph, max(1, width), into: &lines)
    }
    return lines
}

private func wrap(_ paragraph: Substring, _ width: Int, into lines: inout [String]) {
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

private func split(_ word: String, at width: Int) -> (part: String, rest: String) {
    var (end, used) = (word.startIndex, 0)
    while end < word.endIndex, used + CellWidth.of(word[end]) <= width {
        used += CellWidth.of(word[end])
        end = word.index(after: end)
    }
    // Even a wide character needs its place.
    if end == word.startIndex { end = word.index(after: end) }
    return (String(word[..<end]), String(word[end...]))
}
