import SookeModel

protocol SearchableRecord: TableRecord, AnyObject {
    /// The order of records that match equally well.
    associatedtype SearchKey: Comparable & Sendable

    /// It contains the ID; nil when the record is not listed.
    var searchKey: SearchKey? { get }

    /// The other records whose names are found as if they were its own.
    var searchGroups: [SearchGroup] { get }

    func forEachText(_ body: (SearchText) -> Void)
}

/// All records that refer to one record, such as the businesses of a category.
///
/// Its name is not in the index: a query searches the few names, so that a new name changes no index.
struct SearchGroup: Hashable, Sendable {
    let field: SearchField
    let id: Int

    /// The word that represents the reference; no text has it.
    var word: Word {
        // The bytes of the ID, none of them zero.
        Word([Self.mark, field.rawValue + 1] + (0..<10).map { UInt8(truncatingIfNeeded: id >> (63 - 7 * $0)) | 0x80 })
    }

    static func words(in field: SearchField) -> Word { Word([mark, field.rawValue + 1]) }

    static func id(of word: Word) -> Int {
        (0..<10).reduce(0) { $0 << 7 | Int(word[2 + $1] & 0x7F) }
    }

    private static let mark: UInt8 = 1
}

extension SearchableRecord {
    /// The words of the record, each with the bits of its fields, in their order.
    ///
    /// Of a record with very many words the last ones are not found.
    var searchWords: [(word: Word, fields: UInt8)] {
        var words: [(word: Word, fields: UInt8)] = searchGroups.map { ($0.word, $0.field.bit) }
        forEachWord { words.append(($0, $1.bit)) }
        words.sort { $0.word < $1.word }
        var merged: [(word: Word, fields: UInt8)] = []
        merged.reserveCapacity(words.count)
        for (word, fields) in words {
            if merged.last?.word == word {
                merged[merged.count - 1].fields |= fields
            } else {
                merged.append((word, fields))
            }
        }
        return merged
    }

    /// Whether another record certainly has the same words: most changes are of other fields.
    func hasSameTexts(as other: Self) -> Bool {
        guard searchGroups == other.searchGroups else { return false }
        var rest: [SearchText] = []
        forEachText { rest.append($0) }
        rest.reverse()
        var isSame = true
        other.forEachText { text in
            let mine = rest.popLast()
            isSame = isSame && mine?.field == text.field && mine?.text.hasSameBytes(as: text.text) == true
        }
        return isSame && rest.isEmpty
    }

    func forEachWord(_ body: (Word, SearchField) -> Void) {
        var count = 0
        forEachText { text in
            guard count < Self.mostWords else { return }
            text.forEachWord { word in
                if count < Self.mostWords { body(word.word, text.rankField(of: word)) }
                count += 1
            }
        }
    }

    static var mostWords: Int { 4096 }
}

extension BusinessRecord: SearchableRecord {
    var searchKey: NameKey? { categoryID == nil ? nil : nameKey }

    var searchGroups: [SearchGroup] { categoryID.map { [SearchGroup(field: .term, id: $0)] } ?? [] }

    func forEachText(_ body: (SearchText) -> Void) { value.forEachText(body) }
}

extension EventRecord: SearchableRecord {
    var searchKey: MomentKey? { isListed ? startKey : nil }

    var searchGroups: [SearchGroup] {
        [SearchGroup(field: .term, id: eventTypeID)] + (businessID.map { [SearchGroup(field: .place, id: $0)] } ?? [])
    }

    func forEachText(_ body: (SearchText) -> Void) { value.forEachText(body) }
}
