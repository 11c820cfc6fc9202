import Testing

@testable import SookeModel

@Suite struct TextWordsTests {
    private static func words(of text: String, _ kinds: Set<TextWord.Kind> = [.plain, .piece, .compound]) -> String {
        var words: [String] = []
        TextWords.forEach(in: text) { if kinds.contains($0.kind) { words.append($0.word.text) } }
        return words.joined(separator: " ")
    }

    @Test(arguments: [
        ("The Slack Tide Pub", "the slack tide pub"), ("", ""), (" — !? ", ""), ("Café Zoë", "cafe zoe"),
        ("Cafe\u{301}s", "cafes"), ("Straße 24/7", "strasse 24 7"), ("Łódź Smørrebrød", "lodz smorrebrod"),
        ("Salt & Cedar", "salt and cedar"), ("R&B", "r and b rb"), ("A & W Root Beer", "a and w aw root beer"),
        ("A and W", "a and w"), ("Unit 4,9", "unit 4 9"), ("b2b", "b2b"),
        ("Joe's", "joe joes"), ("joe’s", "joe joes"), ("dogs' bowl", "dogs bowl"), ("'quoted'", "quoted"),
        ("l'Auberge d'Or", "auberge lauberge or dor"), ("O'Brien", "brien obrien"),
        ("rock'n'roll", "rock roll rocknroll"),
        ("co-op", "co op coop"), ("a - b", "a b"), ("-a-", "a"), ("a--b", "a b"),
        ("farm-to-table", "farm to table farmtotable"),
        ("T'Sou-ke", "sou tsou ke tsouke"), ("250-555-0101", "250 555 0101 2505550101"),
        ("Dr. C.J. Abel", "dr c j cj abel"), ("H.L.F Images", "h l f hlf images"), ("C J", "c j cj"), ("J, K", "j k"),
        ("Plan B", "plan b"), ("É. A. d'Or", "e a ea or dor"), ("A. B. x-y", "a b ab x y xy"), ("A 1", "a 1"),
        ("北京饭店", "北 京 饭 店"), ("abc北", "abc 北"), ("Привет Ёлка", "привет елка"),
    ])
    func splitsAndFolds(_ text: String, _ words: String) {
        #expect(Self.words(of: text) == words)
    }

    @Test(arguments: [("Joe's co-op", "joes co op"), ("T'Sou-ke Nation", "tsou ke nation")])
    func plainWordsAreThoseInARow(_ text: String, _ words: String) {
        #expect(Self.words(of: text, [.plain]) == words)
    }

    @Test(arguments: [
        ("Die Straße, dort", ["Die", "Straße", "dort"]), ("Joe's", ["Joe", "Joe's"]),
        ("co-op.", ["co", "op", "co-op"]),
        ("Cafe\u{301}!", ["Cafe\u{301}"]), ("a&b", ["a", "&", "b", "a&b"]), ("l'Or", ["Or", "l'Or"]),
    ])
    func rangesAreThoseOfTheText(_ text: String, _ parts: [String]) {
        var found: [String] = []
        TextWords.forEach(in: text) { found.append(String(decoding: Array(text.utf8)[$0.range], as: UTF8.self)) }
        #expect(found.map { Array($0.utf8) } == parts.map { Array($0.utf8) })
    }

    @Test func longWordsAreCutBetweenLetters() {
        let long = String(repeating: "a", count: 40)
        #expect(Self.words(of: long) == String(repeating: "a", count: 32))
        #expect(Self.words(of: "a" + String(repeating: "ж", count: 20)) == "a" + String(repeating: "ж", count: 15))
    }
}

@Suite struct WordTests {
    @Test(arguments: ["", "a", "abcdefgh", "abcdefghi", "smorrebrod", String(repeating: "z", count: 32)])
    func isItsBytes(_ text: String) {
        let word = Word(text.utf8)
        #expect(word.text == text && word.count == text.utf8.count && word.isEmpty == text.isEmpty)
        #expect(word.hasPrefix(Word()) && word.hasPrefix(word) && word <= word.last)
    }

    @Test(arguments: [("a", "b"), ("a", "aa"), ("abcdefgh", "abcdefgha"), ("abcdefghz", "abcdefgi"), ("z", "é")])
    func isOrderedByBytes(_ lower: String, _ upper: String) {
        #expect(Word(lower.utf8) < Word(upper.utf8) && !(Word(upper.utf8) < Word(lower.utf8)))
        #expect(Word(upper.utf8).hasPrefix(Word(lower.utf8)) == upper.hasPrefix(lower))
    }
}
