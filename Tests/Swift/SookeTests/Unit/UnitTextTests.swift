import Testing

@testable import sooke

@Suite struct UnitTextTests {
    @Test(arguments: [
        ("/var/lib/sooke", "/var/lib/sooke"),
        ("https://town.example:8443", "https://town.example:8443"),
        ("100%", "100%%"),
        ("%h/$HOME", "%%h/$HOME"),
        ("a town", "\"a town\""),
        ("a \"b\" \\c", "\"a \\\"b\\\" \\\\c\""),
        (";", "\";\""), ("#x", "\"#x\""), ("'x'", "\"'x'\""),
        ("é", "\"é\""),
        ("one\ntwo\u{7F}", "\"one\\x0atwo\\x7f\""),
    ])
    func words(text: String, word: String) {
        #expect(UnitText.word(text) == word)
    }

    /// Only arguments have variables.
    @Test func commandLines() {
        #expect(
            UnitText.commandLine("/opt/$x y/sooke", ["serve", "${HOME}", "$", "a $b"])
                == "\"/opt/$x y/sooke\" serve \"$${HOME}\" $$ \"a $$b\"")
    }
}
