import Testing

@testable import Exchange

/// Texts of other programs, with HTML and control characters.
@Suite struct PlainTextTests {
    @Test(arguments: [
        ("Doors 7&nbsp;pm<br>Cost: $5<ul><li>kids free</li></ul>", "Doors 7 pm\nCost: $5\nkids free"),
        ("<p>One</p><p>Two</p>", "One\n\nTwo"), ("One<br />\nTwo<br><br><br>Three", "One\nTwo\n\nThree"),
        ("<div>One</div>\n<div>Two</div>", "One\nTwo"), ("Tom &amp; Jo&#39;s &#x263A;", "Tom & Jo's ☺"),
        ("<a href=\"https://a.example/?x=1&amp;y=2\">Map</a>", "Map (https://a.example/?x=1&y=2)"),
        ("<a target=_blank href='//a.example'>Map</a>", "Map (https://a.example)"),
        ("<a href=\"https://a.example\"></a>", "https://a.example"),
        ("<a href=\"https://a.example/\">https://a.example</a>", "https://a.example"),
        ("<a href=\"#top\">Up</a>", "Up"), ("<a href=\"tel:+1250\">Call</a>", "Call (+1250)"),
        (
            "<a href=\"https://www.google.com/url?q=https://a.example/b%3Fc&amp;sa=D\">X</a>",
            "X (https://a.example/b?c)"
        ),
        ("<style>p{}</style>A<!-- b -->C", "AC"), ("<td>a</td><td>b</td>", "a b"), ("&#150;&#151;&#128;", "–—€"),
        ("&lt;b&gt;A&lt;/b&gt; &amp;amp; B", "A & B"), ("a&amp;nbsp;b&nbsp;", "a b"),
        ("<![CDATA[<b>A</b> &amp; B]]> C", "A & B C"), ("<!DOCTYPE html><p>A</p>", "A"), ("A<o:p> </o:p>", "A"),
        ("<html-blob>A</html-blob>", "A"), ("<svg><path/></svg>A", "A"), ("a&shy;b", "ab"), ("a\r\nb\rc", "a\nb\nc"),
        ("it\u{92}s", "it’s"), ("&eacute;&Eacute;&yuml;&sect;", "éÉÿ§"),
    ])
    func isMarkup(text: String, plain: String) {
        #expect(PlainText.of(text) == plain)
    }

    @Test(arguments: [
        "a < b", "AT&T", "R&B; blues", "I <3 you", "<ada@town.example>", "x <b", "a <b and c> d", "&unknown;", "&#xZZ;",
        "&;", "a ]]> b", "<! a >", "<x-y> <h:z>", "5 & 6", "<unknown>x</unknown>", "  spaces  stay  ", "é < ü",
    ])
    func isText(text: String) {
        #expect(PlainText.of(text) == text)
    }

    /// Text that could take quadratic time.
    @Test(arguments: [
        "<!doctype", "<![CDATA[", "<![CDATA[]]>", "<b ", "<b \"", "<a href=\"x\">", "&amp", "<!--", "<script>", "<br>",
        "<p>\n\n", "<b a='\"", "&#",
    ])
    func anyTextTakesLinearTime(piece: String) {
        let text = String(repeating: piece, count: 5_000)
        #expect(ContinuousClock().measure { _ = PlainText.of(text) } < .seconds(20))
    }
}
