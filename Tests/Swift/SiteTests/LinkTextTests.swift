import Foundation
import SookeModel
import Testing

@testable import Site

/// The fields whose text becomes a link: which link, if any.
@Suite struct LinkTextTests {
    /// Writes a field of a business with each text, and compares the links of its page that are not there without it.
    /// Nil stands for a text that the field does not take.
    private func check(_ field: String, _ rows: [(String, [String]?)]) async throws {
        let town = try await SiteTown()
        let before = Set(Markup(try await town.page("/businesses/anchor")).addresses)
        for (text, shown) in rows {
            let record = #"{"slug":"anchor","\#(field)":\#(SiteTown.json(text))}"#
            guard let shown else {
                await #expect(throws: FieldProblems.self, "\(text)") { try await town.write([(.business, record)]) }
                continue
            }
            try await town.write([(.business, record)])
            let page = Markup(try await town.page("/businesses/anchor"))
            let handlers = page.tags.flatMap { $0.attributes.map(\.name) }.filter { $0.hasPrefix("on") }
            #expect(page.problems == [] && handlers == [])
            #expect(page.addresses.filter { !before.contains($0) } == shown, "\(text)")
        }
    }

    @Test func websites() async throws {
        try await check(
            "website",
            [
                ("https://a.example/?b=c&d='e'", ["https://a.example/?b=c&d='e'"]),
                ("HTTPS://A.example", ["HTTPS://A.example"]), ("http://a.example", ["http://a.example"]),
                (#"https://a.example/"onclick="alert(1)"#, [#"https://a.example/"onclick="alert(1)"#]),
                ("https://a.example/</a><script>", ["https://a.example/</a><script>"]), ("", []),
                ("javascript:alert(1)", nil), ("JAVASCRIPT:alert(1)", nil),
                ("javascript://https://a.example/%0Aalert(1)", nil),
                (" https://a.example", nil), ("https://a.example\njavascript:1", nil), ("java\tscript:alert(1)", nil),
                ("data:text/html,<script>alert(1)</script>", nil), ("vbscript:x", nil), ("file:///etc/passwd", nil),
                ("//a.example", nil), ("a.example", nil), ("https:a.example", nil), ("https://", nil),
                ("ftp://a.example", nil),
                ("\u{202E}https://a.example", nil), ("\u{FEFF}https://a.example", nil), ("hｔtps://a.example", nil),
                ("mailto:a@b.example", nil), ("tel:1", nil), ("https\u{0301}://a.example", nil),
            ])
    }

    @Test func phones() async throws {
        try await check(
            "phone",
            [
                ("250-555-0101", ["tel:2505550101"]), ("+1 (250) 555-0101", ["tel:+12505550101"]),
                ("250-555-0101 or 0102", ["tel:2505550101"]), ("ask Mia", []), ("", []),
                ("1\"><script>alert(2)</script>", ["tel:1"]), ("javascript:alert(1)", []),
                ("5;phone-context=evil", ["tel:5"]), ("1-800-FLOWERS", ["tel:18003569377"]),
                ("+1 800 GO FEDEX", ["tel:+18004633339"]), ("1-800-CONTACTS", ["tel:18002668228"]),
                ("1-800-Flowers ext. 5", ["tel:18003569377"]), ("1-250-555-TAXI", ["tel:12505558294"]),
                ("(250) 555-TAXI", ["tel:2505558294"]), ("250-555-0101 ext. 5", ["tel:2505550101"]),
                ("250-555-0101 x5", ["tel:2505550101"]), ("250-555-0101 #5", ["tel:2505550101"]),
                ("250-555-0101, 5", ["tel:2505550101"]), ("555-0101 Ada", ["tel:5550101"]),
                ("555-0101 ADA", ["tel:5550101"]), ("911 or 811", ["tel:911"]), ("911 SERVICE", ["tel:911"]),
                ("112 EMERGENCY", ["tel:112"]), ("911-EMERGENCY", ["tel:911"]),
                ("555*21#", ["tel:55521"]), ("\u{0661}\u{0662}\u{0663}", []), ("\u{202E}1010-555", ["tel:1010555"]),
            ])
    }

    @Test func emails() async throws {
        try await check(
            "email",
            [
                ("a@b.example", ["mailto:a@b.example"]),
                ("o'neil+x&y@b.example", ["mailto:o%27neil%2Bx%26y@b.example"]),
                ("a?bcc=c%40d@b.example", ["mailto:a%3Fbcc%3Dc%2540d@b.example"]), ("", []), ("a", nil), ("a@", nil),
                ("javascript:alert(1)@b.example", nil), ("a@b.example,c@d.example", nil), ("\"a\"@b.example", nil),
                ("<a@b.example>", nil), ("a b@c.example", nil), ("a@b@c.example", nil),
                ("a@b.example\nBcc: c@d.example", nil),
            ])
    }
}
