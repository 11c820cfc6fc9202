import Testing

@testable import SookeModel

@Suite struct LinkTextTests {
    /// What may be links in a text; those with a scheme or `www.` have a star.
    @Test(arguments: [
        ("See https://WWW.Spam.Example/Offers?from=1#top.", ["spam.example/offers*"]),
        ("“www.spam.example.”, or (http://a.b:8080/c/)", ["spam.example*", "a.b/c*"]),
        ("spam.example, Sunday.Bring cake. 7.30 pm", ["spam.example", "sunday.bring", "7.30"]),
        ("ann@spam.example . .. https:// www. http://x", []),
        (
            #"{"url":"https://spam.example/a","description":"One.\nwww.b.example\tc.example"}"#,
            ["spam.example/a*", "b.example*", "c.example"]
        ),
        ("https://bücher.example/ÄÖ", ["bücher.example/äö*"]),
        (String(repeating: "a.", count: 200) + "b", []),
    ])
    func finds(text: String, links: [String]) {
        #expect(LinkText.all(in: text).map { $0.address + ($0.isMarked ? "*" : "") } == links)
    }

    /// What an entry of the list blocks.
    @Test(arguments: [
        (
            "spam.example", ["spam.example", "https://www.spam.example/x", "shop.spam.example/y"],
            ["notspam.example", "spam.example.org", "example"]
        ),
        (
            "spam.example/a", ["http://spam.example/a", "www.SPAM.example/a/b?c"],
            ["spam.example", "spam.example/ab", "x.spam.example/a"]
        ),
    ])
    func blocks(entry: String, blocked: [String], free: [String]) {
        for text in blocked { #expect(LinkText(text)?.entry(of: [ByteText(entry)]) == entry, "\(text)") }
        for text in free { #expect(LinkText(text)?.entry(of: [ByteText(entry)]) == nil, "\(text)") }
    }
}
