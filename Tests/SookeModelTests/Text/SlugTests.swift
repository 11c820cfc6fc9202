import SookeModel
import Testing

@Suite struct SlugTests {
    @Test(arguments: [
        ("Restaurant", "restaurant"),
        ("Café & Bakery", "café-bakery"),
        ("Zed's Diner", "zeds-diner"),
        ("CAFÉ ALMA", "café-alma"),
        ("Éducation", "éducation"),
        ("The \"Crooked\" Spoon", "the-\"crooked\"-spoon"),
        ("<b>Bold</b> Bread Co.", "<b>bold</b>-bread-co."),
        ("Tide 🌊 Pool Gifts", "tide-🌊-pool-gifts"),
        ("100% Wool Shop", "100-wool-shop"),
        ("snake_case Computers", "snake-case-computers"),
        ("Back\\Slash Records", "back\\slash-records"),
        ("Deals at 50%", "deals-at-50"),
        ("Straße Bikes", "straße-bikes"),
        ("日本 Ramen 本店", "日本-ramen-本店"),
        ("  Leading Space Yoga", "leading-space-yoga"),
        ("East/West Imports", "east/west-imports"),
        ("Paved — Très Évidemment (2019)", "paved-—-très-évidemment-2019"),
        ("a*b(c)d^e$f#g@h&i%j_k l", "a-b-c-d-e-f-g-h-i-j-k-l"),
        ("a -'- !- b", "a-b"),
        ("--Already--Hyphenated--", "already-hyphenated"),
        ("İstanbul ΣΑΣ", "istanbul-σασ"),
        ("tab\tand\u{A0}no-break", "tab\tand\u{A0}no-break"),
        ("E\u{301}te\u{301}", "e\u{301}te\u{301}"),
    ])
    func fromName(name: String, slug: String) {
        #expect(Slug.make(from: name) == Slug(slug))
    }

    @Test(arguments: ["", " ", "!!!", "'", "(*)", "- _ -"])
    func nothingLeft(name: String) {
        #expect(Slug.make(from: name).isEmpty)
    }

    @Test func numbered() {
        #expect(Slug("sooke-tire").numbered(2) == Slug("sooke-tire-2"))
        #expect(Slug("sooke-tire").numbered(3).text == "sooke-tire-3")
    }

    @Test func identityGoesByBytes() {
        let composed = Slug("caf\u{E9}")
        let decomposed = Slug("cafe\u{301}")
        #expect(composed.text == decomposed.text, "String sees them as one")
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed, Slug("caf\u{E9}")]).count == 2)
    }

    @Test func orderGoesByBytes() {
        let ascending = ["", "A", "Z", "a", "a-b", "ab", "cafe\u{301}", "cafz", "caf\u{E9}", "日", "\u{FF21}", "🌊"]
        let sorted = ascending.reversed().map { Slug($0) }.sorted()
        #expect(sorted.map { Array($0.text.utf8) } == ascending.map { Array($0.utf8) })
        for (left, right) in zip(ascending, ascending.dropFirst()) {
            #expect(Slug(left) < Slug(right))
            #expect(!(Slug(right) < Slug(left)))
        }
    }
}
