import Testing

@testable import sooke

@Suite struct OriginTextTests {
    @Test(arguments: [
        "https://town.example", "http://localhost:8080", "http://127.0.0.1:3000", "http://[::1]:8080", "*", "null",
        "capacitor://localhost", "chrome-extension://abcdefgh", "HTTPS://Town.Example", "http://town.example:443",
        "https://xn--caf-dma.example", "http://my_machine", "https://town.example:8443",
    ])
    func canMatch(text: String) {
        #expect(OriginText.isValid(text))
    }

    @Test(
        arguments: [
            ("https://a b", nil), ("https://a\tb", nil), ("https://a\nb", nil), ("https://", nil),
            ("https://a\"b", nil),
            ("https://a:b", nil), ("https://a:70000", nil), ("https://a:", "write https://a"), ("*", nil),
            ("https://town.example/", "write https://town.example"), ("town.example", "write https://town.example"),
            ("https://caf\u{E9}.example", "write the host as browsers send it, with xn--"),
        ] as [(String, String?)])
    func isNoSite(text: String, advice: String?) {
        #expect(!OriginText.isSite(text))
        #expect(OriginText.siteAdvice(for: text) == advice)
    }

    @Test(
        arguments: [
            ("town.example", "write https://town.example"), ("localhost:3000", "write http://localhost:3000"),
            ("127.0.0.1", "write http://127.0.0.1"), ("[::1]:80/", "write http://[::1]"),
            ("https://town.example/", "write https://town.example"),
            ("https://town.example/app", "write https://town.example"),
            ("https://town.example?x=1", "write https://town.example"),
            ("https://town.example#top", "write https://town.example"),
            ("https://Town.Example/", "write https://town.example"),
            ("https://town.example:443", "write https://town.example"),
            ("http://town.example:80/", "write http://town.example"),
            ("http://town.example:08080", "write http://town.example:8080"),
            ("http://town.example:", "write http://town.example"),
            ("https://ada@town.example", "write https://town.example"),
            (" https://town.example ", "write https://town.example"),
            (
                "https://a.example https://b.example",
                "repeat the option for each site; the environment has commas between them"
            ),
            (
                "https://a.example,https://b.example",
                "repeat the option for each site; the environment has commas between them"
            ),
            ("https://*.town.example", "* stands alone, for all sites"),
            ("https://caf\u{E9}.example", "write the host as browsers send it, with xn--"),
            ("https://", nil), ("://town.example", nil), ("https:/town.example", nil), ("http://a:70000", nil),
            ("http://a:b", nil), ("http://[::1", nil), ("http://[town]", nil), ("https://a\"b", nil), (" ", nil),
        ] as [(String, String?)])
    func neverMatches(text: String, advice: String?) {
        #expect(!OriginText.isValid(text))
        #expect(OriginText.advice(for: text) == advice)
    }
}
