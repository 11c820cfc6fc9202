import TestSupport
import Testing

@testable import Exchange

/// Text that a spreadsheet would run is written so that it does not, and is read back unchanged.
@Suite struct FormulaGuardTests {
    static let texts: [(text: String, cell: String)] = [
        ("", ""), ("Pub", "Pub"), ("=HYPERLINK(\"http://evil.example\")", "'=HYPERLINK(\"http://evil.example\")"),
        ("+1 250-555-0101", "'+1 250-555-0101"), ("-5", "-5"), ("-123.73", "-123.73"), ("-1e-7", "-1e-7"),
        ("'-5", "'-5"), ("-5+1", "'-5+1"), ("-nan", "'-nan"), ("-", "'-"), ("@home", "'@home"), ("\tx", "'\tx"),
        ("\r=1", "'\r'=1"), ("'=1", "''=1"), ("''=1", "'''=1"), ("'Tis the season", "'Tis the season"), ("'", "'"),
        ("a=b", "a=b"), (" =1", " =1"),
        // For a spreadsheet with semicolons as separators, each of these contains a second cell.
        ("soup;=1+1", "soup;'=1+1"), ("soup;'=1+1", "soup;''=1+1"), ("soup;\"=1+1\"", "soup;'\"=1+1\""),
        ("soup;-5;+5;@x;\ty", "soup;-5;'+5;'@x;'\ty"), ("soup; =1", "soup; =1"),
        ("soup\n=1\r\n-x", "soup\n'=1\r\n'-x"), ("=1;=2", "'=1;'=2"), ("-5;x", "'-5;x"), ("a=b;c", "a=b;c"),
    ]

    @Test(arguments: texts)
    func guardsFormulas(text: String, cell: String) {
        #expect(FormulaGuard.guarded(text) == cell)
        #expect(FormulaGuard.unguarded(cell) == text)
    }

    @Test func everyTextIsReadBack() {
        var random = SplitMix64(seed: 1236)
        for _ in 0..<5_000 {
            let text = random.text(upTo: 8)
            #expect(Array(FormulaGuard.unguarded(FormulaGuard.guarded(text)).utf8) == Array(text.utf8))
        }
    }
}
