import Testing
import ViewTree

@testable import sooke_browse

extension StyledLine {
    fileprivate var text: String { pieces.map(\.text).joined() }
}

@Suite struct ScreenLayoutTests {
    private func text(_ text: String) -> Content { .text(text, TextStyle()) }

    private func lines(_ content: Content, _ columns: Int, _ rows: Int) -> [String] {
        ScreenLayout(Screen(content: content), columns: columns, rows: rows).lines.map(\.text)
    }

    @Test func textsAreWrappedBetweenWords() {
        #expect(lines(text("one two three\n\nfour"), 8, 5) == ["one two", "three", "", "four", ""])
        #expect(lines(text("abcdefghij k"), 4, 4) == ["abcd", "efgh", "ij k", ""])
        #expect(lines(text("日本語日本"), 5, 3) == ["日本", "語日", "本"])
        #expect(lines(text("日"), 1, 1) == ["日"])
    }

    @Test func wideCharactersAreCountedByTheirCells() {
        let row = Content.horizontal([text("日本"), .spacer, text("x")])
        #expect(lines(row, 8, 1) == ["日本   x"])
        #expect(lines(.horizontal([text("e\u{301}t\u{e9}"), .spacer, text("👍🏽")]), 8, 1) == ["e\u{301}t\u{e9}   👍🏽"])
    }

    @Test func rowsShortenWhatIsLeft() {
        let row = Content.horizontal([text("Tide & Slack Marine Supply"), .spacer, text("? hours unknown")])
        #expect(lines(row, 30, 1) == ["Tide & Slack … ? hours unknown"])
        #expect(lines(row, 60, 1) == ["Tide & Slack Marine Supply                   ? hours unknown"])
        #expect(lines(row, 3, 1).map(\.count) == [3])
    }

    @Test func framesAlignColumns() {
        let rows = ["Shops", "Restaurants"].map { name in
            Content.horizontal([.framed(width: 8, text(name)), text("open")])
        }
        #expect(lines(.vertical(rows), 20, 2) == ["Shops    open", "Restaur… open"])
    }

    @Test func listsShowTheSelectedRow() {
        let rows = (0..<9).map { text("row \($0)") }
        let list = Content.vertical([text("top"), .list(rows, selected: 7), text("end")])
        #expect(lines(list, 10, 5) == ["top", "  row 6", "▸ row 7", "  row 8", "end"])
        #expect(
            lines(.vertical([.list([text("a")], selected: nil), .spacer, text("end")]), 5, 4) == ["  a", "", "", "end"])
    }

    @Test func rowsOfSeveralLinesAreInViewFromTheirStart() {
        let rows = (0..<4).map { text("row \($0)\n a\n b\n c") }
        #expect(lines(.list(rows, selected: 2), 12, 3) == ["▸ row 2", "   a", "   b"])
        #expect(lines(.list(rows, selected: 3), 12, 5).first == "   c")
    }

    @Test func longPartsLeaveTheRestInView() {
        let long = text(Array(repeating: "word", count: 40).joined(separator: "\n"))
        #expect(lines(.vertical([text("top"), long, text("end")]), 10, 4) == ["top", "word", "word", "end"])
    }

    @Test func fieldsShowTheCursor() {
        func line(_ text: String, _ cursor: Int?, _ width: Int) -> StyledLine? {
            let field = Content.field(text, prompt: "name", cursor: cursor)
            return ScreenLayout(Screen(content: field), columns: width, rows: 1).lines.first
        }
        #expect(line("", 0, 10)?.text == "name")
        #expect(line("", 0, 10)?.cursor == 0)
        #expect(line("日本", 1, 10)?.cursor == 2)
        #expect(line("abcdefgh", 8, 5)?.text == "efgh")
        #expect(line("abcdefgh", 8, 5)?.cursor == 4)
        #expect(line("abcdefgh", nil, 5)?.text == "abcd…")
        #expect(line("abcdefgh", nil, 5)?.cursor == nil)
    }

    @Test func keysAreInAsManyLinesAsNeeded() {
        let keys = Content.horizontal([
            .button("open", key: .enter, isEnabled: true), .button("search", key: .character("/"), isEnabled: true),
            .button("save", key: .control("s"), isEnabled: false),
        ])
        #expect(lines(keys, 20, 2) == ["⏎ open  / search", "^S save"])
    }

    @Test func sheetsCoverTheContent() {
        let screen = Screen(content: text("below"), sheets: [text("first"), text("top")])
        #expect(ScreenLayout(screen, columns: 9, rows: 1).lines.map(\.text) == ["top"])
    }

    /// A name in the directory must not control the terminal of its reader.
    @Test(arguments: ["a\u{1B}[31mb", "a\u{9B}2Jb", "a\u{7}b", "a\rb", "\u{202E}ab", "a\u{0}b"])
    func controlsAreReplaced(name: String) {
        let output = lines(.horizontal([text(name)]), 20, 1).joined()
        #expect(output.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control && $0.value != 0x202E })
    }

    @Test(arguments: 1...30) func nothingIsWiderThanTheScreen(columns: Int) {
        let content = Content.vertical([
            .horizontal([text("日本語 café"), .spacer, .framed(width: 12, text("Restaurants")), text("● open")]),
            .divider, .field("日本語日本語", prompt: "", cursor: 5), text("two words 日本語"),
            .list([text("日本語日本語日本語"), .horizontal([text("a"), .spacer, text("b")])], selected: 0),
            .button("quit", key: .character("q"), isEnabled: true),
        ])
        let lines = ScreenLayout(Screen(content: content), columns: columns, rows: 9).lines
        #expect(lines.count == 9)
        // A wide character alone may not fit in one column.
        if columns > 3 { #expect(lines.allSatisfy { $0.width <= columns }) }
    }
}
