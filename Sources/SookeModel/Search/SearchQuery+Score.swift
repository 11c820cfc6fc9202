extension SearchQuery {
    /// How well a record with some texts matches, by reading all of them: 0 is the best, nil when it does not match.
    ///
    /// It is the sum of the classes of its terms, as an index of words has it, too.
    public func score(of texts: [SearchText]) -> Int? {
        let texts = texts.map { (text: $0, words: $0.words) }
        let words = texts.flatMap { text, words in words.map { ($0.word, text.rankField(of: $0)) } }
        // The scores of the first terms, each of them alone, or with the one before it as one word.
        var scores: [Int?] = [0]
        for (number, term) in terms.enumerated() {
            let found = term.rank(words) { phrase in
                texts.filter { !$0.words.places(of: phrase).isEmpty }.map(\.text.field).min()
            }
            var score = scores[number].flatMap { score in found.map { score + $0 } }
            if let whole = joined(at: number), let before = scores[number - 1], let found = whole.rank(words) {
                score = min(score ?? .max, before + 2 * found)
            }
            scores.append(score)
        }
        return scores[terms.count]
    }
}

extension SearchQuery.Term {
    /// The best class of a match among some words, each with its field.
    ///
    /// - Parameter field: the most important field with several words in a row.
    fileprivate func rank(_ words: [(Word, SearchField)], _ field: ([Word]) -> SearchField?) -> Int? {
        switch self {
        case .word(let word): return word.rank(words)
        case .compound(let whole, let parts):
            let ofParts = parts.map { $0.rank(words) }
            let all = ofParts.contains(nil) ? nil : ofParts.compactMap(\.self).max()
            return [whole.rank(words), all].compactMap(\.self).min()
        case .phrase(let phrase):
            let found = phrase.count == 1 ? words.filter { $0.0 == phrase[0] }.map(\.1).min() : field(phrase)
            return found.map { Int(SearchClass.of(.exact, in: $0)) }
        }
    }
}

extension QueryWord {
    /// The best class of a match among some words, each with its field.
    fileprivate func rank(_ words: [(Word, SearchField)]) -> Int? {
        words.lazy.compactMap { word, field in match(word).map { Int(SearchClass.of($0, in: field)) } }.min()
    }
}
