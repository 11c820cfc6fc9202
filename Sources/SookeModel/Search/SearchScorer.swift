/// Says how well records match a query, by reading all of their texts: the sum of the classes of all terms.
public struct SearchScorer: Sendable {
    /// A term, whose words are numbers in `words`.
    private enum Term: Sendable {
        case word(Int)
        case compound(whole: Int, parts: [Int])
        case phrase([Word])
    }

    private var words: [QueryWord] = []
    /// Each term, and the word that it and the one before it are together.
    private var terms: [(term: Term, joined: Int?)] = []

    public init(_ query: SearchQuery) {
        for (number, term) in query.terms.enumerated() {
            let joined = query.joined(at: number).map { add($0) }
            switch term {
            case .word(let word): terms.append((.word(add(word)), joined))
            case .compound(let whole, let parts):
                terms.append((.compound(whole: add(whole), parts: parts.map { add($0) }), joined))
            case .phrase(let phrase): terms.append((.phrase(phrase), joined))
            }
        }
    }

    private mutating func add(_ word: QueryWord) -> Int {
        words.append(word)
        return words.count - 1
    }

    /// How well a record with some texts matches: 0 is the best, nil when it does not match.
    public func score(of texts: [SearchText]) -> Int? {
        let ranks = ranks(in: texts)
        // The scores of the first terms, each of them alone, or with the one before it as one word.
        var (before, score) = (Int?.none, Int?(0))
        for (term, joined) in terms {
            var next = score.flatMap { score in rank(of: term, ranks, texts).map { score + $0 } }
            if let before, let found = joined.flatMap({ ranks[$0] }) { next = min(next ?? .max, before + 2 * found) }
            (before, score) = (score, next)
        }
        return score
    }

    /// The best class of each word among all texts.
    private func ranks(in texts: [SearchText]) -> [Int?] {
        var ranks = [Int?](repeating: nil, count: words.count)
        for text in texts {
            text.forEachWord { other in
                for (index, word) in words.enumerated() {
                    guard let match = word.match(other.word) else { continue }
                    let rank = Int(SearchClass.of(match, in: text.rankField(of: other)))
                    ranks[index] = min(ranks[index] ?? rank, rank)
                }
            }
        }
        return ranks
    }

    private func rank(of term: Term, _ ranks: [Int?], _ texts: [SearchText]) -> Int? {
        switch term {
        case .word(let word): return ranks[word]
        case .compound(let whole, let parts):
            let ofParts = parts.map { ranks[$0] }
            let all = ofParts.contains(nil) ? nil : ofParts.compactMap(\.self).max()
            return [ranks[whole], all].compactMap(\.self).min()
        case .phrase(let phrase):
            return texts.compactMap { Self.field(of: phrase, in: $0) }.min().map { Int(SearchClass.of(.exact, in: $0)) }
        }
    }

    /// The field by which a text with whole words in a row is ranked; nil for one without them.
    private static func field(of phrase: [Word], in text: SearchText) -> SearchField? {
        let words = text.words
        if phrase.count > 1 { return words.places(of: phrase).isEmpty ? nil : text.field }
        return words.filter { $0.word == phrase.first }.map(text.rankField).min()
    }
}
