import ViewTree

/// Draws lines on a terminal: only those that have changed.
struct ScreenPainter {
    /// Takes the whole screen, and shows what was there before at the end.
    static let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J"
    static let leave = "\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"

    private let hasColors: Bool
    private var shown: [StyledLine] = []

    init(hasColors: Bool) {
        self.hasColors = hasColors
    }

    mutating func forget() {
        shown = []
    }

    mutating func paint(_ lines: [StyledLine]) -> String {
        var output = "\u{1B}[?25l"
        if shown.count != lines.count { output += "\u{1B}[0m\u{1B}[2J" }
        for (row, line) in lines.enumerated() where shown.count != lines.count || shown[row] != line {
            // Cleared first: after its last column, some terminals would clear that.
            output += "\u{1B}[\(row + 1);1H\u{1B}[K\(encode(line))"
        }
        shown = lines
        if let row = lines.firstIndex(where: { $0.cursor != nil }), let column = lines[row].cursor {
            output += "\u{1B}[\(row + 1);\(column + 1)H\u{1B}[?25h"
        }
        return output
    }

    private func encode(_ line: StyledLine) -> String {
        var output = ""
        for piece in line.pieces {
            let codes = codes(piece.style)
            output += codes.isEmpty ? piece.text : "\u{1B}[\(codes)m\(piece.text)\u{1B}[0m"
        }
        return output
    }

    /// The parameters of Select Graphic Rendition, ECMA-48 8.3.117.
    private func codes(_ style: TextStyle) -> String {
        let color = hasColors || style.role == .secondary ? Self.colors[style.role] : nil
        return [style.isBold ? "1" : nil, color].compactMap(\.self).joined(separator: ";")
    }

    private static let colors: [TextStyle.Role: String] = [
        .secondary: "2", .accent: "36", .open: "32", .soon: "33", .warning: "31",
    ]
}
