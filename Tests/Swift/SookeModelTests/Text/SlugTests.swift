import SookeModel
import Testing

@Suite struct SlugTests {
    @Test(arguments: [
        ("Restaurant", "restaurant"), ("Café & Bakery", "café-bakery"), ("Zed's Diner", "zeds-diner"),
        ("CAFÉ ALMA", "café-alma"), ("Éducation", "éducation"), ("The \"Crooked\" Spoon", "the-crooked-spoon"),
        ("<b>Bold</b> Bread Co.", "b-bold-b-bread-co."), ("Tide 🌊 Pool Gifts", "tide-🌊-pool-gifts"),
        ("100% Wool Shop", "100-wool-shop"), ("snake_case Computers", "snake-case-computers"),
        ("Back\\Slash Records", "back-slash-records"), ("Deals at 50%", "deals-at-50"),
        ("Straße Bikes", "straße-bikes"), ("日本 Ramen 本店", "日本-ramen-本店"),
        ("  Leading Space Yoga", "leading-space-yoga"), ("East/West Imports", "east-west-imports"),
        ("Paved — Très Évidemment (2019)", "paved-—-très-évidemment-2019"),
        ("a*b(c)d^e$f#g@h&i%j_k l", "a-b-c-d-e-f-g-h-i-j-k-l"), ("a -'- !- b", "a-b"),
        ("--Already--Hyphenated--", "already-hyphenated"), ("İstanbul ΣΑΣ", "istanbul-σασ"),
        ("tab\tand\u{A0}no-break", "tab-and-no-break"), ("What? #1 \\o/", "what-1-o"),
        ("line\nbreak\u{85}\u{2028}\u{2029}\u{7F}\u{9F}\0end", "line-break-end"),
        ("\u{202E}drawkcab\u{202C} \u{2066}a\u{2069}\u{200E}b\u{200F}c\u{61C}d", "drawkcab-a-b-c-d"),
        ("zero\u{200B}width\u{2060}\u{FEFF}\u{180E}", "zero-width"), ("\u{3000}東京\u{2003}店\u{1680}", "東京-店"),
        ("می\u{200C}خواهم 👨\u{200D}👩\u{200D}👧", "می\u{200C}خواهم-👨\u{200D}👩\u{200D}👧"),
        ("Rock 'n' Roll... and more", "rock-n-roll-and-more"),
        ("a..b....c", "a-b-c"), ("a.'.b!.!.c", "a-b-c"), ("a -.. b", "a-b"), ("../../etc/passwd", "etc-passwd"),
        ("Wait..", "wait"), ("St. Mary's Co.", "st.-marys-co."), (". . a.-.b", ".-.-a.-.b"),
        ("E\u{301}te\u{301}", "e\u{301}te\u{301}"),
    ])
    func fromName(name: String, slug: String) {
        #expect(Slug.make(from: name) == Slug(slug))
        #expect(Slug.make(from: name).isPlain)
    }

    @Test(arguments: [
        "a/b", "?", "a\\", "#a", "\"a\"", "a<b", "a>b", "a b", "a\tb", "a\nb", "a\0", "a\u{7F}", "a\u{9F}", "a\u{85}",
        "a\u{A0}b", "a\u{3000}b", "a\u{2028}", "a\u{61C}", "a\u{200B}b", "a\u{200E}", "a\u{200F}", "\u{202A}a",
        "\u{202E}a", "\u{2066}a", "a\u{2069}", "a\u{2060}", "\u{FEFF}a", "..", "a..b", "a...",
    ])
    func notPlain(slug: String) {
        #expect(!Slug(slug).isPlain)
    }

    @Test(arguments: ["", "zeds-diner", "café-bakery", "日本", "a.b.", "100%", "a_b", "Zed's", "👨\u{200D}👩", "a:b;c@d"])
    func plain(slug: String) {
        #expect(Slug(slug).isPlain)
    }

    @Test(arguments: ["", " ", "!!!", "'", "(*)", "- _ -", "..", "...", "/?#", "\u{202E}\u{200B}"])
    func nothingLeft(name: String) {
        #expect(Slug.make(from: name).isEmpty)
    }

    @Test func numbered() {
        #expect(Slug("sooke-tire").numbered(2) == Slug("sooke-tire-2"))
        #expect(Slug("sooke-tire").numbered(3).text == "sooke-tire-3")
    }
}
