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

    @Test(arguments: [("N/A", true), ("no phone", true), ("TBD", false), ("unknown", false), ("?", false)])
    func wordsForNothingWithoutPromises(text: String, isNothing: Bool) {
        #expect(CellText.isNothing(text, countsPromises: false) == isNothing)
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
        ("Music (https://walk.example/music)", "Music"), ("Live Music https://walk.example", "Live Music"),
        ("https://walk.example", "https://walk.example"), ("Arts & Culture", "Arts & Culture"), ("A // B", "A // B"),
        ("", ""),
    ])
    func linksBehindNames(text: String, name: String) {
        #expect(CellText.withoutLink(text) == name)
    }

    @Test(arguments: [
        ("  Pub ", "Pub"), ("\u{A0}Pub\u{200B}", "Pub"), ("The\nPub\r\n", "The Pub"), ("Café", "Café"), ("", ""),
        ("a  b", "a  b"), ("a\u{A0}b\tc", "a b c"), ("a\u{2028}b\u{85}c", "a b c"), ("a – “b”", "a – “b”"),
    ])
    func lines(text: String, line: String) {
        #expect(CellText.oneLine(text) == line)
    }

    @Test(arguments: [
        ("mailto:a@b.example", "a@b.example"), ("Ada <a@b.example>", "a@b.example"), ("a@b.example", "a@b.example"),
        ("mailto:a@b.example?subject=Hi", "a@b.example"), ("a?b@c.example", "a?b@c.example"),
    ])
    func emails(text: String, email: String) {
        #expect(CellText.email(text) == email)
    }

    @Test(arguments: [
        ("tel:+1-250-642-7777", "+1-250-642-7777"), ("2506421234.0", "2506421234"), ("250.642.1234", "250.642.1234"),
        ("1.0", "1"), (".0", ".0"), ("'2506421234", "2506421234"),
    ])
    func phones(text: String, phone: String) {
        #expect(CellText.phone(text) == phone)
    }

    @Test(arguments: [
        ("RRULE:FREQ=WEEKLY; BYDAY=MO, TU", "FREQ=WEEKLY;BYDAY=MO,TU"), ("every Tuesday", "every Tuesday"),
    ])
    func rules(text: String, rule: String) {
        #expect(CellText.rule(text) == rule)
    }

    @Test(
        arguments: [
            ("250-555-0101 250-555-0102", ["250-555-0101", "250-555-0102"]), ("+1 250 555 0101 ext 1234", nil),
            ("555-0101 cell 555-0102", ["555-0101", "cell 555-0102"]), ("+44 20 7946 0958", nil),
            ("250-555-0101 or 02", nil),
        ] as [(String, [String]?)])
    func severalPhones(text: String, phones: [String]?) {
        #expect(CellList.values(in: text, .phone) == phones)
    }

    @Test(
        arguments: [
            ("a.example", nil), ("Loft <a.example>", ["a.example"]),
            ("a.example (b.example)", ["a.example", "b.example"]),
            ("https://a.example/x(y)", nil), ("(a.example)", nil), ("a.example,", nil),
        ] as [(String, [String]?)])
    func websitesAmongWords(text: String, sites: [String]?) {
        #expect(CellList.values(in: text, .website) == sites)
    }
}
