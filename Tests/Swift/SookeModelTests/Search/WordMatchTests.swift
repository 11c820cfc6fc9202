import Bytes
import TestSupport
import Testing

@testable import SookeModel

@Suite struct WordMatchTests {
    @Test(arguments: [
        ("tide", "tide", WordMatch.exact), ("tid", "tide", .prefix), ("tidal", "tide", nil), ("tiede", "tide", .typo),
        ("harbour", "harbor", .typo), ("harbor", "harbour", .typo), ("harbuor", "harbours", .prefixTypo),
        ("harbuor", "harbor", .typo), ("harbuor", "harbour", .typo), ("bakrey", "bakery", .typo),
        ("bakrey", "bakerys", .prefixTypo),
        ("resturant", "restaurants", .prefixTypo), ("kitchn", "kitchen", .typo), ("xitchen", "kitchen", .typo),
        ("books", "book", .typo), ("cofee", "coffee", .typo), ("coffee", "coffin", nil), ("pbu", "pub", nil),
        ("pubb", "pub", nil), ("12345", "12346", nil), ("12345", "123456", .prefix), ("приевт", "привет", .typo),
        ("превет", "привет", .typo), ("привт", "привет", .typo),
    ])
    func matches(_ query: String, _ word: String, _ match: WordMatch?) {
        #expect(QueryWord(Word(query.utf8)).match(Word(word.utf8)) == match)
    }

    /// Compared with the textbook distance to each beginning of the word.
    @Test func agreesWithTheDistance() {
        var random = SplitMix64(seed: 3)
        for _ in 0..<Cases.count(5_000, of: 30_000) {
            let alphabet = Array(random.once(in: 2) ? "ab".unicodeScalars : "abéж".unicodeScalars)
            func word(_ length: Int) -> [Unicode.Scalar] { (0..<length).map { _ in random.pick(alphabet) } }
            var other = word(1 + random.below(8))
            let query = random.once(in: 3) ? word(5 + random.below(3)) : damaged(&other, &random)
            guard query.count >= QueryWord.fewestLetters else { continue }
            let match = QueryWord(Word(query.text)).match(Word(other.text))
            #expect(match == naiveMatch(query, other), "\(query) \(other)")
        }
    }

    private func damaged(_ word: inout [Unicode.Scalar], _ random: inout SplitMix64) -> [Unicode.Scalar] {
        while word.count < 6 { word.append("a") }
        var query = Array(word.prefix(5 + random.below(word.count - 4)))
        let place = random.below(query.count)
        switch random.below(4) {
        case 0: query.remove(at: place)
        case 1: query.insert("b", at: place)
        case 2: query[place] = "a"
        default: if place > 0 { query.swapAt(place, place - 1) }
        }
        return query
    }
}

extension [Unicode.Scalar] {
    /// The UTF-8 bytes.
    fileprivate var text: [UInt8] {
        var text = ""
        text.unicodeScalars.append(contentsOf: self)
        return [UInt8](text.utf8)
    }
}

/// How a word of five letters or more matches, by the textbook.
private func naiveMatch(_ query: [Unicode.Scalar], _ word: [Unicode.Scalar]) -> WordMatch? {
    if word == query { return .exact }
    if word.starts(with: query) { return .prefix }
    if distance(query, word) == 1 { return .typo }
    return word.indices.contains { distance(query, Array(word[..<$0])) == 1 } ? .prefixTypo : nil
}

/// The distance of Damerau and Levenshtein, in which no part is changed twice.
private func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var rows = [Array(0...right.count)]
    for (row, letter) in left.enumerated() {
        var next = [row + 1]
        for (column, other) in right.enumerated() {
            var best = min(next[column] + 1, rows[row][column + 1] + 1, rows[row][column] + (letter == other ? 0 : 1))
            if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
                best = min(best, rows[row - 1][column - 1] + 1)
            }
            next.append(best)
        }
        rows.append(next)
    }
    return rows[left.count][right.count]
}
