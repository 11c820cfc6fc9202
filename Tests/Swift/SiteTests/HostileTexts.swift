import Foundation

/// What people type, paste or try into the fields of a directory.
enum HostileTexts {
    /// `SOOKE_HOSTILE_TEXTS=all` tries every text at every place; otherwise every one is at some.
    static let isShort = ProcessInfo.processInfo.environment["SOOKE_HOSTILE_TEXTS"] != "all"
    static let rounds = Array(stride(from: 0, to: all.count, by: isShort ? 6 : 1))

    /// The text of a field, by its number, in a round.
    static func text(of field: Int, in round: Int) -> String { all[(round + 5 * field) % all.count] }

    static let all = markup + attributes + addresses + separators + scripts + ordinary

    private static let markup = [
        "<script>alert(1)</script>", "</script><script>alert(1)</script>", "</ScRiPt >", "<img src=x onerror=alert(1)>",
        "<svg/onload=alert(1)>", "<b>bold</b>", "<!-- comment", "--> end", "<![CDATA[x]]>", "<?php echo 1 ?>", "<a",
        "a>b",
        "<<script>>", "</title></style></textarea></main>", "<style>*{display:none}</style>", "<iframe srcdoc='a'>",
        "<base href=//evil.example>", "<meta http-equiv=refresh content=0>", "<plaintext>", "<template><p>",
        "<!doctype x>",
    ]

    private static let attributes = [
        "\" onmouseover=\"alert(1)", "' onfocus='alert(1)", "\"><script>alert(1)</script>", "'><b>", "a\"b'c", "``",
        "`onclick=alert(1)`", "\" autofocus onfocus=alert(1) x=\"", "\\\" onclick=\\\"alert(1)", "x=y z", "\"", "'",
    ]

    private static let addresses = [
        "javascript:alert(1)", "JaVaScRiPt:alert(1)", "java\tscript:alert(1)", "data:text/html,<b>", "vbscript:x",
        "//evil.example", "https://evil.example/\"><b>", "../../admin", "?q=1&page=2#top", "%3Cscript%3E", "%00%0D%0A",
    ]

    private static let separators = [
        "a\nb", "a\rb\r\nc", "tab\there", "line\u{2028}and\u{2029}paragraph", "next\u{85}line", "\u{B}x\u{C}y",
        "bell\u{7} and escape\u{1B}[31m", "\u{7F}delete",
    ]

    private static let scripts = [
        "\u{202E}evil\u{202C}", "\u{2066}\u{2067}x", "שלום", "مرحبا", "é e\u{301}", "a\u{301}\u{302}\u{303}\u{304}",
        "日本語",
        "👩‍👩‍👧‍👦", "\u{FEFF}mark", "a\u{200B}b\u{200D}", "\u{FFFD}\u{FFFF}", "ﬁ ﷺ", "\u{E0001}tag",
    ]

    private static let ordinary = [
        "&amp; &lt;b&gt; &#60;", "AT&T", "&notanentity; &", "100% \\ off", "{{7*7}} ${7*7} #{7*7}",
        "\\u003cscript\\u003e",
        "' OR 1=1; --", "$(reboot)", "NULL", String(repeating: "long ", count: 90), String(repeating: "W", count: 450),
        String(repeating: "<", count: 300), String(repeating: "&\"", count: 150),
    ]
}
