import SookeModel
import Testing

@testable import Exchange

/// UTF-8 that a program read in another encoding.
@Suite struct MojibakeTests {
    private static func repaired(_ text: String) -> (text: String, warnings: [String]) {
        var (text, warnings) = (text, FieldProblems())
        Mojibake.repair(&text, "name", &warnings)
        return (text, warnings.all.map(\.message))
    }

    /// Reads the bytes of a text as windows-1252, as a spreadsheet does with a file without a byte order mark.
    private static func misread(_ text: String) -> String {
        let scalars = text.utf8.map { byte in
            let scalar = Windows1252.scalar(byte)
            return scalar == "\u{FFFD}" ? Unicode.Scalar(byte) : scalar
        }
        return String(String.UnicodeScalarView(scalars))
    }

    @Test(arguments: [
        ("CafÃ© BÃ¤r", "Café Bär"), ("Itâ€™s Fish", "It’s Fish"), ("Ã–sterreich", "Österreich"), ("CAFÃ‰", "CAFÉ"),
        ("ESPAÃ‘A", "ESPAÑA"), ("HÃ”TEL KÃ–LN", "HÔTEL KÖLN"), ("CAFÉ’S CafÃ©", "CAFÉ’S Café"),
        ("CafÃ© カフェ é", "Café カフェ é"), ("The ownerâ€™s cafÃƒÂ©", "The owner’s café"),
        ("Noâ€œs", "No“s"), ("Tea â€“ 5 â‚¬, Brandâ„¢", "Tea – 5 €, Brand™"), ("12Â\u{A0}Â°C", "12\u{A0}°C"),
        ("VoilÃ\u{A0}", "Voilà"),
        ("ðŸ¦€ Shack", "🦀 Shack"), ("GdaÅ„sk", "Gdańsk"), ("Ð§Ð°Ð¹", "Чай"), ("ã‚«ãƒ•ã‚§", "カフェ"),
        // Read as Latin-1, with controls.
        ("â\u{80}\u{9C}Noâ\u{80}\u{9D}", "“No”"), ("Ã\u{81}rbol", "Árbol"),
        // Twice, and three times.
        ("CafÃƒÂ©", "Café"), ("ItÃ¢â‚¬â„¢s", "It’s"), ("CafÃƒÆ’Ã‚Â©", "Café"),
    ])
    func isRepaired(broken: String, text: String) {
        let found = Self.repaired(broken)
        #expect(found.text == text)
        #expect(found.warnings == ["\"\(broken)\" was in another encoding, and is read as \"\(text)\""])
    }

    @Test(arguments: [
        "Café Bär", "It’s Fish", "naïve façade", "Ångström", "São João", "IRMÃ’S", "“ROMÃ”", "CAFÉ’S", "CAFÉ®",
        "Â la carte",
        "À “gauche”", "Éclair…", "ÎLE", "ESPAÑA’S", "“Ñ”", "Crêpe – 5 €", "Ærø", "🦀🦀", "カフェ", "Чай", "Ωmega", "«Né»",
        "",
    ])
    func isMeantAsItIs(text: String) {
        let found = Self.repaired(text)
        #expect(found.text == text)
        #expect(found.warnings == [])
    }

    @Test(arguments: [
        "VoilÃ une fête", "Ã©🦀", "Itâ€s", "Caf\u{FFFD}",
    ])
    func isAskedAbout(text: String) {
        let found = Self.repaired(text)
        #expect(found.text == text)
        #expect(
            found.warnings == [
                "\"\(text)\" has characters of another encoding; correct them, or save the file as UTF-8"
            ])
    }

    @Test func whatIsLeftIsAskedAbout() {
        let found = Self.repaired("VoilÃ CafÃ©")
        #expect(found.text == "VoilÃ Café")
        #expect(
            found.warnings == [
                "\"VoilÃ CafÃ©\" was in another encoding, and is read as \"VoilÃ Café\", which has characters of "
                    + "another encoding; correct them, or save the file as UTF-8"
            ])
    }

    @Test(arguments: ["Crêpes à la Zoë – “très” bon, 5 €", "Ünïted Škoda™", "Ελλάδα", "Привет", "🎉 Fête"])
    func oneAndTwoMisreadingsAreUndone(text: String) {
        let once = Self.misread(text)
        #expect(Self.repaired(once).text == text)
        #expect(Self.repaired(Self.misread(once)).text == text)
    }
}
