import Bytes

public struct SearchText {
    public let field: SearchField
    public let text: String
    /// The name of the item on a menu to which the text belongs.
    public let item: String?

    public init(field: SearchField, text: String, item: String? = nil) {
        (self.field, self.text, self.item) = (field, text, item)
    }

    /// Calls a function with each word. Those of a name are more: its neighbours are also one word, and that of the
    /// record has an acronym.
    public func forEachWord(_ body: (TextWord) -> Void) {
        switch field {
        case .menu, .description, .address, .synonym: TextWords.forEach(in: text, body)
        case .phone: forEachWordOfPhone(body)
        case .name, .term, .place:
            var words: [TextWord] = []
            TextWords.forEach(in: text) { word in
                body(word)
                if word.kind == .plain { words.append(word) }
                for other in Self.variants.first(where: { $0.contains(word.word) }) ?? [] where other != word.word {
                    body(TextWord(word: other, kind: .piece, range: word.range))
                }
            }
            for (left, right) in zip(words, words.dropFirst()) {
                guard let word = left.word.joined(with: right.word) else { continue }
                body(TextWord(word: word, kind: .joined, range: left.range.lowerBound..<right.range.upperBound))
            }
            if field == .name { Self.forEachAcronym(of: words, body) }
        }
    }

    /// Its groups, and its digits as one word, with and without the area code.
    private func forEachWordOfPhone(_ body: (TextWord) -> Void) {
        TextWords.forEach(in: text) { if $0.kind == .plain { body($0) } }
        let digits = text.utf8.filter(ASCII.isDigit)
        for count in [10, 7] where digits.count >= count {
            body(TextWord(word: Word(digits.suffix(count)), kind: .joined, range: 0..<text.utf8.count))
        }
    }

    /// Words that stand for each other in names.
    private static let variants = [["st", "saint", "ste", "sainte"], ["mt", "mount"], ["ft", "fort"]].map { group in
        group.map { Word($0.utf8) }
    }

    public var words: [TextWord] {
        var words: [TextWord] = []
        forEachWord { words.append($0) }
        return words
    }

    /// The field by which a word of the text is ranked: an acronym is the least that matches.
    public func rankField(of word: TextWord) -> SearchField { word.kind == .acronym ? .address : field }

    /// The initials of all words, and without those that acronyms leave out.
    private static func forEachAcronym(of words: [TextWord], _ body: (TextWord) -> Void) {
        let chief = words.filter { !smallWords.contains($0.word) }
        for words in chief.count == words.count ? [words] : [words, chief] {
            guard acronymLengths ~= words.count, let first = words.first, let last = words.last else { continue }
            let initials = words.compactMap { $0.word.scalars.first }.flatMap { Array(String($0).utf8) }
            guard initials.count <= Word.capacity else { continue }
            body(TextWord(word: Word(initials), kind: .acronym, range: first.range.lowerBound..<last.range.upperBound))
        }
    }

    private static let smallWords = Set(["a", "and", "at", "for", "in", "of", "on", "the", "to"].map { Word($0.utf8) })
    private static let acronymLengths = 3...8
}

extension Business {
    /// Calls a function with each text that a search finds. The name of the category is not among them.
    public func forEachText(_ body: (SearchText) -> Void) {
        body(SearchText(field: .name, text: name))
        body(SearchText(field: .address, text: address))
        if let area { body(SearchText(field: .address, text: area)) }
        if let phone { body(SearchText(field: .phone, text: phone)) }
        if let description { body(SearchText(field: .description, text: description)) }
        for menu in menus {
            body(SearchText(field: .menu, text: menu.name))
            if let description = menu.description { body(SearchText(field: .menu, text: description)) }
            for item in menu.items {
                body(SearchText(field: .menu, text: item.name, item: item.name))
                guard let description = item.description else { continue }
                body(SearchText(field: .menu, text: description, item: item.name))
            }
        }
    }
}

extension Event {
    /// Calls a function with each text that a search finds. The names of the type and the business are not among them.
    public func forEachText(_ body: (SearchText) -> Void) {
        body(SearchText(field: .name, text: name))
        if let organizer { body(SearchText(field: .menu, text: organizer)) }
        if let description { body(SearchText(field: .description, text: description)) }
        if let location { body(SearchText(field: .address, text: location)) }
    }
}

extension Word {
    /// Two words as one; nil when it would be too long.
    public func joined(with other: Word) -> Word? {
        let (count, otherCount) = (count, other.count)
        guard count + otherCount <= Self.capacity else { return nil }
        var word = self
        for index in 0..<otherCount { word[count + index] = other[index] }
        return word
    }
}

/// A field that `q` searches, the most important first.
public enum SearchField: UInt8, CaseIterable, Comparable, Sendable {
    case name
    case term
    /// The name and the items of a menu; of an event, who organizes it.
    case menu
    case place
    case description
    case address
    case phone
    /// The other words for the category or the event type.
    case synonym

    /// Its bit in an index, where the last three are one.
    @inlinable public var bit: UInt8 { 1 << min(rawValue, Self.address.rawValue) }

    public static func < (left: SearchField, right: SearchField) -> Bool { left.rawValue < right.rawValue }
}

/// How well a word of a query matches a record: 0 is the best.
///
/// Literal matches come before those with a typo. Among each, the field decides, then whether the whole word matches;
/// the last three fields are equal.
public enum SearchClass {
    private static let byMask: [[UInt8]] = (0...WordMatch.prefixTypo.rawValue).map { match in
        (0...UInt8.max).map { mask in
            UInt8(match & 1) + 2 * UInt8(min(mask.trailingZeroBitCount, Int(SearchField.address.rawValue)))
                + (match < WordMatch.typo.rawValue ? 0 : 2 * UInt8(SearchField.address.rawValue + 1))
        }
    }

    /// The classes of a match, by mask of fields.
    public static func classes(of match: WordMatch) -> [UInt8] { byMask[match.rawValue] }

    public static func of(_ match: WordMatch, in field: SearchField) -> UInt8 { byMask[match.rawValue][Int(field.bit)] }
}
