import SookeModel

/// The steps of a search.
///
/// Each term of the query gives each record a class, that of its best match; a record with one for each term gets their
/// sum as its score. The classes are in arrays by slot, so that the matches of many words are merged without a sort.
///
/// The work is bounded: the steps of a query that would take too long end early.
struct SearchRun<Record: SearchableRecord> {
    let index: SearchIndex<Record>
    let query: SearchQuery
    let names: SearchNames
    private(set) var work: SearchWork
    /// The phrases of several words, with the classes that they have if the words are in a row.
    private var phrases: [(words: [Word], classes: [UInt8])] = []

    /// The class or the score of a record that does not match.
    static var none: UInt8 { .max }

    init(
        _ query: SearchQuery, in index: SearchIndex<Record>, names: some Collection<SearchName>,
        limits: SearchLimits = SearchLimits()
    ) {
        (self.query, self.index) = (query, index)
        self.names = SearchNames(names.prefix(limits.names))
        work = SearchWork(limits)
        work.isBounded = names.count > limits.names
    }

    mutating func page(
        _ request: PageRequest, where isIncluded: ((Record) -> Bool)?
    ) -> (records: [Record], total: Int) {
        let scores = scores(where: isIncluded)
        let (found, total) = ranked(scores, request.ranks(in: .max))
        return (found.compactMap { index.records[$0.slot] }, total)
    }

    private mutating func scores(where isIncluded: ((Record) -> Bool)?) -> [UInt8] {
        var (before, scores) = (noClasses, noClasses)
        for (number, term) in query.terms.enumerated() {
            work.beginShare(of: query.terms.count - number)
            let classes = self.classes(of: term)
            var next = number == 0 ? classes : Self.combine(scores, classes) { $0 + $1 }
            if let whole = query.joined(at: number) { mark(whole, after: number == 1 ? nil : before, &next) }
            (before, scores) = (scores, next)
        }
        if isIncluded != nil || !phrases.isEmpty { narrow(&scores, where: isIncluded) }
        return scores
    }

    /// Marks the records that have two terms as one word, which counts for both. `before` has the scores of earlier
    /// terms.
    private mutating func mark(_ whole: QueryWord, after before: [UInt8]?, _ scores: inout [UInt8]) {
        var classes = noClasses
        mark(whole, &classes)
        for (slot, found) in classes.enumerated() where found != Self.none {
            let rest = before?[slot] ?? 0
            if rest != Self.none { scores[slot] = min(scores[slot], rest + 2 * found) }
        }
    }

    private var noClasses: [UInt8] { [UInt8](repeating: Self.none, count: Int(index.slotCount)) }

    private mutating func classes(of term: SearchQuery.Term) -> [UInt8] {
        var classes = noClasses
        switch term {
        case .word(let word): mark(word, &classes)
        case .compound(let whole, let parts):
            for (number, part) in parts.enumerated() {
                var others = noClasses
                mark(part, &others)
                classes = number == 0 ? others : Self.combine(classes, others, max)
            }
            mark(whole, &classes)
        case .phrase(let words):
            classes = self.classes(ofAll: words)
            for name in names.all {
                if let field = name.field(of: words) { mark(name.group, SearchClass.of(.exact, in: field), &classes) }
            }
            if words.count > 1 { phrases.append((words, classes)) }
        }
        return classes
    }

    private static func combine(_ left: [UInt8], _ right: [UInt8], _ operation: (UInt8, UInt8) -> UInt8) -> [UInt8] {
        var result = left
        for slot in result.indices where left[slot] != none {
            result[slot] = right[slot] == none ? none : operation(left[slot], right[slot])
        }
        return result
    }

    private mutating func mark(_ word: QueryWord, _ classes: inout [UInt8]) {
        for (other, postings) in index.words.words(from: word.word) {
            guard mark(postings, SearchClass.classes(of: other == word.word ? .exact : .prefix), &classes) else {
                break
            }
        }
        if word.allowsTypo, work.add(SearchWork.stepsPerComparison * index.words.lists.count) {
            for (other, postings) in index.words.lists {
                guard let match = word.match(other), !match.isLiteral else { continue }
                guard mark(postings, SearchClass.classes(of: match), &classes) else { break }
            }
        }
        for name in names.all {
            if let best = name.searchClass(of: word) { mark(name.group, best, &classes) }
        }
    }

    private mutating func mark(_ group: SearchGroup, _ best: UInt8, _ classes: inout [UInt8]) {
        mark(index.words[group.word], [UInt8](repeating: best, count: Int(UInt8.max) + 1), &classes)
    }

    /// False when the work has an end before the postings.
    @discardableResult
    private mutating func mark(_ postings: [Posting], _ byFields: [UInt8], _ classes: inout [UInt8]) -> Bool {
        guard work.add(SearchWork.stepsPerWord + postings.count) else { return false }
        for posting in postings {
            let (slot, better) = (Int(posting.slot), byFields[Int(posting.fields)])
            if better < classes[slot] { classes[slot] = better }
        }
        return true
    }

