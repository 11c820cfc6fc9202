import SookeModel

package struct SearchMatch: Sendable, Hashable {
    package let field: SearchField
    /// The word or the phrase, as the field has it.
    package let text: String
    package let item: String?
}

extension SearchRun {
    private static var mostMatches: Int { 20 }

    /// The most important field first. Words with a typo are left out where the term also matches without one.
    func matches(in record: Record, _ budget: WorkBudget?) -> [SearchMatch] {
        if let budget, budget.left == nil { return [] }
        budget?.spend(WorkBudget.stepsPerRecord)
        var found: [(term: Int, isLiteral: Bool, match: SearchMatch)] = []
        var literal: Set<Int> = []
        let terms = query.terms + query.terms.indices.compactMap { query.joined(at: $0).map { .word($0) } }
        func examine(_ text: SearchText) {
            let words = text.words
            budget?.spend(WorkBudget.stepsPerComparison * words.count * terms.count)
            for (number, term) in terms.enumerated() {
                for (range, isLiteral) in term.places(in: words) {
                    let match = SearchMatch(field: text.field, text: text.text.part(range), item: text.item)
                    found.append((number, isLiteral, match))
                    if isLiteral { literal.insert(number) }
                }
            }
        }
        for name in names.groups(of: record) { examine(SearchText(field: name.group.field, text: name.name)) }
        record.forEachText(examine)
        var seen: Set<SearchMatch> = []
        let shown = found.filter { $0.isLiteral || !literal.contains($0.term) }.map(\.match)
        let unique = shown.filter { seen.insert($0).inserted }
        let sorted = SearchField.allCases.flatMap { field in unique.filter { $0.field == field } }
        return Array(sorted.prefix(Self.mostMatches))
    }
}

extension SearchQuery.Term {
    fileprivate func places(in words: [TextWord]) -> [(Range<Int>, isLiteral: Bool)] {
        switch self {
        case .word(let word): words.places { word.match($0) }
        case .compound(let whole, let parts):
            words.places { other in ([whole] + parts).compactMap { $0.match(other) }.min() }
        case .phrase(let phrase): words.places(of: phrase).map { ($0, true) }
        }
    }
}

extension [TextWord] {
    /// The ranges of the words that match. Neighbours that match as one word are left out where one of them does alone.
    fileprivate func places(_ match: (Word) -> WordMatch?) -> [(Range<Int>, isLiteral: Bool)] {
        let found = compactMap { word in match(word.word).map { (word: word, isLiteral: $0.isLiteral) } }
        let alone = found.filter { $0.word.kind != .joined && $0.word.kind != .acronym }.map(\.word.range)
        return found.filter { place in
            alone.contains(place.word.range) || !alone.contains { place.word.range.overlaps($0) }
        }.map { ($0.word.range, $0.isLiteral) }
    }
}

extension String {
    fileprivate func part(_ range: Range<Int>) -> String {
        let start = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
        return String(self[start..<utf8.index(start, offsetBy: range.count)])
    }
}
