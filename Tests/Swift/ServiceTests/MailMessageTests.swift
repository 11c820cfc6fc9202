import Testing

@testable import Service

@Suite struct MailMessageTests {
    @Test(arguments: [
        ("ada@town.example", true), ("ada+news@town.example", true), ("zoë@town.example", true), ("ada", false),
        ("ada@town.example,bob@town.example", false), ("ada@town.example;bob", false), ("a,b@town.example", false),
        ("Ada <ada@town.example>", false), ("<ada@town.example>", false), ("\"a b\"@town.example", false),
        ("friends:ada@town.example", false), ("ada@town.example\nBcc: b", false), ("ada(x)@town.example", false),
        ("a\\b@town.example", false), ("ada@@town.example", false), ("", false),
    ])
    func takesOneAddress(text: String, isOne: Bool) { #expect(MailMessage.isAddress(text) == isOne) }

    @Test(arguments: [
        ("Your account", "Your account"), ("One\r\nBcc: b", "=?utf-8?Q?One=20=20Bcc=3A=20b?="),
        ("Zoë", "=?utf-8?Q?Zo=C3=AB?="), ("a=b_c?", "=?utf-8?Q?a=3Db=5Fc=3F?="),
        (
            String(repeating: "ë", count: 11),
            "=?utf-8?Q?" + String(repeating: "=C3=AB", count: 10) + "?=\n =?utf-8?Q?=C3=AB?="
        ),
    ])
    func encodesHeaders(text: String, header: String) { #expect(MailMessage.encoded(text) == header) }

    @Test(arguments: [
        ("plain", "plain\n"), ("a=b", "a=3Db\n"), ("ends with a space ", "ends with a space=20\n"),
        ("é\n", "=C3=A9\n\n"),
        (String(repeating: "x", count: 80), String(repeating: "x", count: 75) + "=\nxxxxx\n"), ("\r\n.", "=0D\n.\n"),
    ])
    func encodesTexts(text: String, body: String) {
        #expect(String(decoding: MailMessage.quotedPrintable(text), as: UTF8.self) == body)
    }
}
