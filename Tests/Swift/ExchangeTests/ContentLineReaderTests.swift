import Testing

@testable import Exchange

@Suite struct ContentLineReaderTests {
    private func lines(_ text: String) -> [ContentLine] { Array(ContentLineReader(Array(text.utf8))) }

    @Test(arguments: [
        ("FN:Pub", "FN", "Pub"), ("fn:Pub", "FN", "Pub"), ("item1.TEL:1", "TEL", "1"), ("X-A_b:", "X-A_B", ""),
        ("URL:https://a.example/?b;c", "URL", "https://a.example/?b;c"), ("NOTE: a : b ", "NOTE", " a : b "),
        ("TEL;TYPE=work:1", "TEL", "1"), ("A;B=\"x:y;z\":1", "A", "1"),
        // No content lines.
        ("Hello", "", "Hello"), ("Hello you: there", "", "Hello you: there"), (":x", "", ":x"), ("a.:x", "", "a.:x"),
        ("A;B=c", "", "A;B=c"), ("A;B", "", "A;B"),
    ])
    func lines(text: String, name: String, value: String) {
        #expect(lines(text).map(\.name) == [name])
        #expect(lines(text).map(\.value) == [value])
    }

    @Test(arguments: [
        ("A;TYPE=work,voice:", ["TYPE=work|voice"]), ("A;type=work;TYPE=voice:", ["TYPE=work", "TYPE=voice"]),
        ("A;X=\"a:b;c,d\",e:", ["X=a:b;c,d|e"]), ("A;X=:", ["X="]), ("A;X=a^nb^^c^'d^e^:", ["X=a\nb^c\"d^e^"]),
        ("A;X=\"^'a^'\":", ["X=\"a\""]),
        // vCard 2.1.
        ("TEL;WORK;VOICE:", ["TYPE=WORK", "TYPE=VOICE"]), ("A;BASE64:", ["ENCODING=BASE64"]),
        // A quote that does not end is a character.
        ("A;X=\"a;Y=b:", ["X=\"a", "Y=b"]), ("A;X=\"a\"b:", ["X=\"a\"b"]),
    ])
    func parameters(text: String, expected: [String]) {
        let parameters = lines(text).first?.parameters ?? []
        #expect(parameters.map { "\($0.name)=\($0.values.joined(separator: "|"))" } == expected)
    }

    @Test(arguments: ["\r\n", "\n", "\r"]) func foldedLines(end: String) {
        let text = ["A:one", " two", "\tthree", "", "B:", " ", "  x", "C:y", ""].joined(separator: end)
        #expect(lines(text).map(\.value) == ["onetwothree", " x", "y"])
        #expect(lines(text).map(\.number) == [1, 5, 8])
    }

    @Test func nothingContinuesABlankLine() {
        #expect(lines(" \n\tA:one\n\n B:two\n  three\n").map(\.value) == ["one", "two three"])
    }

    @Test func aCharacterMayBeDivided() {
        let bytes = Array("A:é".utf8)
        #expect(ContentLineReader(bytes.dropLast() + Array("\r\n ".utf8) + bytes.suffix(1)).map(\.value) == ["é"])
    }

    @Test(arguments: [
        ("N;QUOTED-PRINTABLE:Caf=C3=A9", "Café"), ("N;ENCODING=quoted-printable;CHARSET=UTF-8:a=0D=0Ab", "a\r\nb"),
        ("N;QUOTED-PRINTABLE:one=\r\ntwo=\r\n three", "onetwo three"),
        ("N;QUOTED-PRINTABLE;CHARSET=ISO-8859-1:Caf=E9", "Café"),
        ("N;QUOTED-PRINTABLE:Jo=92s =96 caf=E9", "Jo’s – café"),
        ("N;QUOTED-PRINTABLE:a=20b=\r\n c=\r\n d", "a bcd"), ("N;QUOTED-PRINTABLE:a b\r\n =\r\nc", "a bc"),
        ("N;QUOTED-PRINTABLE:a=\r\nb\r\n c", "abc"),
        ("N;QUOTED-PRINTABLE:a=", "a="), ("N;QUOTED-PRINTABLE:a=ZZ=4", "a=ZZ=4"), ("N:a=C3", "a=C3"),
    ])
    func quotedPrintable(text: String, value: String) {
        #expect(lines(text).map(\.value) == [value])
    }

    @Test(arguments: [
        (#"a\, b\; c\\d\ne\Nf"#, "a, b; c\\d\ne\nf"), (#"https\://a"#, "https://a"), (#"C:\temp\"#, #"C:\temp\"#),
        ("é", "é"),
    ])
    func texts(value: String, text: String) {
        #expect(ContentText.unescape(value) == text)
    }

    @Test func lists() {
        #expect(lines(#"A:a\,b,c,,\\,d"#).first?.texts(at: ",") == ["a,b", "c", "", "\\", "d"])
        #expect(lines(#"A:;;1 Wharf St\; B;Sooke"#).first?.texts(at: ";") == ["", "", "1 Wharf St; B", "Sooke"])
        #expect(lines("A:").first?.texts(at: ",") == [""])
    }
}
