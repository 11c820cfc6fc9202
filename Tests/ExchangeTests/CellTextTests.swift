import Testing

@testable import Exchange

/// What spreadsheets and people put around a value.
@Suite struct CellTextTests {
    @Test(arguments: [
        ("N/A", true), ("none", true), ("-", true), ("—", true), (" TBD ", true), ("", false), ("0", false),
        ("Nanaimo", false), ("-1", false), ("No. 5", false),
    ])
    func wordsForNothing(text: String, isNothing: Bool) {
        #expect(CellText.isNothing(text) == isNothing)
    }

    @Test(arguments: [
        ("=\"250-642-1234\"", "250-642-1234"),
        ("=HYPERLINK(\"https://cafe.example\",\"site\")", "https://cafe.example"),
        ("=1+1", "=1+1"), ("plain", "plain"), ("", ""),
    ])
    func formulas(text: String, value: String) {
        #expect(CellText.withoutFormula(text) == value)
    }

    @Test(arguments: [
        ("  Pub ", "Pub"), ("\u{A0}Pub\u{200B}", "Pub"), ("The\nPub\r\n", "The Pub"), ("Café", "Café"), ("", ""),
        ("a  b", "a  b"),
    ])
    func lines(text: String, line: String) {
        #expect(CellText.oneLine(text) == line)
    }

    @Test(arguments: [
        ("mailto:a@b.example", "a@b.example"), ("Ada <a@b.example>", "a@b.example"), ("a@b.example", "a@b.example"),
    ])
    func emails(text: String, email: String) {
        #expect(CellText.email(text) == email)
    }

    @Test(arguments: [
        ("tel:+1-250-642-7777", "+1-250-642-7777"), ("2506421234.0", "2506421234"), ("250.642.1234", "250.642.1234"),
        ("1.0", "1"), (".0", ".0"),
    ])
    func phones(text: String, phone: String) {
        #expect(CellText.phone(text) == phone)
    }
}
