import Testing

@testable import Site

@Suite struct HTMLTests {
    private func text(_ html: HTML) -> String { String(decoding: html.bytes, as: UTF8.self) }

    @Test(arguments: [
        ("plain text, é and 日本", "plain text, é and 日本"), ("a & b < c > d", "a &amp; b &lt; c &gt; d"),
        ("\"quoted\" and 'quoted'", "&#34;quoted&#34; and &#39;quoted&#39;"),
        ("</script><script>alert(1)</script>", "&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;"),
        ("a\rb\nc\0d", "a&#13;b\nc\u{FFFD}d"), ("", ""), ("&", "&amp;"),
    ])
    func texts(text: String, escaped: String) {
        #expect(self.text("<p title=\"\(text)\">\(text)</p>") == "<p title=\"\(escaped)\">\(escaped)</p>")
    }

    @Test func parts() {
        let row: (Int) -> HTML = { "<li>\($0)</li>" }
        #expect(text("<ul>\(each: 1...3, row)</ul>") == "<ul><li>1</li><li>2</li><li>3</li></ul>")
        let none: Int? = nil
        #expect(text("<ul>\(if: none, row)\(if: 4, row)</ul>") == "<ul><li>4</li></ul>")
        #expect(text("<a\(attribute: "hidden", if: true)\(attribute: "id=x", if: false)>") == "<a hidden>")
        #expect(text("<a href=\"/b/\(path: "a/b?c&d é")\">") == "<a href=\"/b/a%2Fb%3Fc%26d%20%C3%A9\">")
        #expect(text(.data(Array(#"{"a":"</script>"}"#.utf8))).contains(#"{"a":"\u003c/script>"}"#))
    }

    /// Where an insertion stands after some markup, and what may be inserted there.
    @Test(arguments: [
        ("<p>", [MarkupContext.Insertion.text, .markup]), ("<p>a</p>\n", [.text, .markup]),
        ("<!doctype html><html lang=\"en\">", [.text, .markup]), ("<!-- a > b -->", [.text, .markup]),
        ("<script src=\"/a.js\"></script>", [.text, .markup]), ("<br/>", [.text, .markup]), ("<p class=\"", [.text]),
        ("<p class='a ", [.text]), ("<input value=\"\"", [.attribute]), ("<input", [.attribute]),
        ("<input ", [.attribute]), ("<a href=\"", [.address]), ("<a href=\"/a/", [.partOfAddress]),
        ("<a href=\"?q=", [.partOfAddress]), ("<form action=\"/", []),
        ("<a href=\"//", []),
        ("<a href=\"javascript:", []), ("<p class=", []), ("<p class=a", []), ("<p onclick=\"", []),
        ("<p style=\"", []), ("<", []), ("<!-- ", []), ("<script>", []),
        ("<script type=\"application/ld+json\">{", []), ("<style>", []),
    ])
    func places(markup: String, allowed: [MarkupContext.Insertion]) {
        var context = MarkupContext()
        context.read(markup.utf8)
        for insertion in [MarkupContext.Insertion.text, .markup, .attribute, .partOfAddress, .address] {
            #expect(context.allows(insertion) == allowed.contains(insertion), "\(insertion) after \(markup)")
        }
    }

    @Test func unsafeInsertionsTrap() async {
        await #expect(processExitsWith: .failure) { _ = "<script>let a = '\("text")'</script>" as HTML }
        await #expect(processExitsWith: .failure) { _ = "<a href=\"\("javascript:alert(1)")\">a</a>" as HTML }
        await #expect(processExitsWith: .failure) { _ = "<p class=\("a onclick=b")>a</p>" as HTML }
        await #expect(processExitsWith: .failure) { _ = "<p class=\"" as HTML + "\("a")" as HTML }
    }
}
