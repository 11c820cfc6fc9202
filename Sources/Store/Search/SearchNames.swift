import SookeModel

/// The name of a record to which others refer, as a query finds it.
struct SearchName: Sendable {
    let group: SearchGroup
    let name: String
    private let words: [TextWord]

    init(_ group: SearchGroup, _ name: String) {
        (self.group, self.name) = (group, name)
        words = SearchText(field: group.field, text: name).words
    }

    /// How the best of its words matches.
    func match(_ query: QueryWord) -> WordMatch? { words.lazy.compactMap { query.match($0.word) }.min() }

    /// Whether it contains whole words in a row.
    func contains(_ phrase: [Word]) -> Bool { words.places(of: phrase).contains { _ in true } }
}

/// The names of all records to which those of a table refer.
struct SearchNames: Sendable {
    let all: [SearchName]
    private let byGroup: [SearchGroup: Int]

    init(_ names: some Sequence<SearchName>) {
        all = Array(names)
        byGroup = Dictionary(all.indices.map { [all] in (all[$0].group, $0) }) { _, last in last }
    }

    /// The names of the records to which one refers.
    func groups(of record: some SearchableRecord) -> [SearchName] {
        record.searchGroups.compactMap { byGroup[$0].map { all[$0] } }
    }
}

extension SearchableRecord {
    /// The fields that contain whole words in a row in one text.
    func fields(with phrase: [Word]) -> [SearchField] {
        var fields: [SearchField] = []
        forEachText { text in
            guard !fields.contains(text.field) else { return }
            if !TextWords.all(in: text.text).places(of: phrase).isEmpty { fields.append(text.field) }
        }
        return fields
    }
}
