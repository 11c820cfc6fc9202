import Bytes

/// What a reader searches for: words and quoted phrases, all of which must match.
public struct SearchQuery: Sendable, Equatable {
    public enum Term: Hashable, Sendable {
        case word(QueryWord)
        /// Words joined by hyphens: as one word, or each of them.
        case compound(QueryWord, parts: [QueryWord])
        case phrase([Word])
    }

    public let terms: [Term]

    /// The longest text of a query, in bytes.
    public static let mostBytes = 200
    public static let mostWords = 10

    public init(_ text: String) throws(SearchQueryError) {
        let length = text.utf8.count
        guard length <= Self.mostBytes else {
            throw SearchQueryError("is \(length) bytes long, at most \(Self.mostBytes) are allowed")
        }
        var (terms, count, isQuoted) = ([Term](), 0, false)
        for part in text.unicodeScalars.split(omittingEmptySubsequences: false, whereSeparator: Self.isQuote) {
            let words = TextWords.all(in: String(part)).filter { $0.kind != .piece }
            let plain = words.filter { $0.kind == .plain }.map(\.word)
            count += plain.count
            if !isQuoted { terms += Self.terms(words) } else if !plain.isEmpty { terms.append(.phrase(plain)) }
            isQuoted.toggle()
        }
        guard count > 0 else { throw SearchQueryError("needs a letter or a digit") }
        guard count <= Self.mostWords else {
            throw SearchQueryError("has \(count) words, at most \(Self.mostWords) are allowed")
        }
        // A repeated word asks for nothing more.
        var seen: Set<Term> = []
        self.terms = terms.filter { seen.insert($0).inserted }
    }

    /// A word and the one before it as one word, which matches without typos; nil for other terms.
    public func joined(at number: Int) -> QueryWord? {
        guard number > 0, case .word(let left) = terms[number - 1], case .word(let right) = terms[number] else {
            return nil
        }
        return left.word.joined(with: right.word).map(QueryWord.init(literal:))
    }

    /// The terms of words outside quotes. A compound comes after its parts, and takes their place.
    private static func terms(_ words: [TextWord]) -> [Term] {
        var terms: [(term: Term, start: Int)] = []
        for word in words {
            guard word.kind == .compound else {
                terms.append((.word(QueryWord(word.word)), word.range.lowerBound))
                continue
            }
            var parts: [QueryWord] = []
            while case .word(let part)? = terms.last?.term, let start = terms.last?.start,
                start >= word.range.lowerBound
            {
                parts.insert(part, at: 0)
                terms.removeLast()
            }
            terms.append((.compound(QueryWord(word.word), parts: parts), word.range.lowerBound))
        }
        return terms.map(\.term)
    }

    /// A missing quote is at the end of the text.
    private static func isQuote(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\"", "\u{201C}", "\u{201D}", "\u{201E}", "\u{AB}", "\u{BB}": true
        default: false
        }
    }
}

/// The text of a query cannot be searched for.
public struct SearchQueryError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong, after the name of the parameter.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
