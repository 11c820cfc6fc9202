import Testing
import ViewTree

extension Tree {
    /// The texts on the screen, line by line, with `▸` before a selected row and `|` at the cursor.
    var lines: [String] { screen.content.lines }

    /// The texts of the topmost sheet; nil if none is presented.
    var sheetLines: [String]? { screen.sheets.last?.lines }

    /// Presses the keys that type a text.
    func type(_ text: String) {
        for character in text { press(.character(character)) }
    }

    /// Lets the tasks of the main actor run until a condition holds, for a bounded number of turns.
    func turns(sourceLocation: SourceLocation = #_sourceLocation, until condition: () -> Bool) async {
        for _ in 0..<1000 where !condition() { await Task.yield() }
        #expect(condition(), "\(lines) \(sheetLines ?? [])", sourceLocation: sourceLocation)
    }
}

extension Content {
    /// The content as a simple renderer shows it.
    fileprivate var lines: [String] {
        switch self {
        case .text(let text, _): [text]
        case .vertical(let parts): parts.flatMap(\.lines)
        case .horizontal(let parts): [parts.flatMap(\.lines).joined(separator: " ")]
        case .spacer, .divider: []
        case .framed(_, let content): content.lines
        case .list(let rows, let selected):
            rows.enumerated().flatMap { index, row in row.lines.map { (index == selected ? "▸" : "") + $0 } }
        case .field(let text, let prompt, let cursor): [Self.field(text, prompt, cursor)]
        case .button(let title, _, let isEnabled): [isEnabled ? "[\(title)]" : "(\(title))"]
        }
    }

    private static func field(_ text: String, _ prompt: String, _ cursor: Int?) -> String {
        guard let cursor else { return "\(prompt): \(text)" }
        return "\(prompt): \(text.prefix(cursor))|\(text.dropFirst(cursor))"
    }
}
