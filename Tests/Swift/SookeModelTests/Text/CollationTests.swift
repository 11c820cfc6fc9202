import Bytes
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

    @Test func textsWithTheSameWeightsHaveDifferentKeys() {
        for (left, right) in [
            ("é", "e\u{301}"), ("\u{30020}", "\u{E0020}"), ("Й", "И\u{306}"), ("\u{E000}", "\u{E001}"), ("가", "나"),
        ] {
            #expect(Collation.sortKey(left) != Collation.sortKey(right))
        }
    }

    @Test(arguments: [("sooke tire", 17), ("Sooke Tire", 18), ("O'Brien's Hardware", 29), ("Café Zoë", 23)])
    func keysAreShort(name: String, length: Int) {
        #expect(Collation.sortKey(name).count <= length)
    }

    /// Thai, Lao, New Tai Lue and Tai Viet write some vowels before the consonant they follow in sound and order.
    @Test(arguments: [
        ("\u{E41}\u{E01}", "\u{E40}\u{E02}"), ("\u{E01}\u{E40}", "\u{E40}\u{E01}"),
        ("\u{EC1}\u{E81}", "\u{EC0}\u{E82}"), ("\u{19B6}\u{1980}", "\u{19B5}\u{1981}"),
        ("\u{AAB6}\u{AA80}", "\u{AAB5}\u{AA81}"),
    ])
    func prefixVowelsSortAfterTheirConsonant(lesser: String, greater: String) {
        #expect(Collation.sortKey(lesser).lexicographicallyPrecedes(Collation.sortKey(greater)))
    }

    @Test func takesAnyScalar() {
        for value in stride(from: UInt32(0), through: 0x10FFFF, by: 1021) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            #expect(Collation.sortKey(String(scalar)).count > 3)
        }
    }
}