    /// The classes of the records that have some whole words in one field; whether in a row is not known yet.
    private mutating func classes(ofAll words: [Word]) -> [UInt8] {
        var common = [UInt8](repeating: .max, count: Int(index.slotCount))
        for word in words {
            var next = [UInt8](repeating: 0, count: common.count)
            let postings = index.words[word]
            if work.add(SearchWork.stepsPerWord + postings.count) {
                for posting in postings { next[Int(posting.slot)] = common[Int(posting.slot)] & posting.fields }
            }
            common = next
        }
        let byFields = SearchClass.classes(of: .exact)
        return common.map { $0 == 0 ? Self.none : byFields[Int($0)] }
    }

    /// Removes the records that a predicate does not include, and those without the phrases of the query. Only the best
    /// of very many are examined; the others count as no matches.
    private mutating func narrow(_ scores: inout [UInt8], where isIncluded: ((Record) -> Bool)?) {
        let most = phrases.isEmpty ? work.limits.filteredRecords : work.limits.phraseRecords
        let (found, total) = ranked(scores, 0..<most)
        if total > most { work.isBounded = true }
        var narrowed = noClasses
        for (slot, _, score) in found {
            guard let record = index.records[slot], isIncluded?(record) ?? true else { continue }
            narrowed[Int(slot)] = self.score(of: record, slot, assumed: score)
        }
        scores = narrowed
    }

    private mutating func score(of record: Record, _ slot: UInt32, assumed: UInt8) -> UInt8 {
        var score = assumed
        for (words, classes) in phrases {
            work.verifiedRecords += 1
            let groups = names.groups(of: record).compactMap { $0.field(of: words) }
            guard let field = (groups + record.fields(with: words)).min() else { return Self.none }
            score = score - classes[Int(slot)] + SearchClass.of(.exact, in: field)
        }
        return score
    }

    /// A range of the matches, the best first, then in the order of the records; and the number of all.
    private func ranked(
        _ scores: [UInt8], _ wanted: Range<Int>
    ) -> (found: [(slot: UInt32, id: Int, score: UInt8)], total: Int) {
        var counts = [Int](repeating: 0, count: 256)
        for score in scores { counts[Int(score)] += 1 }
        let total = scores.count - counts[Int(Self.none)]
        let wanted = wanted.clamped(to: 0..<total)
        var (before, next) = (0, counts)
        for score in next.indices { (next[score], before) = (before, before + counts[score]) }
        var found = [(slot: UInt32, id: Int, score: UInt8)](repeating: (0, 0, Self.none), count: wanted.count)
        for (_, place) in index.slots {
            let score = Int(scores[Int(place.slot)])
            let rank = next[score]
            next[score] = rank + 1
            if wanted.contains(rank) { found[rank - wanted.lowerBound] = (place.slot, place.id, UInt8(score)) }
        }
        return (found, total)
    }
}

extension SearchRun<BusinessRecord> {
    mutating func rankedBusinesses() -> [RankedBusiness] {
        ranked(scores(where: nil), 0..<Int.max).found.map { RankedBusiness(id: $0.id, rank: Int($0.score)) }
    }
}

struct SearchName: Sendable {
    let group: SearchGroup
    let name: String
    private let texts: [(field: SearchField, words: [TextWord])]

    init(_ group: SearchGroup, _ name: String, or synonyms: String = "") {
        (self.group, self.name) = (group, name)
        texts = [SearchText(field: group.field, text: name), SearchText(field: .synonym, text: synonyms)]
            .map { ($0.field, $0.words) }
    }

    func searchClass(of query: QueryWord) -> UInt8? {
        texts.lazy.compactMap { text in
            text.words.lazy.compactMap { query.match($0.word) }.min().map { SearchClass.of($0, in: text.field) }
        }.min()
    }

    func field(of phrase: [Word]) -> SearchField? { texts.first { !$0.words.places(of: phrase).isEmpty }?.field }
}

struct SearchNames: Sendable {
    let all: [SearchName]
    private let byGroup: [SearchGroup: Int]

    init(_ names: some Sequence<SearchName>) {
        all = Array(names)
        byGroup = Dictionary(all.indices.map { [all] in (all[$0].group, $0) }) { _, last in last }
    }

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

struct SearchLimits: Sendable {
    /// The most steps; one takes up to six nanoseconds.
    var steps = 250_000
    var names = 10_000
    /// The most records whose texts are read for a phrase.
    var phraseRecords = 250
    /// The most records that a predicate is applied to.
    var filteredRecords = 50_000
}

struct SearchWork: Sendable {
    let limits: SearchLimits
    private(set) var steps = 0
    var verifiedRecords = 0
    var isBounded = false
    private var end: Int

    /// The steps of finding a word, besides one per posting.
    static let stepsPerWord = 20
    static let stepsPerComparison = 2

    init(_ limits: SearchLimits) {
        (self.limits, end) = (limits, limits.steps)
    }

    /// Begins one of some remaining parts, each of which may take an equal share of the remaining steps.
    mutating func beginShare(of parts: Int) { end = steps + (limits.steps - steps) / parts }

    /// False when the part must end before the steps.
    @discardableResult
    mutating func add(_ count: Int) -> Bool {
        guard steps + count <= end else {
            isBounded = true
            return false
        }
        steps += count
        return true
    }
}
