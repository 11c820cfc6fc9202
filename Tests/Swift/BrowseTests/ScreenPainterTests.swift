import Testing
import ViewTree

@testable import sooke_browse

@Suite struct ScreenPainterTests {
    @Test func onlyChangedLinesAreDrawn() {
        var painter = ScreenPainter(hasColors: true)
        let first = painter.paint([StyledLine("a"), StyledLine("b", TextStyle(role: .open))])
        #expect(first.contains("\u{1B}[1;1H\u{1B}[Ka") && first.contains("\u{1B}[32mb\u{1B}[0m"))
        let second = painter.paint([StyledLine("a"), StyledLine("c")])
        #expect(second == "\u{1B}[?25l\u{1B}[2;1H\u{1B}[Kc")
        painter.forget()
        #expect(painter.paint([StyledLine("a"), StyledLine("c")]).contains("\u{1B}[1;1H\u{1B}[Ka"))
    }

    @Test func noColorsButBold() {
        var painter = ScreenPainter(hasColors: false)
        let output = painter.paint([
            StyledLine("a", TextStyle(role: .warning, isBold: true)), StyledLine("b", TextStyle(role: .open)),
        ])
        #expect(output.contains("\u{1B}[1ma\u{1B}[0m"))
        #expect(!output.contains("[31") && !output.contains("[32"))
    }

    @Test func theCursorIsShownInAField() {
        var painter = ScreenPainter(hasColors: false)
        var line = StyledLine("name")
        line.cursor = 2
        #expect(painter.paint([StyledLine("top"), line]).hasSuffix("\u{1B}[2;3H\u{1B}[?25h"))
    }
}
