import Platform
import ViewTree

struct StyledLine: Equatable {
    struct Piece: Equatable {
        var text: String
        var style: TextStyle
    }

    private(set) var pieces: [Piece] = []
    private(set) var width = 0
    var cursor: Int?

    init(_ text: String = "", _ style: TextStyle = TextStyle()) {
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

/// Breaks between words; a word that is longer than a line is broken anywhere.
func wrap(_ text: String, _ width: Int) -> [String] {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).flatMap { wrap($0, max(1, width)) }
}

private func wrap(_ paragraph: Substring, _ width: Int) -> [String] {
    var lines: [String] = []
    var rest = paragraph
    repeat {
        var end = end(of: rest, at: width)
        if end < rest.endIndex, rest[end] != " ", let space = rest[..<end].lastIndex(of: " ") { end = space }
        lines.append(String(rest[..<end]))
        rest = rest[end...].drop { $0 == " " }
    } while !rest.isEmpty
    return lines
}

/// Where a line of a width ends. Even a character that is wider is in it.
private func end(of text: Substring, at width: Int) -> Substring.Index {
    var (end, used) = (text.startIndex, 0)
    while end < text.endIndex, used == 0 || used + CellWidth.of(text[end]) <= width {
        used += CellWidth.of(text[end])
        end = text.index(after: end)
    }
    return end
}
