import Bytes
import Foundation
import Testing

@testable import SookeModel

@Suite struct CollationTests {
    @Test func ordersAsPostgresDoes() {
        let keys = collationOrder.map(Collation.sortKey)
        for index in keys.indices.dropFirst() {
            #expect(
                keys[index - 1].lexicographicallyPrecedes(keys[index]),
                "\(collationOrder[index - 1].debugDescription) before \(collationOrder[index].debugDescription)")
        }
    }

    @Test func ordersNamesOfATown() {
        let keys = collationNames.map { Collation.sortKey($0.name) }
        for index in keys.indices.dropFirst() {
            #expect(
                keys[index - 1].lexicographicallyPrecedes(keys[index]),
                "\(collationNames[index - 1].name) before \(collationNames[index].name)")
        }
    }

    @Test func findsNamesOfATown() {
        for (name, searches) in collationNames {
            let words = Set(TextWords.all(in: name).map(\.word))
            let spellings = [name.lowercased(), name.uppercased(), name.decomposedStringWithCanonicalMapping]
            for search in searches + spellings {
                let missing = TextWords.all(in: search).filter { $0.kind == .plain && !words.contains($0.word) }
                #expect(missing.isEmpty, "\(search) finds \(name)")
            }
        }
    }

    @Test func ordersPairsAsGlibcDoes() {
        for (lesser, greater) in collationPairs {
            let (left, right) = (Collation.sortKey(lesser), Collation.sortKey(greater))
            #expect(
                left.lexicographicallyPrecedes(right),
                "\(lesser.unicodeScalars.map(\.value)) before \(greater.unicodeScalars.map(\.value))")
        }
    }

    /// Runs of one weight are compressed in a key; runs of each length must keep their order on each level.
    @Test(arguments: [38, 39, 40, 41, 42, 79, 80, 81, 82, 120, 121, 500])
    func longRuns(length: Int) {
        let run = String(repeating: "a", count: length)
        let ascending = [
            run.dropLast() + "!a", run, run + "!", run.dropLast() + "A", run.dropLast() + "á", run + "!a", run + "a!",
        ]
        let sorted = ascending.sorted { key($0).lexicographicallyPrecedes(key($1)) }
        // Level 1 has one letter more in the last two texts.
        #expect(sorted == ascending)

        func key(_ text: some StringProtocol) -> [UInt8] { Collation.sortKey(String(text)) }
    }

    /// A letter of another script sorts by its code point, after Latin, Greek and Cyrillic.
    @Test func lettersWithoutAPlaceFollow() {
        let ascending = ["я", "Ա", "ก", "ᐃ", "ラ", "中", "𐐀"]
        #expect(ascending.reversed().sorted { key($0).lexicographicallyPrecedes(key($1)) } == ascending)

        func key(_ text: String) -> [UInt8] { Collation.sortKey(text) }
    }

    @Test func textsWithTheSameWeightsHaveDifferentKeys() {
        for (left, right) in [
            ("é", "e\u{301}"), ("\u{30020}", "\u{E0020}"), ("Й", "И\u{306}"), ("\u{E000}", "\u{E001}"), ("가", "나"),
            ("Å", "\u{212B}"), ("ά", "\u{1F71}"), ("ǆ", "dž"), ("½", "¹²"), ("θ", "ϑ"), ("Θ", "ϴ"), ("æ", "a\u{361}e"),
        ] {
            #expect(Collation.sortKey(left) != Collation.sortKey(right))
        }
    }

    @Test(arguments: [("sooke tire", 17), ("Sooke Tire", 18), ("O'Brien's Hardware", 29), ("Café Zoë", 23)])
    func keysAreShort(name: String, length: Int) {
        #expect(Collation.sortKey(name).count <= length)
    }
}
