/// How a word of a text matches a word of a query, the best first.
public enum WordMatch: Int, Comparable, Sendable {
    case exact
    case prefix
    case typo
    /// Its beginning differs by one typo from the word of the query.
    case prefixTypo

    public var isLiteral: Bool { self <= .prefix }

    public static func < (left: WordMatch, right: WordMatch) -> Bool { left.rawValue < right.rawValue }
}

/// A word of a query, which matches words that begin with it, and if it has five letters or more, words with one typo.
///
/// A typo is a letter too many, a letter too few, another letter, or two neighbours swapped (the distance of Damerau
/// and Levenshtein). A number has no typos.
public struct QueryWord: Hashable, Sendable {
    public let word: Word
    /// A word above all that begin with it: computing it takes longer than a comparison.
    private let last: Word
    public let allowsTypo: Bool

    /// The fewest letters of a word with a typo.
    public static let fewestLetters = 5

    /// A word without typos.
    public init(literal word: Word) { (self.word, last, allowsTypo) = (word, word.last, false) }

    public init(_ word: Word) {
        (self.word, last) = (word, word.last)
        let bytes = word.bytes
        let letterCount = bytes.count { $0 & 0xC0 != 0x80 }
        allowsTypo = letterCount >= Self.fewestLetters && !bytes.contains { 0x30...0x39 ~= $0 }
    }

    /// How a word matches; nil when it does not.
    public func match(_ other: Word) -> WordMatch? {
        if other >= word, other <= last { return other == word ? .exact : .prefix }
        return allowsTypo ? matchWithTypo(other) : nil
    }

    /// A single typo can be assumed where the words differ first: in a run of equal letters, it does not matter which
    /// one is missing.
    private func matchWithTypo(_ other: Word) -> WordMatch? {
        // Most words differ from each other in their first two letters.
        let (a, b) = (word[0], other[0])
        if a < 0x80, b < 0x80, a != b, word[1] != other[1], a != other[1], word[1] != b { return nil }
        var start = 0
        let (count, otherCount) = (word.count, other.count)
        while start < count, start < otherCount, word[start] == other[start] { start += 1 }
        while start > 0, word.isInsideScalar(start) || other.isInsideScalar(start) { start -= 1 }
        let (one, otherOne) = (word.end(ofScalarAt: start), other.end(ofScalarAt: start))
        let (two, otherTwo) = (word.end(ofScalarAt: one), other.end(ofScalarAt: otherOne))
        var best: WordMatch?
        func compare(_ place: Int, _ otherPlace: Int) {
            guard word.has(place..<count, of: other, at: otherPlace) else { return }
            let match: WordMatch = count - place == otherCount - otherPlace ? .typo : .prefixTypo
            best = min(best ?? match, match)
        }
        compare(one, otherOne)
        compare(start, otherOne)
        compare(one, start)
        if one < two, word.has(start..<one, of: other, at: otherOne), word.has(one..<two, of: other, at: start) {
            compare(two, otherTwo)
        }
        return best
    }
}

extension Word {
    fileprivate func isInsideScalar(_ index: Int) -> Bool { index < Self.capacity && self[index] & 0xC0 == 0x80 }

    /// The end of the scalar that begins at an offset; the offset itself at the end of the word.
    fileprivate func end(ofScalarAt index: Int) -> Int {
        guard index < Self.capacity, self[index] != 0 else { return index }
        var end = index + 1
        while isInsideScalar(end) { end += 1 }
        return end
    }

    /// Whether another word has a part of this one at an offset.
    fileprivate func has(_ part: Range<Int>, of other: Word, at place: Int) -> Bool {
        guard place + part.count <= Self.capacity else { return false }
        for index in part where self[index] != other[place + index - part.lowerBound] { return false }
        return true
    }
}
